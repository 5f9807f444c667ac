#include "console.h"

#include <algorithm>
#include <cstdio>

#include "io/io_error.h"

namespace pelt::cli {

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

void complain(const std::string& text) { std::fprintf(stderr, "pelt: %s\n", printable(text).c_str()); }

void print_warnings(const std::vector<std::string>& warnings, bool quiet) {
  if (quiet) return;
  for (const std::string& warning : warnings) complain("warning: " + warning);
}

void flush_stdout() {
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed || std::ferror(stdout)) throw WriteError("standard output: cannot be written");
}

}  // namespace pelt::cli
