#include <pelt/io/bake.h>

#include <iostream>

int main(int, char** argv) {
  pelt::BakeOptions options;
  options.artist = argv[1];
  options.rig = argv[2];
  options.output = argv[3];
  const pelt::BakeResult result = pelt::bake(options);
  for (const pelt::ClipTransfer& clip : result.clips)
    std::cout << clip.name << ": " << clip.keys.quality.value_or(100) << " % of the motion\n";
}
