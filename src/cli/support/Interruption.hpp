// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <signal.h>

#include <string>

// Signals that ask the program to end: SIGHUP, SIGINT, SIGTERM; those that batch systems send before
// a limit, SIGUSR1, SIGUSR2 and SIGXCPU; and SIGPIPE, where nobody reads standard output any more.

namespace Lamina::Cli {

/// From here on such signals are noted: the command is to write what it has and to end. What is
/// ignored stays ignored. A second SIGHUP, SIGINT or SIGTERM that comes more than a second after the
/// first kills at once; one that comes sooner is a copy, as `timeout` sends it.
void catch_signals();

/// Whether a signal was noted. Costs no more than a look at a variable.
bool interrupted();

/// Holds such signals back while it lives: one that came is delivered at its end. For moments before
/// `catch_signals` in which a death would leave something behind.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t m_before{};
};

/// "SIGTERM"; empty where no signal was noted.
std::string interruption_name();
/// Whether it is worth a line: nobody is left to read one after SIGPIPE.
bool interruption_is_told();

/// Dies of the signal that was noted, as the parent process expects it.
[[noreturn]] void end_by_signal();

/// Writes beyond the limit of the size of files are errors, and not deadly.
void ignore_file_size_signal();

}  // namespace Lamina::Cli
