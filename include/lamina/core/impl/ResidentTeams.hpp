// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Where kernels can be launched whose teams are all on the device at once, see
// `ResidentTeams_Cuda.hpp`.

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

template <class Space>
inline constexpr bool has_resident_teams = false;
#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool has_resident_teams<Kokkos::Cuda> = true;
#endif

}  // namespace Lamina::Impl
