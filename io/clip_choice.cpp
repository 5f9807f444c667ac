#include "clip_choice.h"

#include <algorithm>
#include <charconv>

namespace pelt {
namespace {

std::string after_bar(const std::string& name) { return name.substr(name.rfind('|') + 1); }

/// Every clip by a name that chooses it: "#index" too where it has a name.
std::string list(const Scene& scene, const std::vector<int>& clips) {
  std::string text;
  for (const int c : clips) {
    const Clip& clip = scene.clips[c];
    text += (text.empty() ? "" : ", ") + display_name(clip);
    if (clip.has_name) text += " (#" + std::to_string(clip.index) + ")";
  }
  return text.empty() ? "none" : text;
}

std::vector<int> matches(const Scene& scene, bool (*match)(const Clip&, const std::string&),
                         const std::string& name) {
  std::vector<int> found;
  for (std::size_t c = 0; c < scene.clips.size(); ++c)
    if (match(scene.clips[c], name)) found.push_back(static_cast<int>(c));
  return found;
}

bool has_index(const Clip& clip, const std::string& name) {
  int index = -1;
  const char* end = name.data() + name.size();
  return name.size() > 1 && name[0] == '#' && std::from_chars(name.data() + 1, end, index).ptr == end &&
         clip.index == index;
}

int choose(const Scene& scene, const std::string& name) {
  const auto exact = [](const Clip& clip, const std::string& wanted) {
    return clip.has_name && clip.name == wanted;
  };
  const auto suffix = [](const Clip& clip, const std::string& wanted) {
    return clip.has_name && after_bar(clip.name) == wanted;
  };
  for (const auto match : {+exact, &has_index, +suffix}) {
    const std::vector<int> found = matches(scene, match, name);
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
      throw NoSuchClip(scene.file + ": clip '" + name + "' could be any of: " + list(scene, found) +
                       "; use the full name or #index");
  }
  std::vector<int> all;
  for (std::size_t c = 0; c < scene.clips.size(); ++c) all.push_back(static_cast<int>(c));
  throw NoSuchClip(scene.file + ": no clip '" + name + "'; the clips are: " + list(scene, all));
}

}  // namespace

std::vector<int> choose_clips(const Scene& scene, const std::vector<std::string>& names) {
  std::vector<int> chosen;
  for (const std::string& name : names) chosen.push_back(choose(scene, name));
  if (names.empty())
    for (std::size_t c = 0; c < scene.clips.size(); ++c) chosen.push_back(static_cast<int>(c));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::string display_name(const Clip& clip) {
  return clip.has_name ? clip.name : "#" + std::to_string(clip.index);
}

}  // namespace pelt
