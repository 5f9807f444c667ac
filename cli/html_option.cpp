#include "html_option.h"

#include <filesystem>

#include "io/io_error.h"
#include "io/report.h"
#include "page/page_rig.h"
#include "page/viewer.h"
#include "transfer_options.h"

namespace pelt::cli {

void check_has_viewer() {
  if (viewer_template().empty())
    throw UsageError("this pelt was built without its viewer (PELT_VIEWER), so it makes no pages");
}

void check_html_path(const std::string& html, const std::vector<std::string>& files) {
  if (html.empty()) return;
  check_has_viewer();
  check_report_path(html, files);
}

void PageRigs::take(const Job& job, const ArtistSession& artist, const RigFile& rig,
                    const BakeResult& result) {
  PageRig page = page_rig(artist, rig, job.bake, result);
  page.name = job.tool, page.model = job.model;
  const std::lock_guard lock(mutex_);
  rigs_[{job.tool, job.model}] = std::move(page);
}

std::vector<PageRig> PageRigs::of_report(const nlohmann::ordered_json& report) const {
  std::vector<PageRig> list;
  std::size_t n = 0;
  for (const auto& row : report["rows"]) {
    const std::string at = "/rows/" + std::to_string(n++) + "/details";
    const auto found = rigs_.find({row["tool"].get<std::string>(), row["model"].get<std::string>()});
    if (found == rigs_.end()) continue;
    list.push_back(found->second);
    list.back().entry = at;
    list.back().control = at + "/control";
  }
  return list;
}

void write_page(const Page& page, const std::string& html) {
  write_text(html_of(page, viewer_template()), html);
}

Page bake_page(const BakeOptions& options, const BakeResult& result, PageRig rig) {
  rig.name = std::filesystem::path(result.rig).stem().string();
  rig.model = std::filesystem::path(result.artist).stem().string();
  rig.control = "/control";
  return {"bake", bake_report(options, result), {std::move(rig)}};
}

}  // namespace pelt::cli
