#include "page.h"

#include <map>
#include <stdexcept>

#include "../io/report.h"
#include "pack.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

std::string pack_element(const std::string& id, const std::string& text) {
  return "<script type=\"application/x-pelt-pack\" id=\"" + id + "\">" + text + "</script>\n";
}

/// Numbers artists, each pack once.
class Artists {
 public:
  int number(const PageArtist& artist) {
    const auto [place, is_new] = numbers_.try_emplace(artist.pack, static_cast<int>(list_.size()));
    if (is_new) list_.push_back(&artist);
    return place->second;
  }
  const std::vector<const PageArtist*>& list() const { return list_; }

 private:
  std::map<std::string_view, int> numbers_;
  std::vector<const PageArtist*> list_;
};

Json or_nothing(const std::string& pointer) { return pointer.empty() ? Json(nullptr) : Json(pointer); }

/// The report without what the packs of the rigs hold as well.
Json shown_report(const Page& page) {
  Json report = page.report;
  for (const PageRig& rig : page.rigs) {
    Json& entry = report[Json::json_pointer(rig.entry)];
    if (entry.contains("matching")) entry["matching"].erase("per_vertex");
  }
  return report;
}

Json header_of(const Page& page, Artists& artists) {
  Json header{{"format", 1}, {"pelt", version()}, {"kind", page.kind}, {"report", shown_report(page)}};
  header["artists"] = header["rigs"] = Json::array();
  for (std::size_t n = 0; n < page.rigs.size(); ++n) {
    const PageRig& rig = page.rigs[n];
    header["rigs"].push_back({{"pack", "rig-" + std::to_string(n)},
                              {"artist", artists.number(rig.artist)},
                              {"name", rig.name},
                              {"model", rig.model},
                              {"file", rig.file},
                              {"entry", rig.entry},
                              {"control", or_nothing(rig.control)}});
  }
  for (std::size_t n = 0; n < artists.list().size(); ++n) {
    const PageArtist& artist = *artists.list()[n];
    header["artists"].push_back(
        {{"pack", "artist-" + std::to_string(n)}, {"file", artist.file}, {"diag", artist.diag}});
  }
  return header;
}

std::string packs_of(const Page& page) {
  Artists artists;
  const Json header = header_of(page, artists);
  std::string packs = pack_element("page", pack_text(header));
  for (std::size_t n = 0; n < artists.list().size(); ++n)
    packs += pack_element("artist-" + std::to_string(n), artists.list()[n]->pack);
  for (std::size_t n = 0; n < page.rigs.size(); ++n)
    packs += pack_element("rig-" + std::to_string(n), page.rigs[n].pack);
  return packs;
}

/// Puts `text` in the place of a mark that the viewer has once.
void fill(std::string& html, const std::string& mark, const std::string& text) {
  const std::size_t at = html.find(mark);
  if (at == std::string::npos) throw std::logic_error("the viewer has no " + mark);
  html.replace(at, mark.size(), text);
}

std::string title_of(const Page& page) {
  if (page.rigs.empty()) return "pelt";
  return "pelt: " + page.rigs.front().artist.file + (page.rigs.size() > 1 ? "" : ", " + page.rigs[0].file);
}

}  // namespace

std::string html_of(const Page& page, std::string_view viewer) {
  std::string html(viewer);
  fill(html, "<!--title-->", escaped(title_of(page)));
  fill(html, "<!--packs-->", packs_of(page));
  return html;
}

}  // namespace pelt
