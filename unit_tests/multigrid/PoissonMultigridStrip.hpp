// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Multigrid on the strip of one of several ranks.

#include <lamina/multigrid/PoissonMultigrid.hpp>

#include <distributed/AwkwardStrips.hpp>
#include <poisson/PoissonCase.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace LaminaTest {

template <class Scalar, class Layout>
struct PoissonMultigridStrip {
  using Field = TestField<Scalar, Layout>;
  using Operator = Lamina::PoissonOperator<Scalar, Memory>;
  using Multigrid = Lamina::PoissonMultigrid<Scalar, Memory>;

  PoissonMultigridStrip(const Lamina::Transport& ranks, const Rectangle& whole,
                        const Lamina::Partition& columns, int steps = 2,
                        std::int64_t gathered = Multigrid::default_gathered_points)
      : transport(ranks),
        local(Lamina::local_rectangle(whole, columns, ranks.rank())),
        op(local),
        multigrid(space, transport, op, local, steps, gathered) {}

  /// This rank's columns of a field of the whole rectangle, and NaN on halo columns.
  Field field(const Values& whole, const Padding& padding = {}) const {
    Values mine(static_cast<std::size_t>(op.num_columns() * op.num_levels()),
                std::numeric_limits<double>::quiet_NaN());
    std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(first()), num_owned(), mine.begin());
    return Field(op.num_columns(), op.num_levels(), mine, padding);
  }
  /// The field of the whole rectangle. Collective.
  Values of_all(const Field& field) const {
    const auto size = static_cast<std::size_t>(local.whole.cells());
    const Values mine = field.get();
    Values whole(size, 0.0), all(size * static_cast<std::size_t>(transport.size()));
    std::copy_n(mine.begin(), num_owned(), whole.begin() + static_cast<std::ptrdiff_t>(first()));
    transport.all_gather(std::as_bytes(std::span(whole)), std::as_writable_bytes(std::span(all)));
    std::fill(whole.begin(), whole.end(), 0.0);
    for (std::size_t n = 0; n < all.size(); ++n) whole[n % size] += all[n];
    return whole;
  }

  TEST_SPACE space;
  const Lamina::Transport& transport;
  Lamina::LocalRectangle local;
  Operator op;
  Multigrid multigrid;

 private:
  std::size_t first() const {
    return static_cast<std::size_t>(local.first) * static_cast<std::size_t>(local.whole.ny);
  }
  std::size_t num_owned() const { return static_cast<std::size_t>(local.owned.cells()); }
};

}  // namespace LaminaTest
