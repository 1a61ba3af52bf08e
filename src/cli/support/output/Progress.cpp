// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/Progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "support/output/StandardOutput.hpp"

namespace Lamina::Cli {
namespace {

constexpr std::chrono::milliseconds interval{100};  // between two lines

/// Whether standard output is a terminal that can go back to the start of a line and clear it.
bool on_terminal() {
  const char* type = std::getenv("TERM");
  const std::string_view name = type == nullptr ? "" : type;
  return isatty(STDOUT_FILENO) != 0 && !name.empty() && name != "dumb";
}

}  // namespace

Progress::Progress(bool wanted) : m_enabled(wanted && on_terminal()) {}

void Progress::show(const std::string& text) {
  if (!m_enabled) return;
  write_output("\r\033[K" + printable(text));  // to the start of the line, and clear it
  flush_output();
  m_shown = true;
}

void Progress::clear() {
  if (m_shown) show("");
  m_shown = false;
}

bool Progress::is_due() {
  const auto now = Clock::now();
  if (now - m_last < interval) return false;
  m_last = now;
  return true;
}

double Progress::elapsed_seconds() const {
  return std::chrono::duration<double>(m_last - m_start).count();
}

std::function<void(int, double)> Progress::on_check(const std::string& title) {
  if (!m_enabled) return nullptr;
  m_start = m_last = Clock::now();
  return [this, title](int iteration, double relative_residual) {
    if (iteration == 0) m_start = Clock::now();  // the set-up is over
    if (!is_due()) return;
    show(fmt::format("{}iteration {}   |r|/|b| {:.1e}   {:.1f} s", title, iteration,
                     relative_residual, elapsed_seconds()));
  };
}

std::function<void(int)> Progress::on_step(const std::string& title, int first, int last) {
  if (!m_enabled) return nullptr;
  m_start = m_last = Clock::now();
  return [this, title, first, last](int step) {
    if (!is_due()) return;
    const double per_step = elapsed_seconds() / (step - first);
    show(fmt::format("{}step {} of {}   {:.1f} s   about {:.1f} s left", title, step, last,
                     elapsed_seconds(), per_step * (last - step)));
  };
}

}  // namespace Lamina::Cli
