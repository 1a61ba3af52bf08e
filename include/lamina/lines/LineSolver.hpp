// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/lines/CyclicTridiagonal.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineSolverKernels.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina {

namespace Impl {
template <class List>
using ListedField = std::remove_cvref_t<decltype(*std::data(std::declval<const List&>()))>;
}  // namespace Impl

/// Several fields side by side: `std::vector`, `std::array` or `std::span` of Views.
template <class List, class Scalar, class Memory>
concept FieldListOf = requires(const List& list) {
  std::data(list);
  std::size(list);
}
&&FieldOf<Impl::ListedField<List>, Scalar, Memory>;

/// Solves one tridiagonal system per column, T_c x_c = rhs_c for every column c, by Thomas'
/// algorithm without pivoting; the matrices may be cyclic.
///
/// The coefficients are read at every solve and not copied: factoring again on the fly costs no
/// more traffic than reading stored factors. Call `refresh` after changing them: on a device a small
/// part of the elimination is kept, and without `refresh` x is wrong, without a status. On CPU cores a tile of columns is solved in vector lanes and
/// stays in cache between the two sweeps. On a device several threads share a column and hold it in
/// registers (the "substructuring" of Müller et al. 2013, section 8): forward and backward sweep
/// are affine maps, composed over the segments. That presumes columns that elimination without
/// pivoting suits, such as diagonally dominant ones.
///
/// A cyclic matrix is eliminated but for its last level, on which the others depend linearly: they
/// are a solution between zeros plus x_last times the response to 1 there.
///
/// Scratch is shared by copies: one solve at a time, on one instance.
///
/// Traffic per cell and solve of m right-hand sides: the coefficients (3 values, 2 for the symmetric
/// form) read once for every eight right-hand sides, and these read, the solutions written: 3 + 2m
/// values. On a device columns of more than 512 levels do not fit on chip: one thread takes a
/// column, right-hand sides follow one after the other, and for each of them a value of scratch (two
/// for cyclic matrices) is written and read as well, and the solution written and read once more.
///
/// \tparam Coefficients  `GeneralTridiagonal`, `SymmetricTridiagonal`, `DifferenceTridiagonal` or
///   `CyclicTridiagonal` of Views over (column, level), all of the same extents.
template <class Coefficients>
class LineSolver {
 public:
  using scalar_type = typename Coefficients::field_type::non_const_value_type;
  using memory_space = typename Coefficients::field_type::memory_space;
  using layout = typename Coefficients::field_type::array_layout;

  /// Allocates scratch for `space` and prepares for solves, as `refresh` does.
  /// \throws InvalidArgument where the extents of the coefficients differ.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> LineSolver(const Space& space,
                                                   const Coefficients& coefficients)
      : m_coefficients(coefficients) {
    const auto& first = coefficients.field(0);
    m_num_columns = static_cast<int>(first.extent(0));
    m_num_levels = static_cast<int>(first.extent(1));
    for (int i = 0; i < Coefficients::num_fields; ++i) {
      Impl::require_field("LineSolver", "coefficients", coefficients.field(i), m_num_columns,
                          m_num_levels);
    }
    m_workspace = Impl::LineWorkspace<scalar_type, memory_space>(
        space, m_num_columns, m_num_levels, std::array<int, 1>{Impl::stored_segment_levels},
        Kernels<Space>::scratch_fields);
    refresh(space);
  }

  /// To be called after the coefficients were changed: prepares for solves with the new ones and
  /// forgets bad pivots of the old ones. Enqueued on `space`: no allocation, no fence. On CPU cores
  /// that costs next to nothing; on a device the coefficients are read once where columns fit on chip.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void refresh(const Space& space) {
    const Impl::ProfilingRegion region("Lamina::LineSolver::refresh");
    Kernels<Space>::prepare(space, columns(), m_workspace);
  }

  int num_columns() const { return m_num_columns; }
  int num_levels() const { return m_num_levels; }

  /// `completed`, or `breakdown_zero_pivot` where a pivot of some column is zero or not finite:
  /// solutions of that column are not usable. Solves find that out on the way, at no cost: the
  /// answer is complete after one solve with the present coefficients. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const {
    return first_bad_column(space) < 0 ? SolveStatus::completed : SolveStatus::breakdown_zero_pivot;
  }
  /// The first column with such a pivot, or -1. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  int first_bad_column(const Space& space) const {
    return m_workspace.first_bad_column().get(space);
  }

  /// x = T^-1 rhs in every column. Enqueued on `space`: no allocation, no fence.
  /// \param rhs, x  (num_columns, num_levels), of the layout of the coefficients; may be the same
  ///   View, but must not overlap otherwise, nor overlap the coefficients.
  /// \throws InvalidArgument for wrong extents, and where fields overlap.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, layout> &&
      std::same_as<typename Solution::array_layout, layout>
  void solve(const Space& space, const Rhs& rhs, const Solution& x) const {
    solve(space, std::array<Rhs, 1>{rhs}, std::array<Solution, 1>{x});
  }
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, layout, memory_space> solve(
      const Space& space, const Rhs& rhs, const Solution& x) const = delete;

  /// x[n] = T^-1 rhs[n] in every column, for all n: matrices are read and eliminated once for every
  /// eight. Enqueued on `space`: no allocation, no fence.
  /// \param rhs, x  as many fields each, as above; x[n] may be rhs[n], but must not overlap another
  ///   field.
  /// \throws InvalidArgument for wrong extents, where there is not one x for each rhs, and where
  ///   fields overlap.
  template <ExecutionSpace Space, FieldListOf<scalar_type, memory_space> RhsList,
            FieldListOf<scalar_type, memory_space> SolutionList>
  requires WorksIn<Space, memory_space> && WritableField<Impl::ListedField<SolutionList>> &&
      std::same_as<typename Impl::ListedField<RhsList>::array_layout, layout> &&
      std::same_as<typename Impl::ListedField<SolutionList>::array_layout, layout>
  void solve(const Space& space, const RhsList& rhs, const SolutionList& x) const {
    const char* function = "LineSolver::solve";
    const std::size_t count = std::size(rhs);
    LAMINA_REQUIRE(std::size(x) == count, function,
                   "argument x: expected " + std::to_string(count) +
                       " fields, one for each right-hand side, got " +
                       std::to_string(std::size(x)));
    for (std::size_t n = 0; n < count; ++n) {
      Impl::require_field(function, "rhs", std::data(rhs)[n], m_num_columns, m_num_levels);
      Impl::require_field(function, "x", std::data(x)[n], m_num_columns, m_num_levels);
    }
    for (std::size_t n = 0; n < count; ++n) require_disjoint(function, rhs, x, n);
    const Impl::ProfilingRegion region("Lamina::LineSolver::solve");
    for (std::size_t first = 0; first < count; first += Fields::capacity) {
      Fields fields;
      for (std::size_t n = first; n < std::min(count, first + Fields::capacity); ++n) {
        fields.add(Impl::as_const_field(std::data(rhs)[n]), Impl::as_field(std::data(x)[n]));
      }
      Kernels<Space>::solve(space, columns(), fields, m_workspace);
    }
  }

  /// What one `solve` costs.
  std::vector<KernelCost> kernel_costs(int num_right_hand_sides = 1) const {
    const double cells = static_cast<double>(m_num_columns) * m_num_levels;
    const double m = num_right_hand_sides, off_chip = m_workspace.values_off_chip();
    const int passes = (num_right_hand_sides - 1) / Fields::capacity + 1;
    const double reads = off_chip > 0 ? m : passes;
    const double flops = Coefficients::is_cyclic ? 8 + 7 * m : 4 + 5 * m;
    return {{"Lamina::LineSolver::solve",
             cells * (Coefficients::num_fields * reads + (2 + off_chip) * m) * sizeof(scalar_type),
             cells * flops}};
  }

 private:
  using Columns = Impl::StoredColumns<Coefficients>;
  using Fields = typename Columns::fields_type;
  template <class Space>
  using Kernels = Impl::LineSolverKernels<Space, Columns>;

  /// x[n] shares memory with rhs[n] at most, if they are the same.
  template <class RhsList, class SolutionList>
  void require_disjoint(const char* function, const RhsList& rhs, const SolutionList& x,
                        std::size_t n) const {
    const auto& mine = std::data(x)[n];
    for (std::size_t other = 0; other < std::size(x); ++other) {
      if (other == n) {
        Impl::require_same_or_disjoint(function, "rhs", std::data(rhs)[n], "x", mine);
      } else {
        Impl::require_disjoint(function, "rhs", std::data(rhs)[other], "x", mine);
        Impl::require_disjoint(function, "x", std::data(x)[other], "x", mine);
      }
    }
    for (int i = 0; i < Coefficients::num_fields; ++i) {
      Impl::require_disjoint(function, "coefficients", m_coefficients.field(i), "x", mine);
    }
  }

  Columns columns() const {
    Columns result;
    for (int i = 0; i < Coefficients::num_fields; ++i) {
      result.fields[i] = Impl::as_const_field(m_coefficients.field(i));
    }
    return result;
  }

  Coefficients m_coefficients;
  int m_num_columns = 0, m_num_levels = 0;
  Impl::LineWorkspace<scalar_type, memory_space> m_workspace;
};

}  // namespace Lamina
