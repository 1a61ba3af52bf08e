// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/FileOrigin.hpp"

#include <lamina/Version.hpp>

#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {

std::vector<FileAttribute> origin_attributes(const std::string& title, const std::string& command) {
  return {{"title", title},
          {"source", "Lamina " LAMINA_VERSION_STRING},
          {"history", history_text(command)}};
}

std::vector<FileAttribute> outcome_attributes(const SolveResult& result) {
  return {{"status", std::string(to_string(result.report.status))},
          {"iterations", static_cast<double>(result.report.iterations)},
          {"relative_residual", result.report.relative_residual()},
          {"true_relative_residual", result.true_relative_residual}};
}

}  // namespace Lamina::Cli
