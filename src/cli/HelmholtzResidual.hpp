// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Residuals in the norm of a preconditioner; included by what Space_<Name>.cpp instantiates.

#include <Kokkos_Core.hpp>

#include <cmath>

namespace Lamina::Cli {

/// Sums of products whose factors are scaled to 1 at most, so that no product leaves the range.
template <class Field>
struct ScaledProduct {
  Field r, z;
  double scale_r = 1, scale_z = 1;

  struct Largest {
    Field x;
    KOKKOS_FUNCTION void operator()(int column, double& largest) const {
      for (int k = 0; k < static_cast<int>(x.extent(1)); ++k) {
        const auto value = static_cast<double>(x(column, k));
        const double size = value < 0 ? -value : value;
        if (size > largest) largest = size;
      }
    }
  };
  KOKKOS_FUNCTION void operator()(int column, double& sum) const {
    for (int k = 0; k < static_cast<int>(r.extent(1)); ++k) {
      sum += static_cast<double>(r(column, k)) / scale_r *
             (static_cast<double>(z(column, k)) / scale_z);
    }
  }
};

/// The largest |x|, 0 where all are 0; comparisons pass over NaN. Fences `space`.
template <class Execution, class Field>
double largest_magnitude(const Execution& space, const Field& x) {
  double largest = 0;
  Kokkos::parallel_reduce("Lamina::Cli::largest_magnitude",
                          Kokkos::RangePolicy<Execution>(space, 0, x.extent(0)),
                          typename ScaledProduct<Field>::Largest{x}, Kokkos::Max<double>(largest));
  return largest;
}

/// sqrt(<r, M^-1 r>) for a preconditioner M; z becomes M^-1 r. Fences `space`.
template <class Execution, class Preconditioner, class Field>
double preconditioned_norm(const Execution& space, const Preconditioner& preconditioner,
                           const Field& r, const Field& z) {
  preconditioner.solve(space, r, z);
  const double scale_r = largest_magnitude(space, r), scale_z = largest_magnitude(space, z);
  if (scale_r == 0 || scale_z == 0) return 0;
  double sum = 0;
  Kokkos::parallel_reduce("Lamina::Cli::preconditioned_norm",
                          Kokkos::RangePolicy<Execution>(space, 0, r.extent(0)),
                          ScaledProduct<Field>{r, z, scale_r, scale_z}, sum);
  return std::sqrt(scale_r) * std::sqrt(scale_z) * std::sqrt(sum);
}

}  // namespace Lamina::Cli
