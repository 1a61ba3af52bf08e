// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GmresResiduals.hpp"

#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>

namespace Lamina::Cli {

GmresResiduals::GmresResiduals()
    : m_before(std::cout.rdbuf(m_text.rdbuf())),
      m_precision_before(std::cout.precision(std::numeric_limits<double>::max_digits10)) {}

GmresResiduals::~GmresResiduals() {
  std::cout.precision(m_precision_before);
  std::cout.rdbuf(m_before);
}

std::vector<double> GmresResiduals::values() const {
  const std::string head = "Shortcut relative residual for iteration ", colon = ": ";
  std::vector<double> values;
  std::istringstream lines(m_text.str());
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, head.size(), head) != 0) continue;
    const std::size_t place = line.find(colon, head.size());
    if (place == std::string::npos) continue;
    values.push_back(std::strtod(line.c_str() + place + colon.size(), nullptr));
  }
  return values;
}

}  // namespace Lamina::Cli
