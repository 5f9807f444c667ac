#include "junit.h"

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "field.h"
#include "text_table.h"

namespace pelt {
namespace {

/// Length of the well-formed UTF-8 character at a place that XML 1.0 admits; 0 where there is none (RFC 3629
/// section 4, XML 1.0 section 2.2).
std::size_t xml_character(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  unsigned code = first & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3F);
  }
  constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF, noncharacter = code == 0xFFFE || code == 0xFFFF;
  return first < 0xC0 || first > 0xF4 || code < least[length] || code > 0x10FFFF || surrogate || noncharacter
             ? 0
             : length;
}

std::string xml_text(const std::string& text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = xml_character(text, at);
    clean += length > 0 ? text.substr(at, length) : "?";
    at += std::max<std::size_t>(length, 1);
  }
  return clean;
}

struct Case {
  std::string name, model;
  double seconds = 0;
  std::string error;                  ///< why the pair failed; empty where it did not
  std::vector<std::string> failures;  ///< missed gates
};

std::string case_name(const ClipScore& clip) {
  return (clip.clip.empty() ? "(unnamed)" : clip.clip) + " (" + name_of(clip.joints) + ")";
}

/// The testcases of a row; `missed` are its own.
std::vector<Case> cases_of(const ScoreRow& row, const Gates& gates, const std::vector<Miss>& missed) {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, const auto& belongs) {
    cases.push_back({name, model_name(row), 0, "", {}});
    for (const Miss& miss : missed)
      if (belongs(miss)) cases.back().failures.push_back(miss.what);
  };
  if (!row.ok) {
    cases.push_back({"pair", model_name(row), 0, row.reason.empty() ? "failed" : row.reason, {}});
  } else {
    if (gates.require_control) add("control", [](const Miss& m) { return m.bar == Bar::control; });
    if (gates.min_bend) add("legs", [](const Miss& m) { return m.bar == Bar::bend; });
    for (std::size_t c = 0; c < row.clips.size(); ++c)
      add(case_name(row.clips[c]), [&](const Miss& m) { return m.clip == static_cast<int>(c); });
    if (cases.empty()) add("pair", [](const Miss&) { return false; });
  }
  for (Case& c : cases) c.seconds = row.seconds / static_cast<double>(cases.size());
  return cases;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

void set_counts(pugi::xml_node node, const std::vector<Case>& cases) {
  double seconds = 0;
  std::size_t failures = 0, errors = 0;
  for (const Case& c : cases) {
    seconds += c.seconds;
    failures += !c.failures.empty();
    errors += !c.error.empty();
  }
  set(node, "tests", std::to_string(cases.size()));
  set(node, "failures", std::to_string(failures));
  set(node, "errors", std::to_string(errors));
  set(node, "time", fixed(seconds, 3));
}

void append(pugi::xml_node suite, const std::string& tool, const Case& c) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", tool + "." + c.model);
  set(node, "name", c.name);
  set(node, "time", fixed(c.seconds, 3));
  if (!c.error.empty()) set(node.append_child("error"), "message", c.error);
  if (c.failures.empty()) return;
  std::string all;
  for (const std::string& failure : c.failures) all += (all.empty() ? "" : "; ") + failure;
  set(node.append_child("failure"), "message", all);
}

}  // namespace

std::string junit(std::vector<ScoreRow> rows, const Gates& gates) {
  sort_rows(rows);
  const std::vector<Miss> missed = misses(rows, gates);
  std::map<std::string, std::vector<Case>> suites;
  std::vector<Case> all;
  auto next = missed.begin();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<Miss> own;
    for (; next != missed.end() && next->row == r; ++next) own.push_back(*next);
    for (const Case& c : cases_of(rows[r], gates, own)) {
      suites[rows[r].tool].push_back(c);
      all.push_back(c);
    }
  }
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "pelt score");
  set_counts(root, all);
  for (const auto& [tool, cases] : suites) {
    pugi::xml_node suite = root.append_child("testsuite");
    set(suite, "name", tool);
    set_counts(suite, cases);
    for (const Case& c : cases) append(suite, tool, c);
  }
  std::ostringstream text;
  document.save(text, " ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace pelt
