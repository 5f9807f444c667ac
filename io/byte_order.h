#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pelt {

enum class ByteOrder { little, big };

/// The 32-bit word at a byte offset. \pre it lies inside
inline std::uint32_t u32_at(std::span<const std::uint8_t> bytes, std::size_t offset,
                            ByteOrder order = ByteOrder::little) {
  const auto byte = [&](std::size_t k) { return std::uint32_t{bytes[offset + k]}; };
  return order == ByteOrder::little ? byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
                                    : byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
}

}  // namespace pelt
