#include <nlohmann/json.hpp>
#include <stdexcept>

#include "as_file.h"
#include "batch/junit.h"
#include "batch/merge_rows.h"
#include "batch/score_report.h"
#include "batch/score_table.h"
#include "targets.h"

namespace pelt::fuzz {
namespace {

constexpr std::size_t kTabled = 50;  // more rows would only be slower

void write_and_read(const ScoreRow& row) {
  const std::string text = to_json(row).dump();
  if (to_json(row_from_json(nlohmann::ordered_json::parse(text))).dump() != text)
    throw std::logic_error("a row that is not what was written");
}

/// Everything that merge makes of rows.
void put_out(const std::vector<ScoreRow>& rows) {
  FieldSettings settings;
  settings.bootstrap.resamples = 20;
  const Field field = field_of(rows, settings);
  for (const bool per_model : {false, true}) {
    score_text(field, {per_model});
    score_markdown(field, {per_model});
    score_csv(field, {per_model});
  }
  score_report(field, settings, nullptr).dump();
  junit(rows, {50, QualityKind::vertices, 1, 10, true});
}

}  // namespace

int fuzz_rows(std::span<const std::uint8_t> bytes) {
  return as_file(bytes, "fuzz.jsonl", [](const std::filesystem::path& file) {
    const std::vector<ScoreRow> rows = merge_rows({file}, Details::keep).rows;
    for (const ScoreRow& row : rows) write_and_read(row);
    if (rows.size() <= kTabled) put_out(rows);
  });
}

}  // namespace pelt::fuzz
