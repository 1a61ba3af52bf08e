// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Kernels whose teams are all on the device at once, where the backend can launch them. See
// `ResidentTeams_Cuda.hpp`.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace Lamina::Impl {

template <class Space>
inline constexpr bool has_resident_teams = false;
#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool has_resident_teams<Kokkos::Cuda> = true;
#endif

/// The most teams of such kernels on a device, one on each multiprocessor, and the most scratch of
/// a team. Both are 0 where the device cannot launch such kernels.
struct ResidentLimits {
  int teams = 0;
  std::size_t scratch_bytes = 0;
};

/// The limits for kernels of this type. Allows them that much scratch, for all later launches.
template <int TeamSize, class Kernel, class Space>
ResidentLimits resident_limits(const Space& space);

/// Runs kernel(team) in all threads of `teams` teams, within the limits of `resident_limits`.
/// \throws std::runtime_error where CUDA refuses the launch
template <int TeamSize, class Kernel, class Space>
void launch_resident(const std::string& label, const Space& space, int teams,
                     std::size_t scratch_bytes, Kernel kernel);

}  // namespace Lamina::Impl

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/cuda/ResidentTeams_Cuda.hpp>
#endif
