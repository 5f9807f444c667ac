#include "failure.h"

#include <new>

#include "../io/bake.h"
#include "../io/clip_choice.h"
#include "../io/io_error.h"
#include "../solver/error.h"

namespace pelt {
namespace {

template <class Error>
bool is(const std::exception& error) {
  return dynamic_cast<const Error*>(&error) != nullptr;
}

}  // namespace

int failure_code(const std::exception& error) {
  if (is<UsageError>(error) || is<NoSuchClip>(error)) return usage_failure;
  if (is<NoCorrespondence>(error)) return no_correspondence_failure;
  if (is<WriteError>(error)) return output_failure;
  if (is<Stopped>(error) || is<std::bad_alloc>(error)) return unfinished;
  return input_failure;
}

}  // namespace pelt
