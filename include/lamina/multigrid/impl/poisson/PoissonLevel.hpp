// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/multigrid/impl/poisson/GridCycleKernels.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// A level of `PoissonMultigrid`, and what a rank has of it.
template <class Scalar, class Memory>
struct PoissonLevel {
  using Storage = Kokkos::View<Scalar*, Memory>;

  GridAxis x, y;
  double aspect;  // distance of points in y over that in x
  GridCycleLabels labels;
  // Columns i: those of the fields, that are smoothed, and that are restricted to.
  GridSpan fields{0, x.count}, smoothed = fields, restricted = fields;
  bool is_shared = false;       // its solution is exchanged, too
  HaloExchange<Memory> halo{};  // of the columns of fields; empty where all are this rank's
  Storage rhs{}, solution{};    // of coarser levels; of several ranks on all
  Storage before{}, other{};    // x before the coarser level; other of those of a team

  template <class Layout>
  GridLevel<Scalar> lines() const {
    const GridDirection<Scalar> along_x(x, aspect), along_y(y, 1 / aspect);
    if constexpr (levels_contiguous<Layout>) {
      return {along_y, along_x};
    } else {
      return {along_x, along_y};
    }
  }
  /// A field with lines of `Layout`, which have their numbers in the level.
  template <class Layout>
  GridField<Scalar> field(const Storage& storage) const {
    const int length = levels_contiguous<Layout> ? y.count : x.count;
    Scalar* const first = storage.data();  // none of a field that is not needed
    return {first == nullptr ? first : first - std::ptrdiff_t(fields.begin) * length, length};
  }
  auto view(const Storage& storage) const {
    return FieldView<Scalar, Kokkos::LayoutRight, Memory>(
        storage.data(), static_cast<std::size_t>(fields.size()), static_cast<std::size_t>(y.count));
  }
  double values_of(const GridSpan& columns) const {
    return static_cast<double>(columns.size()) * y.count;
  }
};

/// What a cycle starts from on its finest level.
enum class CycleStart { zero, guess, coarser };

}  // namespace Lamina::Impl
