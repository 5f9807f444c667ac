#include "console.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "io/io_error.h"

namespace pelt::cli {
namespace {

bool progress_stands = false;  // a line on the terminal; the process has but one

}  // namespace

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

void complain(const std::string& text) {
  clear_progress();
  std::fprintf(stderr, "pelt: %s\n", printable(text).c_str());
}

void print_warnings(const std::vector<std::string>& warnings, bool quiet) {
  if (quiet) return;
  for (const std::string& warning : warnings) complain("warning: " + warning);
}

void show_progress(const char* stage, int done, int total) {
  if (!isatty(STDERR_FILENO)) return;
  // the cursor goes back to the line's start, so that whatever comes next writes over it
  std::fprintf(stderr, "\x1b[K%s: %d of %d clips\r", stage, done, total);
  progress_stands = true;
}

void clear_progress() {
  if (progress_stands) std::fputs("\x1b[K", stderr);
  progress_stands = false;
}

void flush_stdout() {
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed || std::ferror(stdout)) throw WriteError("standard output: cannot be written");
}

}  // namespace pelt::cli
