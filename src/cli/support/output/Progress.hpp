// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace Lamina::Cli {

/// A line on the terminal that tells how far a long run has come, and goes away at its end. Nothing
/// at all where output is not a terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a line that stays until the next one.
  void show(const std::string& text);
  void clear();

  /// For `StoppingCriteria::on_check`: shows iteration, residual and time under `title`, a few
  /// times a second. Empty where nothing is to be shown, so that a solve is not held up.
  std::function<void(int, double)> on_check(const std::string& title);

  /// The same for time steps, of which `last` is the last one: shows step and times, with an
  /// estimate of the time left, a few times a second. Time begins with the call.
  std::function<void(int)> on_step(const std::string& title, int first, int last);

 private:
  using Clock = std::chrono::steady_clock;

  /// Whether it is time for another line.
  bool is_due();
  double elapsed_seconds() const;

  bool m_enabled, m_shown = false;
  Clock::time_point m_start, m_last;
};

}  // namespace Lamina::Cli
