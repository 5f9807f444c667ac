#include "pack.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <new>
#include <type_traits>

#include "../io/uri.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

/// RFC 1952. zlib counts what it is given in 32 bits, so in pieces.
Bytes gzipped(const Bytes& bytes) {
  constexpr int as_gzip = 16, window = 15, memory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window + as_gzip, memory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  Bytes out, piece(1 << 16);
  std::size_t taken = 0;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0 && taken < bytes.size()) {
      const std::size_t count = std::min<std::size_t>(bytes.size() - taken, 1 << 30);
      stream.next_in = const_cast<Bytef*>(bytes.data() + taken);
      stream.avail_in = static_cast<uInt>(count);
      taken += count;
    }
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    state = deflate(&stream, taken == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    out.insert(out.end(), piece.begin(), piece.end() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

template <class T>
std::uint32_t bits_of(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<std::uint32_t>(value);
  else
    return value;
}

/// Byte k of the number in little-endian order.
template <class T>
std::uint8_t byte_of(T value, std::size_t k) {
  return static_cast<std::uint8_t>(bits_of(value) >> (8 * k));
}

template <class T>
std::vector<T> narrowed(std::span<const int> values) {
  return {values.begin(), values.end()};
}

}  // namespace

template <class T>
Json Pack::put(std::span<const T> values, const char* type, bool planes) {
  arrays_.resize((arrays_.size() + 3) / 4 * 4);
  const std::size_t at = arrays_.size(), count = values.size();
  arrays_.resize(at + count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < sizeof(T); ++k)
      arrays_[at + (planes ? k * count + i : i * sizeof(T) + k)] = byte_of(values[i], k);
  Json name{{"at", at}, {"type", type}, {"count", count}};
  if (planes) name["planes"] = true;
  return name;
}

Json Pack::add(std::span<const float> values) { return put(values, "f32", true); }

Json Pack::add(std::span<const std::uint16_t> values) { return put(values, "u16", true); }

Json Pack::add(std::span<const int> values) {
  std::uint32_t largest = 0;
  for (const int value : values) largest = std::max(largest, static_cast<std::uint32_t>(value));
  if (largest <= 0xff) return put<std::uint8_t>(narrowed<std::uint8_t>(values), "u8", false);
  if (largest <= 0xffff) return put<std::uint16_t>(narrowed<std::uint16_t>(values), "u16", true);
  return put<std::uint32_t>(narrowed<std::uint32_t>(values), "u32", true);
}

std::string Pack::text(const Json& header) const {
  std::string json = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  json.resize((json.size() + 4 + 7) / 8 * 8 - 4, ' ');
  Bytes bytes;
  bytes.reserve(4 + json.size() + arrays_.size());
  for (std::size_t k = 0; k < 4; ++k) bytes.push_back(byte_of(static_cast<std::uint32_t>(json.size()), k));
  bytes.insert(bytes.end(), json.begin(), json.end());
  bytes.insert(bytes.end(), arrays_.begin(), arrays_.end());
  return base64(gzipped(bytes));
}

std::string pack_text(const Json& header) { return Pack().text(header); }

}  // namespace pelt
