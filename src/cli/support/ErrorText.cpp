// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ErrorText.hpp"

#include <algorithm>
#include <new>

#include "support/options/InputError.hpp"

namespace Lamina::Cli {

std::string error_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const InputError& error) {
    return error.what();  // in one line, but for what the user wrote
  } catch (const std::exception& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    return message;
  }
}

}  // namespace Lamina::Cli
