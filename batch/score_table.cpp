#include "score_table.h"

#include "field_tables.h"

namespace pelt {
namespace {

std::vector<Table> all_tables(const Field& field, const TableOptions& options) {
  std::vector<Table> tables = quality_tables(field);
  for (Table table : {price_table(field), health_table(field), failure_table(field)})
    if (!table.rows.empty()) tables.push_back(std::move(table));
  if (options.per_model)
    for (Table& table : model_tables(field)) tables.push_back(std::move(table));
  return tables;
}

}  // namespace

std::string score_text(const Field& field, const TableOptions& options) {
  std::string text;
  for (const Table& table : all_tables(field, options))
    text += (text.empty() ? "" : "\n") + aligned(table, options.width);
  return text;
}

std::string score_markdown(const Field& field, const TableOptions& options) {
  std::string text;
  for (const Table& table : all_tables(field, options)) text += (text.empty() ? "" : "\n") + markdown(table);
  return text;
}

}  // namespace pelt
