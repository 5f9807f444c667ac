#include "program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <sstream>
#include <stdexcept>

#include "data/quadruped_files.h"
#include "tests/gltf_builder.h"

extern char** environ;

namespace pelt::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

std::string text_of(const fs::path& path) {
  const Bytes bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

pid_t spawn(const Arguments& arguments, const std::string& out, const std::string& err) {
  std::vector<char*> argv{const_cast<char*>(PELT_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int write = O_WRONLY | O_CREAT | O_TRUNC;
  if (out == "-")
    posix_spawn_file_actions_addclose(&files, 1);
  else
    posix_spawn_file_actions_addopen(&files, 1, out.c_str(), write, 0600);
  posix_spawn_file_actions_addopen(&files, 2, err.c_str(), write, 0600);
  pid_t child = 0;
  const int error = posix_spawn(&child, PELT_PROGRAM, &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error(std::string("cannot run ") + PELT_PROGRAM);
  return child;
}

int exit_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status); }

int spawn_and_wait(const Arguments& arguments, const std::string& out, const std::string& err) {
  const pid_t child = spawn(arguments, out, err);
  int status = 0;
  if (waitpid(child, &status, 0) != child)
    throw std::runtime_error(std::string("cannot wait for ") + PELT_PROGRAM);
  return exit_of(status);
}

std::string joined(const Arguments& arguments) {
  std::string text = "pelt";
  for (const std::string& argument : arguments) text += " " + argument;
  return text;
}

}  // namespace

Outcome run_pelt_until(const Arguments& arguments, int signal, const std::function<bool()>& ready) {
  const TempFolder folder;
  const std::string out = folder / "out", err = folder / "err";
  const pid_t child = spawn(arguments, out, err);
  int status = 0;
  pid_t ended = 0;
  while (!ready() && (ended = waitpid(child, &status, WNOHANG)) == 0) usleep(1000);
  if (ended == 0) {
    kill(child, signal);
    waitpid(child, &status, 0);
  }
  return {exit_of(status), text_of(out), text_of(err)};
}

Outcome run_pelt(const Arguments& arguments, const std::string& stdout_to) {
  const TempFolder folder;
  Outcome outcome;
  const std::string err = (folder / "stderr").string();
  const std::string out = stdout_to.empty() ? (folder / "stdout").string() : stdout_to;
  outcome.exit = spawn_and_wait(arguments, out, err);
  if (stdout_to.empty()) outcome.out = text_of(out);
  outcome.err = text_of(err);
  return outcome;
}

bool has_terminals() {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  const bool usable = terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0 &&
                      access(ptsname(terminal), W_OK) == 0;
  if (terminal >= 0) close(terminal);
  return usable;
}

std::string terminal_of(const Arguments& arguments) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
    throw std::runtime_error("no terminal to be had");
  // held open on this side, or what the program wrote could be gone when it ends
  const int held = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  spawn_and_wait(arguments, "/dev/null", ptsname(terminal));
  std::string text, piece(1 << 16, ' ');
  constexpr int kPatience = 500;  // ms: the kernel hands over what was written a little later, and in pieces
  for (pollfd ready{terminal, POLLIN, 0}; poll(&ready, 1, kPatience) > 0;) {
    const ssize_t length = read(terminal, piece.data(), piece.size());
    if (length <= 0) break;
    text.append(piece, 0, static_cast<std::size_t>(length));
  }
  close(held);
  close(terminal);
  return text;
}

std::string Desk::put(const std::string& name, const Bytes& bytes) const {
  fs::create_directories((folder / name).parent_path());
  write_bytes(folder / name, bytes);
  return *this / name;
}

std::string Desk::put(const std::string& name, const std::string& text) const {
  return put(name, Bytes(text.begin(), text.end()));
}

std::map<std::string, Bytes> Desk::contents() const {
  std::map<std::string, Bytes> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path()))
    files[entry.path().lexically_relative(folder.path()).string()] =
        entry.is_regular_file() ? read_bytes(entry.path()) : Bytes();
  return files;
}

const Bytes& quadruped(const std::string& name) {
  static const std::vector<QuadrupedFile> files = make_quadruped_files();
  for (const QuadrupedFile& file : files)
    if (file.name == "quadruped-" + name + ".glb") return file.bytes;
  throw std::out_of_range(name);
}

Bytes strip_without_clip() {
  GltfBuilder b = two_joint_strip();
  b.json.erase("animations");
  return b.glb();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void check_refusal(const Desk& desk, const Arguments& arguments, int code,
                   const std::vector<std::string>& words) {
  const auto before = desk.contents();
  const Outcome run = run_pelt(arguments);
  INFO(joined(arguments) << "\n" << run.err);
  CHECK(run.exit == code);
  CHECK(run.out.empty());
  CHECK(lines_of(run.err).size() == 1);
  CHECK(run.err.starts_with("pelt: "));
  CHECK(run.err.ends_with("\n"));
  for (const std::string& word : words) CHECK_THAT(run.err, Catch::Contains(word));
  CHECK((desk.contents() == before));
}

Outcome check_success(const Desk& desk, const Arguments& arguments, const std::vector<std::string>& made) {
  auto before = desk.contents();
  const Outcome run = run_pelt(arguments);
  INFO(joined(arguments) << "\n" << run.err);
  CHECK(run.exit == 0);
  auto after = desk.contents();
  for (const std::string& name : made) {
    CHECK(after.erase(name) == 1);
    before.erase(name);
  }
  CHECK((after == before));
  return run;
}

}  // namespace pelt::test
