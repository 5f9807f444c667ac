#include "manifest.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "../io/io_error.h"
#include "../io/json_text.h"
#include "../io/lower_ending.h"
#include "../io/whole_file.h"
#include "csv.h"
#include "job_options.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::vector<std::string> kFields = {"artist", "rig", "tool", "model", "clips", "options"};

/// A pair as the list has it.
struct Entry {
  std::string place;  ///< of the file
  std::map<std::string, std::string> field;
  std::vector<std::string> clips;
  std::vector<std::pair<std::string, std::string>> options;
};

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw ReadError(place + ": " + what);
}

std::string fields_text() {
  std::string text;
  for (const std::string& field : kFields) text += (text.empty() ? "" : ", ") + field;
  return text;
}

void check_field(const std::string& place, const std::string& field) {
  if (std::find(kFields.begin(), kFields.end(), field) == kFields.end())
    fail(place, "'" + field + "' is no field; there are " + fields_text());
}

/// The parts of a text, empty ones left out.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t first = 0, end = 0; end != std::string::npos; first = end + 1) {
    end = text.find(separator, first);
    const std::string part = text.substr(first, end == std::string::npos ? end : end - first);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

Entry csv_entry(const std::vector<std::string>& header, const CsvRecord& record, const fs::path& path) {
  Entry entry{path.string() + ":" + std::to_string(record.line), {}, {}, {}};
  if (record.fields.size() != header.size())
    fail(entry.place,
         std::to_string(record.fields.size()) + " fields, the header has " + std::to_string(header.size()));
  for (std::size_t n = 0; n < header.size(); ++n) entry.field[header[n]] = record.fields[n];
  entry.clips = split(entry.field["clips"], ';');
  for (const std::string& option : split(entry.field["options"], ' ')) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) fail(entry.place, "options: '" + option + "' is not name=value");
    entry.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return entry;
}

std::vector<Entry> csv_entries(std::string_view text, const fs::path& path) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::vector<CsvRecord> records = parse_csv(text, path);
  if (records.empty()) fail(path.string(), "no header: it names fields of " + fields_text());
  const std::vector<std::string>& header = records[0].fields;
  for (auto field = header.begin(); field != header.end(); ++field) {
    const std::string place = path.string() + ":" + std::to_string(records[0].line);
    check_field(place, *field);
    if (std::find(header.begin(), field, *field) != field)
      fail(place, "field '" + *field + "' is there twice");
  }
  std::vector<Entry> entries;
  for (std::size_t n = 1; n < records.size(); ++n) entries.push_back(csv_entry(header, records[n], path));
  return entries;
}

std::string json_string(const Json& json, const std::string& place) {
  if (!json.is_string()) fail(place, "is not a string");
  return json.get<std::string>();
}

/// An option's value as the command line would have it; a list of strings with commas.
std::string option_text(const Json& json, const std::string& place) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean() || json.is_number()) return json.dump();
  if (!json.is_array()) fail(place, "is not a string, number, boolean or list of strings");
  std::string text;
  for (const Json& item : json) text += (text.empty() ? "" : ",") + json_string(item, place);
  return text;
}

Entry json_entry(const Json& json, const std::string& place) {
  Entry entry{place, {}, {}, {}};
  if (!json.is_object()) fail(place, "is not an object");
  for (const auto& [name, value] : json.items()) {
    check_field(place, name);
    const std::string at = place + "." + name;
    if (name == "clips") {
      if (!value.is_array()) fail(at, "is not a list");
      for (const Json& clip : value) entry.clips.push_back(json_string(clip, at));
    } else if (name == "options") {
      if (!value.is_object()) fail(at, "is not an object");
      for (const auto& [option, setting] : value.items())
        entry.options.emplace_back(option, option_text(setting, at + "." + option));
    } else {
      entry.field[name] = json_string(value, at);
    }
  }
  return entry;
}

std::vector<Entry> json_entries(std::span<const std::uint8_t> text, const fs::path& path) {
  const Json json = parse_json(text, path.string(), "a list of pairs");
  if (!json.is_array()) fail(path.string(), "is not a list of pairs");
  std::vector<Entry> entries;
  for (std::size_t n = 0; n < json.size(); ++n)
    entries.push_back(json_entry(json[n], path.string() + ": [" + std::to_string(n) + "]"));
  return entries;
}

Job job_of(const Entry& entry, const fs::path& folder, const BakeOptions& defaults) {
  const auto field = [&](const char* name) {
    const auto found = entry.field.find(name);
    return found == entry.field.end() ? std::string() : found->second;
  };
  Job job{field("tool"), field("model"), defaults, ""};
  for (const auto& [name, path] : {std::pair("artist", &job.bake.artist), std::pair("rig", &job.bake.rig)}) {
    if (field(name).empty()) fail(entry.place, std::string(name) + ": is missing");
    *path = folder / field(name);
  }
  if (job.tool.empty()) job.tool = job.bake.rig.stem().string();
  if (job.model.empty()) job.model = job.bake.artist.stem().string();
  if (!entry.clips.empty()) job.bake.clips = entry.clips;
  for (const auto& [name, value] : entry.options) try {
      set_option(name, value, folder, job.bake);
    } catch (const UsageError& error) {
      fail(entry.place, std::string("options: ") + error.what());
    }
  return job;
}

}  // namespace

std::vector<Job> read_manifest(const fs::path& path, const BakeOptions& defaults) {
  const std::vector<std::uint8_t> bytes = read_whole_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::vector<Entry> entries =
      lower_ending(path) == ".json" ? json_entries(bytes, path) : csv_entries(text, path);
  std::vector<Job> jobs;
  for (const Entry& entry : entries) jobs.push_back(job_of(entry, path.parent_path(), defaults));
  if (jobs.empty()) fail(path.string(), "names no pair");
  return jobs;
}

}  // namespace pelt
