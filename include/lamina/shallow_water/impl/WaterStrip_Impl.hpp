// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/shallow_water/WaterStrip.hpp>

#include <exception>
#include <string>
#include <utility>

namespace Lamina {
namespace Impl {

/// The lines of a field from -1 to ny, without the ghosts at their ends, as items of an exchange.
template <class Memory, class Scalar>
FieldView<Scalar, Kokkos::LayoutRight, Memory> lines_as_items(const GridField<Scalar>& field,
                                                              const Rectangle& owned) {
  const FieldView<Scalar, Kokkos::LayoutRight, Memory> lines(
      field.line(-1), static_cast<std::size_t>(owned.ny) + 2,
      static_cast<std::size_t>(field.stride));
  return Kokkos::subview(
      lines, Kokkos::ALL,
      std::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(owned.nx)));
}

/// Throws `InvalidArgument` unless an argument is on the strip that is expected.
template <class Strip>
void require_same_strip(const char* function, const char* argument, const Strip& expected,
                        const Strip& got) {
  require_same_cells(function, argument, expected.owned(), got.owned());
  const auto text = [](const Strip& strip) {
    return "lines from " + std::to_string(strip.first_line()) + " on of " +
           std::to_string(strip.whole().ny) + (strip.is_whole() ? " on one process" : "") +
           (strip.has_walls() ? " between walls" : "");
  };
  LAMINA_REQUIRE(
      expected == got, function,
      "argument " + std::string(argument) + ": expected " + text(expected) + ", got " + text(got));
}

}  // namespace Impl

template <MemorySpace Memory>
template <ExecutionSpace Space, class Scalar>
void WaterStrip<Memory>::exchange(const Space& space, const Impl::GridField<Scalar>& field) const {
  using Kernels = Impl::StateKernels<Space, Scalar>;
  if (is_whole() && !has_walls()) return Kernels::exchange(space, m_owned, field);
  if (!is_whole()) {
    m_ranks->lines.start(space, Impl::lines_as_items<Memory>(field, m_owned));
    m_ranks->lines.finish(space);
  }
  if (south_wall() || north_wall()) {
    Kernels::mirror(space, m_owned, south_wall(), north_wall(), field);
  }
  Kernels::exchange_along(space, m_owned, field);
}

template <MemorySpace Memory>
template <ExecutionSpace Space, class Scalar>
void WaterStrip<Memory>::exchange(const Space& space,
                                  const Impl::StateFields<Scalar>& fields) const {
  using Kernels = Impl::StateKernels<Space, Scalar>;
  if (is_whole() && !has_walls()) return Kernels::exchange(space, m_owned, fields);
  const auto lines = [&](const Impl::GridField<Scalar>& field) {
    return Impl::lines_as_items<Memory>(field, m_owned);
  };
  if (!is_whole()) {
    m_ranks->lines.start(space, lines(fields.height), lines(fields.u), lines(fields.v));
    m_ranks->lines.finish(space);
  }
  if (south_wall() || north_wall()) {
    Kernels::mirror(space, m_owned, south_wall(), north_wall(), fields);
  }
  Kernels::exchange_along(space, m_owned, fields);
}

template <MemorySpace Memory>
template <ExecutionSpace Space, class Visit>
void WaterStrip<Memory>::for_each_rank(const Space& space, const Values& mine,
                                       const Visit& visit) const {
  if (is_whole()) return visit(mine);
  const auto& [transport, lines, ends, reduction, values, rank, size, shortest] = *m_ranks;
  Values theirs;
  const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      theirs.data(), theirs.size());
  for (int turn = 0; turn < size; ++turn) {
    // What others add is 0.
    theirs = turn == rank ? mine : Values{};
    Kokkos::deep_copy(space, values, host);
    reduction.sum(space, values.data(), values.data(), static_cast<int>(theirs.size()));
    Kokkos::deep_copy(space, host, values);
    space.fence();
    visit(theirs);
  }
}

template <MemorySpace Memory>
template <ExecutionSpace Space, class Work>
void WaterStrip<Memory>::run_agreed(const Space& space, const Work& work) const {
  if (is_whole()) return work();
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  int turn = 0, first = -1;
  for_each_rank(space, {failure ? 1.0 : 0.0}, [&](const auto& failed) {
    if (failed[0] != 0 && first < 0) first = turn;
    ++turn;
  });
  if (failure) std::rethrow_exception(failure);
  if (first >= 0) throw RankFailure(first, "could not take its part of a collective call");
}

}  // namespace Lamina
