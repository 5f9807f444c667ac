// Wavefront OBJ, Appendix B1 of the Advanced Visualizer manual (version 3.0). A reader of our own:
// tinyobjloader 2.0 takes numbers that are none for 0, lets indices out of range pass, and knows no continued
// lines.
#include "obj.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io_error.h"
#include "whole_file.h"

namespace pelt {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

/// Takes the next word off the front of a line; empty at its end.
std::string_view take_word(std::string_view& line) {
  const std::size_t first = std::min(line.find_first_not_of(kBlanks), line.size());
  line.remove_prefix(first);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

/// Lines without their comments, joined where a backslash continues them.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    number_ = ++last_;
    line = physical_line();
    if (!continues(line)) return true;
    joined_.clear();
    while (continues(line)) {
      joined_.append(line.substr(0, line.find_last_of('\\'))).append(" ");
      ++last_;
      line = physical_line();
    }
    joined_.append(line);
    line = joined_;
    return true;
  }

  std::size_t number() const { return number_; }

 private:
  std::string_view physical_line() {
    std::string_view line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    line = line.substr(0, line.find('#'));
    return line.substr(0, line.find_last_not_of(kBlanks) + 1);
  }
  bool continues(std::string_view line) const { return line.ends_with('\\'); }

  std::string_view rest_;
  std::string joined_;
  std::size_t number_ = 0, last_ = 0;
};

/// Lines of one kind (`v`, `vt`, `vn`), and the largest index by which a face asks for one.
struct List {
  const char* name;
  int rows;
  std::vector<double> values;
  std::int64_t largest = 0;
  std::size_t line_of_largest = 0;

  std::int64_t count() const { return static_cast<std::int64_t>(values.size()) / rows; }
};

class Parser {
 public:
  Parser(std::string_view text, const std::filesystem::path& path) : lines_(text), path_(path) {}

  ObjMesh parse() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::string_view keyword = take_word(line);
      for (List& list : lists_)
        if (keyword == list.name) read_numbers(line, list);
      if (keyword == "f") read_face(line);
    }
    for (const List& list : lists_)
      if (list.largest > list.count())
        refuse(list.line_of_largest, "index " + std::to_string(list.largest) + ", but there are " +
                                         std::to_string(list.count()) + " '" + list.name + "' lines");
    if (lists_[0].values.empty()) throw ReadError(path_.string() + ": no OBJ mesh: no vertex ('v' line)");
    return mesh();
  }

 private:
  using Corner = std::array<int, 3>;  ///< index into each of the lists, -1 for none

  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    throw ReadError(path_.string() + ": line " + std::to_string(line) + ": " + what);
  }
  [[noreturn]] void refuse(const std::string& what) const { refuse(lines_.number(), what); }

  double number(std::string_view word) const {
    if (word.empty()) refuse("a number is missing");
    const std::string_view digits = word.substr(word.starts_with('+') && !word.starts_with("+-") ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
      refuse("'" + std::string(word.substr(0, 40)) + "' is not a finite number");
    return value;
  }

  /// What follows the coordinates, a weight or a colour, moves nothing. A uv may have one coordinate alone.
  void read_numbers(std::string_view line, List& list) {
    for (int row = 0; row < list.rows; ++row) {
      const std::string_view word = take_word(line);
      const bool may_be_left_out = list.rows == 2 && row == 1;
      list.values.push_back(word.empty() && may_be_left_out ? 0 : number(word));
    }
  }

  /// From 1 up, or from -1 down, counted back from the latest.
  int index(std::string_view text, List& list) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0 || value < -list.count() ||
        value > std::numeric_limits<int>::max())
      refuse("'" + std::string(text.substr(0, 40)) + "' is not an index of one of the " +
             std::to_string(list.count()) + " '" + list.name + "' lines so far");
    if (value < 0) return static_cast<int>(list.count() + value);
    if (value > list.largest) list.largest = value, list.line_of_largest = lines_.number();
    return static_cast<int>(value - 1);
  }

  /// `a`, `a/b`, `a//c` or `a/b/c`.
  Corner corner(std::string_view word) {
    Corner corner{-1, -1, -1};
    for (std::size_t k = 0; k < 3 && (k == 0 || !word.empty()); ++k) {
      const std::string_view part = word.substr(0, word.find('/'));
      word.remove_prefix(std::min(part.size() + 1, word.size()));
      if (k == 0 || !part.empty()) corner[k] = index(part, lists_[k]);
    }
    if (!word.empty()) refuse("a corner has more than three indices");
    return corner;
  }

  void read_face(std::string_view line) {
    std::vector<Corner> corners;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
      corners.push_back(corner(word));
    if (corners.size() < 3) refuse("a face of " + std::to_string(corners.size()) + " corners");
    for (std::size_t c = 2; c < corners.size(); ++c)
      for (std::size_t k = 0; k < 3; ++k)
        for (const Corner& each : {corners[0], corners[c - 1], corners[c]}) triangles_[k].push_back(each[k]);
  }

  ObjMesh mesh() const {
    const auto columns = [](const auto& list, int rows) {
      return static_cast<Eigen::Index>(list.size()) / rows;
    };
    const auto triangles = [&](std::size_t k) {
      return Eigen::Map<const Eigen::Matrix3Xi>(triangles_[k].data(), 3, columns(triangles_[k], 3));
    };
    const auto& [v, vt, vn] = lists_;
    ObjMesh mesh;
    mesh.positions = Eigen::Map<const Eigen::Matrix3Xd>(v.values.data(), 3, columns(v.values, 3));
    mesh.uvs = Eigen::Map<const Eigen::Matrix2Xd>(vt.values.data(), 2, columns(vt.values, 2));
    mesh.normals = Eigen::Map<const Eigen::Matrix3Xd>(vn.values.data(), 3, columns(vn.values, 3));
    mesh.triangles = triangles(0), mesh.triangle_uvs = triangles(1), mesh.triangle_normals = triangles(2);
    return mesh;
  }

  Lines lines_;
  const std::filesystem::path& path_;
  std::array<List, 3> lists_{{{"v", 3, {}}, {"vt", 2, {}}, {"vn", 3, {}}}};
  std::array<std::vector<int>, 3> triangles_;  ///< three corners a triangle, indices into each of the lists
};

}  // namespace

ObjMesh parse_obj(std::string_view text, const std::filesystem::path& path) {
  return Parser(text, path).parse();
}

ObjMesh read_obj(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = read_whole_file(path);
  return parse_obj({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

}  // namespace pelt
