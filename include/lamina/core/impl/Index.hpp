// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// A number of a column, level or rank, which is never negative, as an index of containers.
constexpr std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace Lamina::Impl
