// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace Lamina::Cli {
namespace {

constexpr std::chrono::milliseconds interval{100};  // between two lines

}  // namespace

Progress::Progress(bool wanted) : m_enabled(wanted && isatty(STDOUT_FILENO) != 0) {}

void Progress::show(const std::string& text) {
  if (!m_enabled) return;
  fmt::print("\r\033[K{}", text);  // to the start of the line, and clear it
  std::fflush(stdout);
  m_shown = true;
}

void Progress::clear() {
  if (m_shown) show("");
  m_shown = false;
}

std::function<void(int, double)> Progress::on_check(const std::string& title) {
  if (!m_enabled) return nullptr;
  m_start = m_last = Clock::now();
  return [this, title](int iteration, double relative_residual) {
    const auto now = Clock::now();
    if (iteration == 0) m_start = now;  // the set-up is over
    if (now - m_last < interval) return;
    m_last = now;
    show(fmt::format("{}iteration {}   |r|/|r0| {:.1e}   {:.1f} s", title, iteration,
                     relative_residual, std::chrono::duration<double>(now - m_start).count()));
  };
}

}  // namespace Lamina::Cli
