#include "inspect_report.h"

#include <nlohmann/json.hpp>

#include "gltf_reader.h"
#include "io_error.h"
#include "or_null.h"
#include "pose.h"
#include "report.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

Json finding_entry(const Finding& f) {
  return {{"check", f.check}, {"note", f.note}, {"what", f.what}, {"cause", f.cause}, {"cure", f.cure}};
}

Json clip_entry(const Inspection& inspection, std::size_t c) {
  const ClipFacts& clip = inspection.stored.clips[c];
  Json entry{{"name", clip.name}, {"index", clip.index}};
  entry["start_s"] = clip.timed ? Json(clip.start) : Json(nullptr);
  entry["end_s"] = clip.timed ? Json(clip.end) : Json(nullptr);
  entry["keys_per_s"] = inspection.scene ? or_null(inspection.scene->key_rate[c]) : Json(nullptr);
  return entry;
}

Json skin_entry(const Inspection& inspection, std::size_t s) {
  Json entry{{"joints", inspection.stored.joints[s]}};
  if (!inspection.scene) return entry;
  const SkinFacts& skin = inspection.scene->skins[s];
  entry["joints_with_weights"] = skin.weighted;
  entry["most_influences"] = skin.influences;
  entry["rest_from_bind_mean_pct"] = or_null(skin.off_bind_mean);
  entry["rest_from_bind_max_pct"] = skin.off_bind_mean ? Json(skin.off_bind_max) : Json(nullptr);
  return entry;
}

Json surface_entry(const SceneFacts& scene, const std::optional<StanceGuess>& stance) {
  Json entry{{"size", {scene.size.x(), scene.size.y(), scene.size.z()}}, {"diag", scene.diag}};
  entry["unit_guess"] = stance ? Json(stance->unit) : Json(nullptr);
  entry["up_guess"] = stance ? Json(stance->up) : Json(nullptr);
  entry["facing_guess"] = stance ? Json(stance->facing) : Json(nullptr);
  return entry;
}

}  // namespace

Inspection look_at(const Document& document) {
  Inspection inspection;
  inspection.file = document.path.string();
  inspection.stored = inspect(document);
  try {
    const Scene scene = read_scene(document);
    inspection.scene = scene_facts(scene);
    inspection.findings = find_faults(document, scene);
    const Surface rest = rest_surface(scene);
    if (vertex_areas(rest).sum() > 0) inspection.stance = guess_stance(rest);
  } catch (const ReadError& error) {
    inspection.unreadable = explained(error.what());
  }
  return inspection;
}

Json inspect_report(const Inspection& inspection) {
  const FileFacts& stored = inspection.stored;
  Json report{{"pelt", version()},
              {"command", "inspect"},
              {"file", inspection.file},
              {"readable", !inspection.unreadable},
              {"meshes", stored.meshes},
              {"triangles", stored.triangles},
              {"vertices", stored.vertices},
              {"skinned_vertices", stored.skinned_vertices},
              {"morph_targets", stored.morph_targets},
              {"influence_sets", stored.influence_sets},
              {"extensions_used", stored.extensions_used},
              {"extensions_required", stored.extensions_required},
              {"sparse_accessors", stored.sparse},
              {"skins", Json::array()},
              {"clips", Json::array()}};
  for (std::size_t s = 0; s < stored.joints.size(); ++s) report["skins"].push_back(skin_entry(inspection, s));
  for (std::size_t c = 0; c < stored.clips.size(); ++c) report["clips"].push_back(clip_entry(inspection, c));
  if (inspection.scene) {
    report["weight_sums"] = {{"off", inspection.scene->odd_sums}, {"worst", inspection.scene->worst_sum}};
    report["surface"] = surface_entry(*inspection.scene, inspection.stance);
  }
  report["warnings"] = Json::array();
  for (const Finding& finding : inspection.findings) report["warnings"].push_back(finding_entry(finding));
  report["unreadable"] = inspection.unreadable ? finding_entry(*inspection.unreadable) : Json(nullptr);
  return report;
}

}  // namespace pelt
