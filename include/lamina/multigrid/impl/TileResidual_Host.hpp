// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/Sources.hpp>
#include <lamina/sweeps/impl/Traversal_Host.hpp>

#include <cstdint>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// f - A x in scratch, whose column 0 is the given one.
template <class In, class Out>
struct StoreTileResidual {
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  In f;
  Out residual;
  std::int64_t first;

  template <class Value, class Sums>
  void operator()(std::int64_t column, int level, const Value&, const Value& image, Sums&) const {
    Impl::write(residual, column - first, level, Impl::read<Value>(f, column, level) - image);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    Impl::prefetch_line(&f(column, level) + ahead);
  }
};

/// f - A x of neighbouring columns, in scratch from column `to` on.
template <class Coefficients, class Scalar, class Layout, class Memory>
void store_residual(const ColumnSystem<Coefficients>& system,
                    const FieldView<const Scalar, Layout, Memory>& x,
                    const FieldView<const Scalar, Layout, Memory>& f, const WorkRange& columns,
                    const FieldView<Scalar, Layout, Memory>& residual, std::int64_t to) {
  using Field = FieldView<const Scalar, Layout, Memory>;
  using Source = FieldSource<Field>;
  using Sink = StoreTileResidual<Field, FieldView<Scalar, Layout, Memory>>;
  const Source source{x};
  const Sink sink{f, residual, columns.begin - to};
  HostTraversal<Coefficients, Layout, Source, Sink>(system, source, sink).sweep(columns);
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
