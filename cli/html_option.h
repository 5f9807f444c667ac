#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "batch/run_batch.h"
#include "page/page.h"

namespace pelt::cli {

/// \throw UsageError where pelt was built without its viewer
void check_has_viewer();

/// \throw UsageError where the page would overwrite one of the files, or pelt was built without its viewer;
/// WriteError where its folder is missing
void check_html_path(const std::string& html, const std::vector<std::string>& files);

/// The rigs of a page, taken in while pairs are baked.
class PageRigs {
 public:
  /// Called by the threads that bake.
  void take(const Job& job, const ArtistSession& artist, const RigFile& rig, const BakeResult& result);

  /// Those whose rows are in the report (`rows` of docs/score.md), in its order.
  std::vector<PageRig> of_report(const nlohmann::ordered_json& report) const;

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, PageRig> rigs_;  // by tool and model
};

/// Writes the page through a temporary file beside it. \throw WriteError
void write_page(const Page& page, const std::string& html);

/// The page of one bake, whose rig is as page_rig() made it.
Page bake_page(const BakeOptions& options, const BakeResult& result, PageRig rig);

}  // namespace pelt::cli
