#include "job_key.h"

#include <nlohmann/json.hpp>

#include "../io/open_document.h"
#include "../io/report.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

template <class Hash>
Json hashes_of(const std::vector<std::filesystem::path>& files, Hash&& hash) {
  Json list = Json::array();
  for (const std::filesystem::path& file : files) list.push_back(hash(file));
  return list;
}

}  // namespace

std::string key_of(const Job& job, FileHashes& hashes) {
  Json all{{"pelt", version()}, {"fault", job.fault}, {"settings", settings_report(job.bake)}};
  if (job.fault.empty()) {
    all["artist"] = hashes_of(artist_files(job.bake), hashes);
    all["rig"] = hashes_of(rig_files(job.bake), hashes);
    all["clips"] = job.bake.clips;
    all["points_up"] = job.bake.points.up;
    all["output"] = job.bake.output.extension().string();
    all["settings"]["align"] = job.bake.align;  // not the name of a file
  }
  return hash_of(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string output_hash(const std::filesystem::path& output) {
  return hash_of(hashes_of(files_to_open(output), hash_of_file).dump());
}

}  // namespace pelt
