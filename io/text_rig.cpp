// The format as RigNet (Xu et al. 2020) writes it and Puppeteer (Song et al. 2025) took it over; neither
// describes it but by its writer.
#include "text_rig.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "io_error.h"

namespace pelt {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
// No tool binds a vertex to more joints, and room for the longest line is made at every vertex.
constexpr std::size_t kMostInfluences = 128;
// So that the distance of two joints is a float, too.
constexpr double kFarthest = std::numeric_limits<float>::max() / 2;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
}

bool is_utf8(std::string_view text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

struct Line {
  std::size_t number = 0;
  std::vector<std::string_view> words;
};

class Parser {
 public:
  Parser(std::string_view text, const std::filesystem::path& path) : path_(path) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      take({number, words_of(line)});
    }
  }

  TextRig parse() {
    read_joints();
    read_root();
    for (const Line& line : hierarchy_) read_bone(line);
    check_tree();
    for (const Line& line : skin_) read_skin(line);
    return std::move(rig_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw ReadError(path_.string() + ": " + what); }
  [[noreturn]] void refuse(const Line& line, const std::string& what) const {
    refuse("line " + std::to_string(line.number) + ": " + what);
  }

  static std::string quoted(std::string_view word) { return "'" + std::string(word.substr(0, 40)) + "'"; }

  void take(Line line) {
    if (line.words.empty()) return;
    const std::string_view keyword = line.words[0];
    const std::size_t count = line.words.size();
    const auto expect = [&](bool right, const char* form) {
      if (!right) refuse(line, quoted(keyword) + " is to be '" + form + "'");
    };
    if (keyword == "joints") {
      expect(count == 5, "joints NAME x y z");
      joints_.push_back(std::move(line));
    } else if (keyword == "root") {
      expect(count == 2, "root NAME");
      roots_.push_back(std::move(line));
    } else if (keyword == "hier") {
      expect(count == 3, "hier PARENT CHILD");
      hierarchy_.push_back(std::move(line));
    } else if (keyword == "skin") {
      expect(count >= 2 && count % 2 == 0, "skin VERTEX JOINT weight ...");
      skin_.push_back(std::move(line));
    } else {
      refuse(line, quoted(keyword) + " is none of joints, root, skin and hier");
    }
  }

  double number(const Line& line, std::string_view word) const {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      refuse(line, quoted(word) + " is not a finite number");
    return value;
  }

  int joint(const Line& line, std::string_view name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) refuse(line, "there is no joint " + quoted(name));
    return found->second;
  }

  void read_joints() {
    if (joints_.empty()) refuse("no joint in it");
    rig_.positions.resize(3, static_cast<Eigen::Index>(joints_.size()));
    for (const Line& line : joints_) {
      const int j = static_cast<int>(rig_.names.size());
      if (!is_utf8(line.words[1])) refuse(line, "the joint's name is not UTF-8");
      if (!index_.emplace(line.words[1], j).second)
        refuse(line, "another joint is called " + quoted(line.words[1]));
      rig_.names.emplace_back(line.words[1]);
      for (int axis = 0; axis < 3; ++axis) {
        rig_.positions(axis, j) = number(line, line.words[2 + axis]);
        if (std::abs(rig_.positions(axis, j)) > kFarthest)
          refuse(line, quoted(line.words[2 + axis]) + " is beyond the range of floats");
      }
    }
    rig_.parent.assign(joints_.size(), -1);
  }

  void read_root() {
    if (roots_.empty()) refuse("no 'root' line");
    if (roots_.size() > 1) refuse(roots_[1], "a second root; a rig has one");
    root_ = joint(roots_[0], roots_[0].words[1]);
  }

  void read_bone(const Line& line) {
    const int parent = joint(line, line.words[1]), child = joint(line, line.words[2]);
    if (child == root_) refuse(line, "the root " + quoted(line.words[2]) + " has no parent");
    if (rig_.parent[child] >= 0) refuse(line, quoted(line.words[2]) + " has a parent already");
    rig_.parent[child] = parent;
  }

  /// Every joint but the root has one parent: what the root does not reach hangs in the air or in a circle.
  void check_tree() const {
    const std::size_t count = joints_.size();
    std::vector<std::vector<int>> children(count);
    for (std::size_t j = 0; j < count; ++j)
      if (rig_.parent[j] >= 0) children[rig_.parent[j]].push_back(static_cast<int>(j));
    std::vector<char> reached(count, 0);
    std::vector<int> open{root_};
    while (!open.empty()) {
      const int j = open.back();
      open.pop_back();
      reached[j] = 1;
      open.insert(open.end(), children[j].begin(), children[j].end());
    }
    for (std::size_t j = 0; j < count; ++j)
      if (!reached[j]) refuse(joints_[j], "no 'hier' lines lead from the root to " + quoted(rig_.names[j]));
  }

  void read_skin(const Line& line) {
    TextRig::Skin skin;
    skin.line = line.number;
    const std::string_view word = line.words[1];
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), skin.vertex);
    if (error != std::errc() || end != word.data() + word.size() || skin.vertex < 0)
      refuse(line, quoted(word) + " is not the number of a vertex");
    if (!skinned_.insert(skin.vertex).second)
      refuse(line, "vertex " + std::to_string(skin.vertex) + " has a 'skin' line already");
    for (std::size_t w = 2; w < line.words.size(); w += 2) {
      const int j = joint(line, line.words[w]);
      const double weight = number(line, line.words[w + 1]);
      if (weight < 0) refuse(line, "a weight of " + std::string(line.words[w + 1]));
      if (weight > 0) skin.influences.emplace_back(j, weight);
    }
    check_influences(line, skin);
    std::stable_sort(skin.influences.begin(), skin.influences.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    rig_.skin.push_back(std::move(skin));
  }

  void check_influences(const Line& line, const TextRig::Skin& skin) const {
    if (skin.influences.size() > kMostInfluences)
      refuse(line, std::to_string(skin.influences.size()) + " joints at a vertex; at most " +
                       std::to_string(kMostInfluences) + " are read");
    std::set<int> joints;
    for (const auto& [j, weight] : skin.influences)
      if (!joints.insert(j).second) refuse(line, "joint " + quoted(rig_.names[j]) + " twice");
  }

  const std::filesystem::path& path_;
  std::vector<Line> joints_, roots_, hierarchy_, skin_;
  std::map<std::string_view, int> index_;
  std::set<int> skinned_;
  int root_ = -1;
  TextRig rig_;
};

}  // namespace

bool is_text_rig(std::span<const std::uint8_t> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::string_view keyword = text.substr(0, text.find_first_of(" \t"));
  return keyword == "joints" || keyword == "root" || keyword == "hier" || keyword == "skin";
}

TextRig parse_text_rig(std::string_view text, const std::filesystem::path& path) {
  return Parser(text, path).parse();
}

}  // namespace pelt
