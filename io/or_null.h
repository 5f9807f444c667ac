#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace pelt {

/// As reports and rows say that there is no value.
template <class Value>
nlohmann::ordered_json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace pelt
