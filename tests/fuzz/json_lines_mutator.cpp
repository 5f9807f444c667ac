// Mutates one line of a text of JSON lines, so that it stays JSON; a whole text of JSON is a single such
// line.
#include <algorithm>
#include <string>
#include <vector>

#include "json_mutator.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;
using pelt::fuzz::Random;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t first = 0, end = 0; first < text.size(); first = end) {
    end = std::min(text.find('\n', first), text.size() - 1) + 1;
    lines.push_back(text.substr(first, end - first));
  }
  return lines;
}

/// False where the line is no JSON.
bool mutate_line(std::string& line, Random& random) {
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return false;
  for (std::size_t times = 1 + pelt::fuzz::below(random, 3); times > 0; --times)
    pelt::fuzz::mutate_json(json, random);
  line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return true;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed + 1);
  std::vector<std::string> lines = lines_of({data, data + size});
  if (lines.empty() || pelt::fuzz::below(random, 8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string& line = lines[pelt::fuzz::below(random, lines.size())];
  if (pelt::fuzz::below(random, 8) == 0)
    lines.push_back(std::string(line));
  else if (!mutate_line(line, random))
    return LLVMFuzzerMutate(data, size, max_size);
  std::string text;
  for (const std::string& each : lines) text += each;
  if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
