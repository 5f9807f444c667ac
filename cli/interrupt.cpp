#include "interrupt.h"

#include <csignal>
#include <initializer_list>

namespace pelt::cli {
namespace {

volatile std::sig_atomic_t signal_came = 0;  // all that a handler may touch

void note(int) { signal_came = 1; }

void handle_with(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() { handle_with(note); }

Interrupt::~Interrupt() { handle_with(SIG_DFL); }

bool Interrupt::came() { return signal_came != 0; }

}  // namespace pelt::cli
