#include "open_page.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "html_option.h"
#include "io/io_error.h"

extern char** environ;

namespace pelt::cli {

std::string write_temporary_page(const Page& page) {
  const std::string ending = ".html";
  std::string path = (std::filesystem::temp_directory_path() / ("pelt-XXXXXX" + ending)).string();
  const int file = mkstemps(path.data(), static_cast<int>(ending.size()));  // a name that nobody else has
  if (file < 0) throw WriteError(path + ": " + std::strerror(errno));
  close(file);
  try {
    write_page(page, path);
  } catch (...) {
    std::error_code none;
    std::filesystem::remove(path, none);
    throw;
  }
  return path;
}

bool open_in_browser(const std::string& file) {
#ifdef __APPLE__
  const char* program = "open";
#else
  const char* program = "xdg-open";
#endif
  std::string name = program, path = file;
  char* arguments[] = {name.data(), path.data(), nullptr};
  posix_spawn_file_actions_t silence;  // it tells of every browser that it does not find
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, program, &silence, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&silence);
  int status = 0;
  return started && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace pelt::cli
