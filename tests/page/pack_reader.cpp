#include "pack_reader.h"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "io/byte_order.h"

namespace pelt::test {
namespace {

std::vector<std::uint8_t> from_base64(const std::string& text) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(alphabet.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> count));
  }
  return bytes;
}

std::vector<std::uint8_t> gunzipped(const std::vector<std::uint8_t>& bytes) {
  REQUIRE(bytes.size() > 4);
  std::vector<std::uint8_t> out(u32_at(bytes, bytes.size() - 4));  // RFC 1952: the last word is the size
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 16 + 15) == Z_OK);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  inflateEnd(&stream);
  return out;
}

}  // namespace

std::vector<double> ReadPack::numbers(const nlohmann::json& name) const {
  const std::string type = name["type"];
  const std::size_t at = name["at"], count = name["count"], size = type == "u8" ? 1 : type == "u16" ? 2 : 4;
  const bool planes = name.value("planes", false);
  REQUIRE(at + count * size <= arrays.size());
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < size; ++k)
      bits |= std::uint32_t{arrays[at + (planes ? k * count + i : i * size + k)]} << 8 * k;
    float real = 0;
    std::memcpy(&real, &bits, 4);
    values.push_back(type == "f32" ? double{real} : bits);
  }
  return values;
}

ReadPack read_pack(const std::string& text) {
  const std::vector<std::uint8_t> bytes = gunzipped(from_base64(text));
  const std::size_t length = u32_at(bytes, 0);
  CHECK((4 + length) % 8 == 0);
  REQUIRE(4 + length <= bytes.size());
  const auto end = bytes.begin() + 4 + static_cast<std::ptrdiff_t>(length);
  return {nlohmann::json::parse(bytes.begin() + 4, end), {end, bytes.end()}};
}

std::string pack_of(const std::string& html, const std::string& id) {
  const std::string start = "<script type=\"application/x-pelt-pack\" id=\"" + id + "\">";
  const std::size_t at = html.find(start);
  if (at == std::string::npos) return "";
  return html.substr(at + start.size(), html.find("</script>", at) - at - start.size());
}

}  // namespace pelt::test
