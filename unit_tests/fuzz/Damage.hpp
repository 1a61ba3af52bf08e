// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "Random.hpp"

namespace LaminaFuzz {

/// `bytes` with a few faults: cut off, bits flipped, bytes or blocks replaced, a piece of `other`
/// within; of text also lines and words exchanged and numbers replaced.
std::string damaged(Random& random, const std::string& bytes, const std::string& other,
                    bool is_text);

}  // namespace LaminaFuzz
