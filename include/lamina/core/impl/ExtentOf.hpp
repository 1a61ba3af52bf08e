// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// The extent of an array of `Count` entries. Constants are signed, like indices. GCC warns
/// (-Wsign-conversion) where a signed constant that depends on template parameters is an extent.
template <std::int64_t Count>
inline constexpr std::size_t extent_of = static_cast<std::size_t>(Count);

}  // namespace Lamina::Impl
