// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <stdexcept>

namespace Lamina::Cli {

/// A bad option or bad input. The message is one line that names the option or the file at fault.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace Lamina::Cli
