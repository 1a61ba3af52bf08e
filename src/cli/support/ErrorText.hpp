// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <exception>
#include <string>

namespace Lamina::Cli {

/// What went wrong, in one line: messages of libraries may have several.
std::string error_text(const std::exception_ptr& failure);

}  // namespace Lamina::Cli
