#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/temp_folder.h"

namespace pelt::test {

using Arguments = std::vector<std::string>;

/// What became of a child process.
struct Outcome {
  int exit = -1;  ///< minus the signal where one ended it
  std::string out, err;
};

/// Runs the program as users do. `stdout_to`: a file to connect its standard output to, "-" to close it;
/// captured where empty.
Outcome run_pelt(const Arguments& arguments, const std::string& stdout_to = "");

/// Starts it, sends the signal once `ready` is true or it has ended, and waits for its end.
Outcome run_pelt_until(const Arguments& arguments, int signal, const std::function<bool()>& ready);

/// What the program writes to a terminal that is its standard error.
std::string terminal_of(const Arguments& arguments);

/// Are there pseudo-terminals on this machine? A bare root without /dev/pts has none.
bool has_terminals();

/// A folder in which the program runs are watched: every file in it, with its content.
struct Desk {
  TempFolder folder;

  std::string operator/(const std::string& name) const { return (folder / name).string(); }
  /// Writes a file and returns its path.
  std::string put(const std::string& name, const std::vector<std::uint8_t>& bytes) const;
  std::string put(const std::string& name, const std::string& text) const;
  std::map<std::string, std::vector<std::uint8_t>> contents() const;
};

/// The quadruped's file of a name such as "artist" or "straight-legs".
const std::vector<std::uint8_t>& quadruped(const std::string& name);

std::vector<std::string> lines_of(const std::string& text);

/// The program must end with `code` and say why in one line on stderr that has every one of `words`, print
/// nothing on stdout, and leave everything on the desk as it was.
void check_refusal(const Desk& desk, const Arguments& arguments, int code,
                   const std::vector<std::string>& words);

/// The strip of two_joint_strip() without its clip.
std::vector<std::uint8_t> strip_without_clip();

/// The program must end with 0, make the files `made` and change nothing else on the desk.
Outcome check_success(const Desk& desk, const Arguments& arguments, const std::vector<std::string>& made);

}  // namespace pelt::test
