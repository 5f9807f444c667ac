#include "inspect.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <set>

#include "accessor.h"
#include "gltf_json.h"
#include "io_error.h"
#include "unpack.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

const char* const geometry_extensions[] = {"KHR_mesh_quantization",   "KHR_draco_mesh_compression",
                                           "EXT_meshopt_compression", "KHR_meshopt_compression",
                                           "EXT_mesh_gpu_instancing", "KHR_animation_pointer"};

std::size_t count_of(const Json& json, int accessor) {
  return json["accessors"][accessor]["count"].get<std::size_t>();
}

std::size_t triangle_count(std::size_t corners, int mode) {
  return mode == 4 ? corners / 3 : std::max<std::size_t>(corners, 2) - 2;
}

std::vector<std::string> strings_of(const Json& json, const char* name) {
  return member(json, name).get<std::vector<std::string>>();
}

int set_count(const Json& attributes) {
  int sets = 0;
  while (attributes.contains("JOINTS_" + std::to_string(sets))) ++sets;
  return sets;
}

void add_meshes(const Json& json, FileFacts& facts) {
  std::set<int> counted;
  for (const Json& mesh : member(json, "meshes")) {
    for (const Json& primitive : mesh["primitives"]) {
      const int mode = integer_of(primitive, "mode", 4);
      const int position = integer_of(primitive["attributes"], "POSITION");
      if (mode < 4 || mode > 6 || position < 0) continue;
      const int indices = integer_of(primitive, "indices");
      facts.triangles += triangle_count(count_of(json, indices < 0 ? position : indices), mode);
      facts.morph_targets = std::max(facts.morph_targets, member(primitive, "targets").size());
      const int sets = set_count(primitive["attributes"]);
      facts.influence_sets = std::max(facts.influence_sets, sets);
      if (!counted.insert(position).second) continue;
      facts.vertices += count_of(json, position);
      if (sets > 0) facts.skinned_vertices += count_of(json, position);
    }
  }
}

struct Span {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();
};

/// First and last key of an input accessor: what the JSON says, else what the bytes say, else nothing.
class KeySpans {
 public:
  explicit KeySpans(const Document& document) : document_(document) {}

  std::optional<Span> of(int accessor) {
    const Json& json = document_.json["accessors"][accessor];
    const Json &least = member(json, "min"), &most = member(json, "max");
    if (!least.empty() && !most.empty()) return Span{least[0].get<double>(), most[0].get<double>()};
    try {
      if (!accessors_) {
        plain_ = unpacked(document_);
        accessors_.emplace(plain_ ? *plain_ : document_);
      }
      const Eigen::MatrixXd times = accessors_->read(accessor, {at("accessors", accessor), "SCALAR"});
      if (times.size() == 0 || !times.allFinite()) return std::nullopt;
      return Span{times.minCoeff(), times.maxCoeff()};
    } catch (const ReadError&) {
      return std::nullopt;
    }
  }

 private:
  const Document& document_;
  std::optional<Document> plain_;
  std::optional<Accessors> accessors_;
};

ClipFacts clip_facts(const Document& document, std::size_t index, KeySpans& spans) {
  const Json& json = document.json["animations"][index];
  ClipFacts clip;
  clip.name = string_of(json, "name");
  clip.index = static_cast<int>(index);
  Span all;
  for (std::size_t c = 0; c < json["channels"].size(); ++c) {
    const auto sampler = json["channels"][c]["sampler"].get<std::size_t>();
    if (sampler >= json["samplers"].size())
      fail(document.path.string(), at(at("animations", index) + ".channels", c) + ".sampler",
           std::to_string(sampler) + ", but there are " + std::to_string(json["samplers"].size()) +
               " samplers");
    const std::optional<Span> span = spans.of(integer_of(json["samplers"][sampler], "input"));
    if (!span) continue;
    all.first = std::min(all.first, span->first);
    all.last = std::max(all.last, span->last);
  }
  clip.timed = std::isfinite(all.last);
  if (clip.timed) clip.start = all.first;
  if (clip.timed) clip.end = all.last;
  return clip;
}

std::string seconds(const ClipFacts& clip) {
  if (!clip.timed) return "? s";
  char text[64];
  std::snprintf(text, sizeof text, "%.2f s", clip.end);
  return text;
}

std::string joined(const std::vector<std::string>& items, const char* separator) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : separator) + item;
  return text;
}

}  // namespace

FileFacts inspect(const Document& document) {
  check_schema(document.json, document.path.string());
  FileFacts facts;
  add_meshes(document.json, facts);
  facts.meshes = member(document.json, "meshes").size();
  facts.extensions_used = strings_of(document.json, "extensionsUsed");
  facts.extensions_required = strings_of(document.json, "extensionsRequired");
  for (const Json& skin : member(document.json, "skins")) facts.joints.push_back(skin["joints"].size());
  KeySpans spans(document);
  for (std::size_t i = 0; i < member(document.json, "animations").size(); ++i)
    facts.clips.push_back(clip_facts(document, i, spans));
  for (const std::string& extension : facts.extensions_used)
    if (std::count(std::begin(geometry_extensions), std::end(geometry_extensions), extension) > 0)
      facts.extensions.push_back(extension);
  for (const Json& accessor : member(document.json, "accessors")) facts.sparse |= accessor.contains("sparse");
  return facts;
}

std::string short_name(const ClipFacts& clip) {
  const std::string name = clip.name.substr(clip.name.rfind('|') + 1);
  return name.empty() ? "#" + std::to_string(clip.index) : name;
}

std::string vertices_cell(const FileFacts& facts) {
  std::string text = std::to_string(facts.vertices);
  if (facts.skinned_vertices > 0 && facts.skinned_vertices < facts.vertices)
    text += " (" + std::to_string(facts.skinned_vertices) + " skinned)";
  if (facts.morph_targets > 0)
    text += ", " + std::to_string(facts.morph_targets) +
            (facts.morph_targets == 1 ? " morph target" : " morph targets");
  return text;
}

std::string joints_cell(const FileFacts& facts) {
  std::vector<std::string> counts;
  for (const std::size_t joints : facts.joints) counts.push_back(std::to_string(joints));
  return counts.empty() ? "0" : joined(counts, " + ");
}

std::string clips_cell(const FileFacts& facts) {
  std::vector<std::string> clips;
  for (const ClipFacts& clip : facts.clips) clips.push_back(short_name(clip) + " " + seconds(clip));
  if (clips.empty()) return "none";
  const bool many = clips.size() > 6;
  return (many ? std::to_string(clips.size()) + ": " : "") + joined(clips, ", ");
}

std::string extensions_cell(const FileFacts& facts) {
  std::vector<std::string> items = facts.extensions;
  if (facts.sparse) items.push_back("sparse accessors");
  return items.empty() ? "-" : joined(items, ", ");
}

std::vector<std::pair<std::string, std::string>> inspect_columns(const FileFacts& facts) {
  return {{"triangles", std::to_string(facts.triangles)},
          {"vertices", vertices_cell(facts)},
          {"joints", joints_cell(facts)},
          {"sets", std::to_string(facts.influence_sets)},
          {"clips", clips_cell(facts)},
          {"extensions", extensions_cell(facts)}};
}

}  // namespace pelt
