// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/krylov/impl/basis/BasisScalars.hpp>
#include <lamina/krylov/impl/basis/Basis_Device.hpp>
#include <lamina/krylov/impl/basis/Basis_Host.hpp>
#include <lamina/krylov/impl/basis/KrylovBasis.hpp>

#include <algorithm>

namespace Lamina::Impl {

/// Calls work(worker, workers) on all workers of a host space.
template <class Space, class Work>
void on_workers(const char* label, const Space& space, int workers, const Work& work) {
  Kokkos::parallel_for(label, range_of(space, workers), [=](int worker) { work(worker, workers); });
}
template <class Space>
int basis_workers(const Space& space) {
  return std::min(static_cast<int>(space.concurrency()), max_basis_parts);
}

/// Computes scalars by one thread of a host space.
template <class Space, class Kernel>
void on_one_thread(const char* label, const Space& space, const Kernel& kernel) {
  on_workers(label, space, 1, [=](int, int) {
    double scratch[Kernel::scratch_values(max_basis, 1)];
    kernel(LoneThread(scratch));
  });
}
template <class Space, class Kernel>
void on_one_team(const char* label, const Space& space, int restart, const Kernel& kernel) {
  if constexpr (runs_on_host<Space>) {
    static_cast<void>(restart);
    on_one_thread(label, space, kernel);
  } else {
    launch_scalars(label, space, restart, kernel);
  }
}
/// Computes scalars from sums over this process, or over all ranks.
template <class Space, class Kernel>
void compute_scalars(const char* label, const Space& space, Kernel kernel,
                     const BasisRanks<Space>& ranks) {
  const int restart = kernel.basis.restart;
  if (ranks.totals != nullptr) {
    on_one_team("Lamina::Gmres::totals", space, restart, RankTotals<Kernel>{kernel, ranks.totals});
    ranks.sum(space, kernel.num_sums());
    kernel.totals = ranks.totals;
  }
  on_one_team(label, space, restart, kernel);
}

/// u_count = scale (w - sum over i < count of c_i u_i). \return the number of parts of its square
template <class Space, class Scalar>
int update_basis(const char* label, const Space& space, const KrylovBasis<Scalar>& basis, int count,
                 bool has_w) {
  if constexpr (runs_on_host<Space>) {
    const int workers = basis_workers(space);
    const HostBasis<Scalar> host(basis);
    on_workers(label, space, workers,
               [=](int worker, int of_all) { host.update(worker, of_all, count, has_w); });
    return workers;
  } else {
    const int teams = basis_teams(space, basis.stride / pack_width<Scalar>, max_basis_parts);
    launch_basis(label, space, teams, DeviceBasisUpdate<Scalar>{basis, count, has_w});
    return teams;
  }
}
/// The number of parts that `update_basis` leaves.
template <class Space, class Scalar>
int update_parts(const Space& space, const KrylovBasis<Scalar>& basis) {
  if constexpr (runs_on_host<Space>) {
    static_cast<void>(basis);
    return basis_workers(space);
  } else {
    return basis_teams(space, basis.stride / pack_width<Scalar>, max_basis_parts);
  }
}

template <class Space, class Scalar>
void BasisKernels<Space, Scalar>::start(const Space& space, const Basis& basis, double scale,
                                        const FlatField<const Scalar>& b, const Scalar* q,
                                        const Ranks& ranks) {
  const char* label = "Lamina::Gmres::residual";
  int parts = 0;
  if constexpr (runs_on_host<Space>) {
    parts = basis_workers(space);
    const HostBasis<Scalar> host(basis);
    on_workers(label, space, parts,
               [=](int worker, int workers) { host.start(worker, workers, scale, b, q); });
  } else {
    parts = basis_teams(space, basis.size, max_basis_parts);
    launch_basis(label, space, parts, DeviceBasisStart<Scalar>{basis, scale, b, q});
  }
  compute_scalars("Lamina::Gmres::norms", space, StartScalars<Scalar>{basis, parts}, ranks);
}

template <class Space, class Scalar>
void BasisKernels<Space, Scalar>::orthogonalise(const Space& space, const Basis& basis, int j,
                                                const Ranks& ranks) {
  const char* label = "Lamina::Gmres::products";
  int parts = 0;
  if constexpr (runs_on_host<Space>) {
    parts = basis_workers(space);
    const HostBasis<Scalar> host(basis);
    on_workers(label, space, parts, [=](int worker, int workers) { host.sum(worker, workers, j); });
  } else {
    using Sums = DeviceBasisSums<Scalar>;
    const int groups = j / Sums::columns + 1;
    const std::int64_t fit = teams_that_fit(space, BasisTuning::threads, BasisTuning::least_teams);
    parts = basis_teams(space, basis.stride / pack_width<Scalar>,
                        std::max<std::int64_t>(1, fit / groups));
    parts = std::min(parts, max_basis_parts);
    launch_basis(label, space, parts * groups, Sums{basis, j, groups});
  }
  compute_scalars("Lamina::Gmres::coefficients", space,
                  ColumnScalars<Scalar>{basis, j, parts, update_parts(space, basis)}, ranks);
  update_basis("Lamina::Gmres::update", space, basis, j + 1, true);
}

template <class Space, class Scalar>
void BasisKernels<Space, Scalar>::measure(const Space& space, const Basis& basis, int j,
                                          const Ranks& ranks) {
  compute_scalars("Lamina::Gmres::norms", space,
                  NormScalar<Scalar>{basis, j + 1, update_parts(space, basis)}, ranks);
}

template <class Space, class Scalar>
void BasisKernels<Space, Scalar>::combine(const Space& space, const Basis& basis, int count) {
  update_basis("Lamina::Gmres::combination", space, basis, count, false);
}

/// x += factor z
template <class Scalar>
struct AddSolution {
  double factor;
  const Scalar* z;
  FlatField<Scalar> x;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    x[n] = static_cast<Scalar>(static_cast<double>(x[n]) + factor * static_cast<double>(z[n]));
  }
};

template <class Space, class Scalar>
void BasisKernels<Space, Scalar>::add(const Space& space, std::int64_t size, double factor,
                                      const Scalar* z, const FlatField<Scalar>& x) {
  Kokkos::parallel_for("Lamina::Gmres::solution",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
                       AddSolution<Scalar>{factor, z, x});
}

}  // namespace Lamina::Impl
