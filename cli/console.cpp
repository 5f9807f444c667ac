#include "console.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "io/io_error.h"

namespace pelt::cli {
namespace {

bool progress_stands = false;  // a line on the terminal; the process has but one

/// "40 s", "5 min" or "3.2 h".
std::string duration(double seconds) {
  char text[32];
  if (seconds < 90)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 90 * 60)
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  else
    std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
  return text;
}

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

void show_batch_progress(const BatchProgress& p) {
  const bool terminal = isatty(STDERR_FILENO);
  if (p.row && !(terminal && p.row->ok))
    complain((terminal ? "" : std::to_string(p.done) + " of " + std::to_string(p.total) + ", ") +
             p.row->tool + "/" + p.row->model + (p.row->ok ? "" : ": " + p.row->reason));
  if (!terminal) return;
  constexpr int kWidth = 30;
  const int full = p.total > 0 ? kWidth * p.done / p.total : kWidth;
  std::string line = "[" + std::string(full, '#') + std::string(kWidth - full, '.') + "] " +
                     std::to_string(p.done) + " of " + std::to_string(p.total) + " pairs";
  if (p.failed > 0) line += ", " + std::to_string(p.failed) + " failed";
  if (p.seconds_left && p.done < p.total) line += ", " + duration(*p.seconds_left) + " left";
  std::fprintf(stderr, "\x1b[K%s\r", line.c_str());
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
