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

}  // namespace Lamina::Cli
