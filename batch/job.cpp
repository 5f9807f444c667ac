#include "job.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "../io/io_error.h"
#include "../io/lower_ending.h"
#include "../io/obj_sequence.h"
#include "../io/open_document.h"
#include "content_hash.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;

auto name(const Job& job) { return std::tie(job.tool, job.model); }

/// Jobs of one name, as one that cannot be run.
Job clash(std::vector<Job>::const_iterator first, std::vector<Job>::const_iterator end) {
  Job job = *first;
  job.fault = std::to_string(end - first) + " rigs have the name '" + display_name(job) + "':";
  for (auto other = first; other != end; ++other)
    job.fault += (other == first ? " " : ", ") + other->bake.rig.string();
  return job;
}

fs::path place_of(const fs::path& path) {
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(path, none), none);
}

/// All files of an OBJ sequence; of what is none, or a broken one, the file alone.
std::vector<fs::path> frames_or_file(const fs::path& points) {
  try {
    if (lower_ending(points) == ".obj") return files_of_sequence(points);
  } catch (const ReadError&) {
  }
  return {points};
}

}  // namespace

std::string display_name(const Job& job) { return job.tool + "/" + job.model; }

std::vector<Job> ordered(std::vector<Job> jobs) {
  std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
    return std::tie(a.tool, a.model, a.bake.rig, a.bake.artist) <
           std::tie(b.tool, b.model, b.bake.rig, b.bake.artist);
  });
  std::vector<Job> unique;
  for (auto first = jobs.cbegin(); first != jobs.cend();) {
    const auto end =
        std::find_if(first, jobs.cend(), [&](const Job& job) { return name(job) != name(*first); });
    unique.push_back(end - first == 1 ? *first : clash(first, end));
    first = end;
  }
  return unique;
}

std::vector<Job> shard_of(const std::vector<Job>& jobs, const Shard& shard) {
  if (shard.of < 1 || shard.part < 1 || shard.part > shard.of)
    throw UsageError("shard " + std::to_string(shard.part) + "/" + std::to_string(shard.of) +
                     ": parts go from 1 to their number");
  std::vector<std::tuple<std::string, std::string, std::size_t>> order;
  for (std::size_t n = 0; n < jobs.size(); ++n)
    order.emplace_back(hash_of(jobs[n].model), hash_of(jobs[n].tool), n);
  std::sort(order.begin(), order.end());
  const auto edge = [&](int part) { return order.size() * part / shard.of; };
  std::vector<Job> part;
  for (std::size_t n = edge(shard.part - 1); n < edge(shard.part); ++n)
    part.push_back(jobs[std::get<2>(order[n])]);
  return ordered(std::move(part));
}

void check_outputs(const std::vector<Job>& jobs) {
  std::map<fs::path, const Job*> read, written;
  for (const Job& job : jobs) {
    for (const fs::path& file : {job.bake.artist, job.bake.rig, job.bake.mesh, job.bake.alignment})
      if (!file.empty()) read.emplace(place_of(file), &job);
    for (const fs::path& file : job.bake.points.files) read.emplace(place_of(file), &job);
  }
  for (const Job& job : jobs) {
    const fs::path& output = job.bake.output;
    if (output.empty()) continue;
    const fs::path path = place_of(output);
    if (const auto reader = read.find(path); reader != read.end())
      throw UsageError(output.string() + ": the output of " + display_name(job) + " is an input of " +
                       display_name(*reader->second));
    if (const auto [other, fresh] = written.emplace(path, &job); !fresh)
      throw UsageError(output.string() + ": is the output of both " + display_name(*other->second) + " and " +
                       display_name(job));
  }
}

std::vector<fs::path> artist_files(const BakeOptions& options) {
  std::vector<fs::path> files = files_to_open(options.artist);
  for (const fs::path& points : options.points.files) {
    const std::vector<fs::path> frames = frames_or_file(points);
    files.insert(files.end(), frames.begin(), frames.end());
  }
  return files;
}

std::vector<fs::path> rig_files(const BakeOptions& options) {
  std::vector<fs::path> files = files_to_open(options.rig, options.mesh);
  if (!options.alignment.empty()) files.push_back(options.alignment);
  return files;
}

}  // namespace pelt
