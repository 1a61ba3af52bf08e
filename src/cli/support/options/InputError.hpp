// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/FileError.hpp>

#include <stdexcept>
#include <string>

namespace Lamina::Cli {

/// A bad option or bad input. The message is one line that names the option or the file at fault.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Names the option in the message of a file that it refers to.
template <class Function>
auto for_option(const std::string& option, const Function& function) {
  try {
    return function();
  } catch (const FileError& error) {
    throw InputError(option + ": " + error.what());
  }
}

}  // namespace Lamina::Cli
