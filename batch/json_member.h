#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "../solver/error.h"

namespace pelt {

/// Larger figures could not be added up.
constexpr double kLargestFigure = 1e300;

inline bool is_figure(double value) { return std::abs(value) <= kLargestFigure; }

/// A value as it is in JSON, if it is one: whole numbers that fit, figures that can be added up. \throw of
/// nlohmann's for another kind
template <class Value>
bool get_if_fit(const nlohmann::ordered_json& json, Value& value) {
  using Limits = std::numeric_limits<int>;
  if constexpr (std::is_same_v<Value, int>)
    if (json.is_number() && (!json.is_number_integer() || json.get<double>() < Limits::min() ||
                             json.get<double>() > Limits::max()))
      return false;
  json.get_to(value);
  if constexpr (std::is_same_v<Value, double>) return is_figure(value);
  if constexpr (std::is_same_v<Value, std::vector<double>>)
    return std::all_of(value.begin(), value.end(), is_figure);
  return true;
}

/// A member of an object, of the type that is wanted. \throw InvalidInput naming it
template <class Value>
void take(const nlohmann::ordered_json& json, const char* name, Value& value) {
  const auto member = json.find(name);
  if (member == json.end()) throw InvalidInput(std::string(name) + ": is missing");
  try {
    if (get_if_fit(*member, value)) return;
  } catch (const nlohmann::ordered_json::exception&) {
    throw InvalidInput(std::string(name) + ": is of another kind");
  }
  throw InvalidInput(std::string(name) + ": " + member->dump() + " is no number for it");
}

/// The same of a member that may be null or missing.
template <class Value>
void take(const nlohmann::ordered_json& json, const char* name, std::optional<Value>& value) {
  const auto member = json.find(name);
  if (member == json.end() || member->is_null()) return value.reset();
  take(json, name, value.emplace());
}

template <class Item, class From>
void take_list(const nlohmann::ordered_json& json, const char* name, std::vector<Item>& items, From&& from) {
  nlohmann::ordered_json list;
  take(json, name, list);
  if (!list.is_array()) throw InvalidInput(std::string(name) + ": is not a list");
  for (const nlohmann::ordered_json& item : list) items.push_back(from(item));
}

}  // namespace pelt
