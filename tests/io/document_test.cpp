#include "io/document.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "../gltf_builder.h"
#include "../json_diff.h"
#include "io/io_error.h"

namespace pelt {
namespace {

using namespace test;
using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

Document parse(const std::string& text) { return parse_document(bytes_of(text), "text.gltf"); }

std::string message_of(const Bytes& bytes) {
  try {
    parse_document(bytes, "in/it.glb");
  } catch (const ReadError& error) {
    return error.what();
  }
  return "";
}

void append_u32(Bytes& bytes, std::uint32_t value) {
  for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

void set_u32(Bytes& bytes, std::size_t offset, std::uint32_t value) {
  for (int k = 0; k < 4; ++k) bytes[offset + k] = static_cast<std::uint8_t>(value >> (8 * k));
}

/// The file with one more chunk at its end.
Bytes with_chunk(Bytes glb, std::uint32_t type, const Bytes& data) {
  append_u32(glb, static_cast<std::uint32_t>(data.size()));
  append_u32(glb, type);
  glb.insert(glb.end(), data.begin(), data.end());
  set_u32(glb, 8, static_cast<std::uint32_t>(glb.size()));
  return glb;
}

std::string nested(int depth) {
  return R"({"asset":{"version":"2.0"},"extras":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

}  // namespace

TEST_CASE("a document survives reading and writing to the byte") {
  const Bytes glb = with_chunk(two_joint_strip().glb(), 0x12345678, {1, 2, 3, 4, 5, 6, 7, 8});
  const Document document = parse_document(glb, "it.glb");
  CHECK(document.binary_container);
  CHECK(document.has_bin);
  REQUIRE(document.other_chunks.size() == 1);
  CHECK(document.other_chunks[0].type == 0x12345678);
  CHECK(document.other_chunks[0].data == Bytes{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(serialise(document) == glb);
}

TEST_CASE("key order and what nobody knows survive") {
  const std::string text =
      R"({"zebra":[1,null,{"b":2,"a":1}],"asset":{"version":"2.0","generator":"me"},"x":0.1})";
  const Document document = parse(text);
  CHECK_FALSE(document.binary_container);
  const Bytes written = serialise(document);
  const Document again = parse_document(written, "again.gltf");
  CHECK(again.json.dump() == text);
}

TEST_CASE("numbers that nobody reads keep their value") {
  const std::string text =
      R"({"asset":{"version":"2.0"},"extras":[-0.0,0.0,9007199254740993,-9223372036854775808,18446744073709551615,)"
      R"(1e-7,2.5e-300,0.1,1.0,1,5e-324,1.7976931348623157e308]})";
  const Bytes written = serialise(parse(text));
  const auto kept = parse_document(written, "again.gltf").json["extras"];
  CHECK(std::signbit(kept[0].get<double>()));
  CHECK_FALSE(std::signbit(kept[1].get<double>()));
  CHECK(kept[2].get<std::uint64_t>() == 9007199254740993u);
  CHECK(kept[3].get<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
  CHECK(kept[4].get<std::uint64_t>() == std::numeric_limits<std::uint64_t>::max());
  CHECK(kept[5] == 1e-7);
  CHECK(kept[6] == 2.5e-300);
  CHECK(kept[7] == 0.1);
  CHECK(kept[8].is_number_float());
  CHECK(kept[9].is_number_integer());
  CHECK(kept[10] == std::numeric_limits<double>::denorm_min());
  CHECK(kept[11] == std::numeric_limits<double>::max());
  const Document document = parse(text);
  CHECK(json_diff(document.json, parse_document(written, "again.gltf").json).empty());
}

TEST_CASE("a .glb may lack a BIN chunk and may end before the file does") {
  GltfBuilder b;
  b.add_node("only");
  Bytes glb = b.glb();
  CHECK_FALSE(parse_document(glb, "it.glb").has_bin);
  const Bytes shorter = glb;
  glb.insert(glb.end(), {'j', 'u', 'n', 'k', '!'});
  CHECK(serialise(parse_document(glb, "it.glb")) == shorter);
}

TEST_CASE("a .gltf may start with a byte order mark") {
  CHECK(parse("\xEF\xBB\xBF{\"asset\":{\"version\":\"2.0\"}}").json.contains("asset"));
}

TEST_CASE("a .glb truncated at any length is refused") {
  const Bytes glb = with_chunk(two_joint_strip().glb(), 7, {1, 2, 3, 4});
  for (std::size_t length = 0; length < glb.size(); ++length) {
    INFO(length);
    CHECK_THROWS_AS(parse_document(Bytes(glb.begin(), glb.begin() + length), "it.glb"), ReadError);
  }
}

TEST_CASE("a .glb is refused at any length that its header claims wrongly") {
  const Bytes glb = two_joint_strip().glb();
  for (std::size_t length = 0; length < glb.size(); ++length) {
    Bytes wrong = glb;
    set_u32(wrong, 8, static_cast<std::uint32_t>(length));
    const std::size_t bin_start = 20 + glb[12] + 256u * glb[13];
    INFO(length);
    if (length == bin_start)
      CHECK_FALSE(parse_document(wrong, "it.glb").has_bin);
    else
      CHECK_THROWS_AS(parse_document(wrong, "it.glb"), ReadError);
  }
}

TEST_CASE("a .gltf truncated at any length is refused") {
  const std::string text = two_joint_strip().gltf();
  for (std::size_t length = 0; length < text.size(); ++length)
    CHECK_THROWS_AS(parse(text.substr(0, length)), ReadError);
}

TEST_CASE("chunks must stay within the file") {
  Bytes glb = two_joint_strip().glb();
  SECTION("JSON longer than the file") { set_u32(glb, 12, 0xFFFFFFF0); }
  SECTION("JSON chunk of another type") { set_u32(glb, 16, 0x004E4942); }
  SECTION("version 1") { set_u32(glb, 4, 1); }
  SECTION("length past the end") { set_u32(glb, 8, static_cast<std::uint32_t>(glb.size() + 1)); }
  SECTION("BIN longer than the file") {
    const std::size_t bin = 20 + glb[12] + 256u * glb[13];
    set_u32(glb, bin, static_cast<std::uint32_t>(glb.size()));
  }
  CHECK_THROWS_AS(parse_document(glb, "it.glb"), ReadError);
}

TEST_CASE("nesting is accepted up to 256") {
  CHECK_NOTHROW(parse(nested(255)));
  CHECK_THROWS_AS(parse(nested(256)), ReadError);
  CHECK_THROWS_AS(parse(nested(1000000)), ReadError);
  const std::string brackets(300, '[');
  CHECK_NOTHROW(parse(R"({"asset":{"version":"2.0"},"extras":"\")" + brackets + "\"}"));
}

TEST_CASE("only glTF 2.0 is read") {
  const auto asset = [](const std::string& members) { return "{\"asset\":{" + members + "}}"; };
  CHECK_NOTHROW(parse(asset(R"("version":"2.1")")));
  CHECK_NOTHROW(parse(asset(R"("version":"2.0","minVersion":"2.0")")));
  CHECK_THROWS_AS(parse(asset(R"("version":"1.0")")), ReadError);
  CHECK_THROWS_AS(parse(asset(R"("version":"2.1","minVersion":"2.1")")), ReadError);
  CHECK_THROWS_AS(parse(asset(R"("version":2.0)")), ReadError);
  CHECK_THROWS_AS(parse(asset(R"("version":"2")")), ReadError);
  CHECK_THROWS_AS(parse(asset(R"("version":"two.zero")")), ReadError);
  CHECK_THROWS_AS(parse(asset("")), ReadError);
  CHECK_THROWS_AS(parse("{}"), ReadError);
  CHECK_THROWS_WITH(parse("[]"), "text.gltf: not a glTF file: its JSON is not an object");
  CHECK_THROWS_AS(parse("{\"asset\":5}"), ReadError);
}

TEST_CASE("text that is no JSON is refused in one line") {
  const std::string good = R"({"asset":{"version":"2.0"},"extras":)";
  CHECK_THROWS_AS(parse(good + "\"\xFF\"}"), ReadError);
  CHECK_THROWS_AS(parse(good + "1e400}"), ReadError);
  CHECK_THROWS_AS(parse(good + "1} trailing"), ReadError);
  const std::string message = message_of({0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0});
  CHECK(message.starts_with("in/it.glb: not a glTF file"));
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message_of({}) == "in/it.glb: an empty file");
}

TEST_CASE("files that cannot be opened are named") {
  CHECK_THROWS_WITH(read_document("/nowhere/at/all.glb"), "/nowhere/at/all.glb: no such file");
  CHECK_THROWS_WITH(read_document("/"), "/: not a file");
}

TEST_CASE("files are told apart by their bytes and not by their name") {
  const auto path = std::filesystem::temp_directory_path() / "pelt_document_test_named_wrongly.gltf";
  const Bytes glb = two_joint_strip().glb();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(glb.data()), glb.size());
  CHECK(read_document(path).binary_container);
  std::filesystem::remove(path);
}

}  // namespace pelt
