#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "html_option.h"
#include "io/appraise.h"
#include "io/report.h"
#include "open_page.h"
#include "page/page_rig.h"
#include "pair_options.h"

namespace pelt::cli {
namespace {

struct ViewCommand {
  PairOptions pair;
  std::vector<std::string> files;  ///< the artist's, then the others
};

std::vector<std::string> shown_files(const ViewCommand& c) {
  return c.files.size() > 1 ? std::vector<std::string>(c.files.begin() + 1, c.files.end()) : c.files;
}

/// The page, and the report that is on it.
Page page_of(const ViewCommand& c, BakeOptions options) {
  options.artist = c.files.front();
  ArtistSession artist(options.artist, options.points);
  Page page{"view", {}, {}};
  std::vector<BakeResult> results;
  for (const std::string& file : shown_files(c)) {
    options.rig = file;
    const RigFile rig = open_rig_file(options.rig);
    results.push_back(appraise(artist, rig, options));
    page.rigs.push_back(page_rig(artist, rig, options, results.back()));
    page.rigs.back().name = std::filesystem::path(file).stem().string();
    page.rigs.back().model = std::filesystem::path(c.files.front()).stem().string();
    page.rigs.back().entry = "/rigs/" + std::to_string(results.size() - 1);
    print_warnings(results.back().warnings, c.pair.common.quiet);
  }
  page.report = view_report(options, results);
  return page;
}

int run_view(const ViewCommand& c) {
  check_has_viewer();
  const std::string &html = c.pair.html, &report = c.pair.common.report;
  check_report_path(report, c.files);
  std::vector<std::string> files = c.files;
  files.push_back(report);
  check_html_path(html, files);
  BakeOptions options = bake_options(c.pair);
  options.transfer.progress = nullptr;
  const Page page = page_of(c, options);
  if (!report.empty()) write_report(page.report, report);
  if (!html.empty()) {
    write_page(page, html);
    return done;
  }
  const std::string place = write_temporary_page(page);
  if (!open_in_browser(place)) complain("no browser could be started; open this file in one");
  std::fputs((place + "\n").c_str(), stdout);
  return done;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  auto c = std::make_shared<ViewCommand>();
  CLI::App* command = app.add_subcommand(
      "view", "Show clips as the files have them against the artist's, on a page in the browser");
  command
      ->add_option(
          "FILE", c->files,
          "The artist's file, then those whose clips of the same names are to be shown and measured; "
          "one file alone is shown as it is")
      ->required();
  add_surface_options(*command, c->pair);
  command->callback([c, &exit_code] { exit_code = run_view(*c); });
}

}  // namespace pelt::cli
