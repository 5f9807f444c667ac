#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pelt {

/// An artist's surface on a page.
struct PageArtist {
  std::string pack;  ///< artist_pack()
  std::string file;
  double diag = 0;  ///< scene units
};

/// A rig on a page.
struct PageRig {
  std::string pack;  ///< rig_pack()
  PageArtist artist;
  std::string name, model, file;  ///< name: of the tool, or of the file
  std::string entry, control;     ///< JSON pointers into the report; control may be empty
};

struct Page {
  std::string kind;               ///< "bake", "score" or "view"
  nlohmann::ordered_json report;  ///< as --report writes it
  std::vector<PageRig> rigs;
};

/// The page as one HTML file; artists that are alike are in it once. `viewer`: viewer_template().
std::string html_of(const Page& page, std::string_view viewer);

}  // namespace pelt
