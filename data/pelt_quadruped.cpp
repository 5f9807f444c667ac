// pelt-quadruped: writes the project's own animal as .glb files, or its picture.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "picture.h"
#include "quadruped_files.h"

namespace {

void write(const std::filesystem::path& path, const char* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(data, static_cast<std::streamsize>(size));
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

void write_files(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& file : pelt::make_quadruped_files()) {
    write(folder / file.name, reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    std::cout << (folder / file.name).string() << '\n';
  }
}

void write_picture(const std::filesystem::path& path) {
  const std::string svg = pelt::quadruped_picture();
  write(path, svg.data(), svg.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  const bool picture = first == "--picture";
  if (argc != (picture ? 3 : 2) || (!picture && first.starts_with('-'))) {
    std::cerr << "usage: pelt-quadruped OUTDIR | pelt-quadruped --picture FILE.svg\n";
    return first == "--help" || first == "-h" ? 0 : 1;
  }
  try {
    picture ? write_picture(argv[2]) : write_files(first);
  } catch (const std::exception& error) {
    std::cerr << "pelt-quadruped: " << error.what() << '\n';
    return 4;
  }
  return 0;
}
