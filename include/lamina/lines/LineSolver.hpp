// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/lines/CyclicTridiagonal.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineSolverKernels.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <vector>

namespace Lamina {

/// Several fields: a `std::vector`, `std::array` or `std::span` of Views.
template <class List, class Scalar, class Memory>
concept FieldListOf = requires(const List& list) {
  std::data(list);
  std::size(list);
}
&&FieldOf<typename List::value_type, Scalar, Memory>;

/// Solves one tridiagonal system per column, T_c x_c = rhs_c, by Thomas' algorithm without
/// pivoting. The matrices may be cyclic. Elimination without pivoting must suit them: diagonally
/// dominant matrices and M-matrices are safe.
///
/// \par Coefficients
/// A solve reads the coefficients and does not copy them: factoring again on the fly costs no more
/// traffic than reading stored factors. Call `refresh` after changing them. On a device the plan
/// keeps a small part of the elimination: without `refresh`, x is wrong, and no status tells.
///
/// \par Method
/// On CPU cores a tile of columns is solved in vector lanes. It stays in cache between the forward
/// and the backward sweep. On a device several threads share a column and hold it in registers (the
/// "substructuring" of Müller et al. 2013, section 8): forward and backward sweep are affine maps,
/// composed over the segments of a column. In a cyclic matrix all levels but the last one are
/// eliminated. They depend linearly on the last level: they are the solution for x_last = 0 plus
/// x_last times the response to 1 there.
///
/// \par Cost
/// A solve of m right-hand sides moves 3 + 2 m values per cell: it reads the coefficients (3
/// values, 2 for the symmetric form) once for every eight right-hand sides, reads these, and writes
/// the solutions. On a device columns of more than 512 levels do not fit on chip. Then one thread
/// takes a column, and right-hand sides follow one after the other. Each of them also writes and
/// reads one value of scratch (two for cyclic matrices), and writes and reads the solution once
/// more.
///
/// \par Workspace
/// Copies share the scratch of a plan: one solve runs at a time, on one instance.
///
/// \par Example
///
///   Lamina::LineSolver lines(space, Lamina::GeneralTridiagonal{lower, diagonal, upper});
///   lines.solve(space, rhs, x);
///   if (lines.status(space) != Lamina::SolveStatus::completed) return;  // a zero pivot
///
/// `examples/04_implicit_diffusion` uses it in a time step.
///
/// \tparam Coefficients  `GeneralTridiagonal`, `SymmetricTridiagonal`, `DifferenceTridiagonal` or
///   `CyclicTridiagonal` of Views over (column, level), all of the same extents.
template <class Coefficients>
class LineSolver {
 public:
  using scalar_type = typename Coefficients::field_type::non_const_value_type;
  using memory_space = typename Coefficients::field_type::memory_space;
  using layout = typename Coefficients::field_type::array_layout;

  /// Allocates scratch for `space`, and prepares for solves as `refresh` does.
  /// \throws InvalidArgument where the extents of the coefficients differ.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> LineSolver(const Space& space,
                                                   const Coefficients& coefficients);

  /// Bytes in `memory_space` of a solver for so many columns and levels, beside the coefficients.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  static double required_bytes(const Space& space, std::int64_t num_columns, int num_levels) {
    constexpr std::array segment_lengths{Impl::LineSegmentTuning::stored_levels};
    return Impl::LineWorkspace<scalar_type, memory_space>::required_bytes(
        space, num_columns, num_levels, segment_lengths, Kernels<Space>::scratch_fields);
  }

  /// Prepares for solves with coefficients that have changed, and forgets bad pivots of the old
  /// ones. Enqueued on `space`: no allocation, no fence. On CPU cores it costs next to nothing. On
  /// a device it reads the coefficients once, where columns fit on chip.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void refresh(const Space& space);

  int num_columns() const { return m_num_columns; }
  int num_levels() const { return m_num_levels; }

  /// `completed`, or `breakdown_zero_pivot` where a pivot of some column is zero or not finite: the
  /// solutions of that column are not usable. Solves find bad pivots on the way, at no cost: the
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
  /// \param rhs,  x  (num_columns, num_levels), of the layout of the coefficients. They may be the
  ///   same View, but must not overlap otherwise, nor overlap the coefficients.
  /// \throws InvalidArgument for wrong extents, and where fields overlap.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, layout> &&
      std::same_as<typename Solution::array_layout, layout>
  void solve(const Space& space, const Rhs& rhs, const Solution& x) const;
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, layout, memory_space> solve(
      const Space& space, const Rhs& rhs, const Solution& x) const = delete;

  /// x[n] = T^-1 rhs[n] in every column, for all n. Matrices are read and eliminated once for every
  /// eight. Enqueued on `space`: no allocation, no fence.
  /// \param rhs, x  as many fields each, as above. x[n] may be rhs[n], but must not overlap another
  ///   field.
  /// \throws InvalidArgument for wrong extents, where there is not one x for each rhs, and where
  ///   fields overlap.
  template <ExecutionSpace Space, FieldListOf<scalar_type, memory_space> RhsList,
            FieldListOf<scalar_type, memory_space> SolutionList>
  requires WorksIn<Space, memory_space> && WritableField<typename SolutionList::value_type> &&
      std::same_as<typename RhsList::value_type::array_layout, layout> &&
      std::same_as<typename SolutionList::value_type::array_layout, layout>
  void solve(const Space& space, const RhsList& rhs, const SolutionList& x) const;

  /// What one `solve` costs.
  std::vector<KernelCost> kernel_costs(int num_right_hand_sides = 1) const;

 private:
  using Columns = Impl::StoredColumns<Coefficients>;
  using Fields = typename Columns::fields_type;
  template <class Space>
  using Kernels = Impl::LineSolverKernels<Space, Columns>;

  template <class RhsList, class SolutionList>
  void require_fields(const RhsList& rhs, const SolutionList& x) const;
  Columns columns() const;

  Coefficients m_coefficients;
  int m_num_columns = 0, m_num_levels = 0;
  Impl::LineWorkspace<scalar_type, memory_space> m_workspace;
};

}  // namespace Lamina

#include <lamina/lines/impl/LineSolver_Impl.hpp>
