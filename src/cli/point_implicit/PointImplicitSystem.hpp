// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The system on one execution space; instantiated by PointImplicitSolve.cpp.in alone.

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/problems/ClosedFormSystem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "point_implicit/PointImplicitTask.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {

/// A x = b in the user's numbering, with O stored in one type for the sweeps. Or the rows of one of
/// several ranks: vectors then have halo rows at their end.
template <ExecutionSpace Execution, class OffDiagonal>
class PointImplicitSystem {
 public:
  using Memory = typename Execution::memory_space;
  using Matrix = BlockSparseMatrix<double, OffDiagonal, Memory>;
  using UserMatrix = BlockSparseMatrix<double, double, Memory>;
  using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
  static constexpr bool in_half = std::is_same_v<OffDiagonal, Half>;

  /// \throws InputError for a matrix that the type cannot hold
  PointImplicitSystem(const Execution& space, const PointImplicitTask& task,
                      const PointImplicitInput& input)
      : m_space(space),
        m_task(task),
        m_input(input),
        m_exact(make_field("exact")),
        m_rhs(make_field("rhs")),
        m_matrix(make_matrix()) {}

  /// The matrix that sweeps read; none is left here.
  Matrix take_matrix() { return std::exchange(m_matrix, Matrix()); }
  /// The user's one, of which b is, where that was rounded; none is left here.
  std::optional<UserMatrix> take_user_matrix() {
    return std::exchange(m_user_matrix, std::nullopt);
  }
  const Field& exact() const { return m_exact; }  ///< the solution, unless b was read
  const Field& rhs() const { return m_rhs; }

 private:
  using HostVector = Kokkos::View<const double**, Kokkos::LayoutRight, Kokkos::HostSpace,
                                  Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  std::size_t num_rows() const { return static_cast<std::size_t>(m_input.graph.num_rows()); }
  std::size_t block_size() const { return static_cast<std::size_t>(m_task.problem.block_size); }
  Field make_field(const std::string& name) const {
    return Field("Lamina::Cli::" + name, num_rows(), block_size());
  }

  /// Fills solution and b as well, and keeps the user's matrix where it is another.
  Matrix make_matrix() {
    if constexpr (std::is_same_v<OffDiagonal, float>) {
      if (!is_rounded(m_task.problem, m_task.variant.storage)) {
        Matrix matrix = generated_matrix<float>();
        fill_rhs(matrix);
        return matrix;
      }
    }
    UserMatrix user = m_task.problem.generated() ? generated_matrix<double>() : matrix_of_file();
    fill_rhs(user);
    if constexpr (std::is_same_v<Matrix, UserMatrix>) {
      return user;
    } else {
      m_user_matrix = user;
      return rounded(user);
    }
  }

  template <class Value>
  BlockSparseMatrix<double, Value, Memory> generated_matrix() {
    const ClosedFormSystem<Memory> system(m_input.graph, m_input.lattice_ids,
                                          m_task.problem.block_size);
    system.fill_solution(m_space, m_exact);
    const auto matrix = system.template matrix<Value>(m_space);
    return m_input.num_halo == 0 ? matrix : without_halo_rows(matrix);
  }

  /// Own rows alone; what they name of the others becomes halo columns.
  template <class AnyMatrix>
  AnyMatrix without_halo_rows(const AnyMatrix& matrix) const {
    const auto owned = static_cast<std::size_t>(matrix.num_rows() - m_input.num_halo);
    using Range = std::pair<std::size_t, std::size_t>;
    return {m_space,
            Kokkos::subview(matrix.row_offsets(), Range(0, owned + 1)),
            matrix.columns(),
            Kokkos::subview(matrix.diagonal(), Kokkos::ALL, Kokkos::ALL, Range(0, owned)),
            matrix.off_diagonal(),
            {},
            m_input.num_halo};
  }

  UserMatrix matrix_of_file() {
    const std::size_t size = block_size();
    const auto& columns = m_input.columns;
    Kokkos::deep_copy(m_space, m_exact, 1.0);
    return UserMatrix::split(m_space,
                             copied<Kokkos::View<std::int64_t*, Memory>>(
                                 "row_offsets", m_input.row_offsets, m_input.row_offsets.size()),
                             copied<Kokkos::View<int*, Memory>>("columns", columns, columns.size()),
                             copied<Kokkos::View<double***, Kokkos::LayoutLeft, Memory>>(
                                 "blocks", m_input.blocks, size, size, columns.size()),
                             m_input.num_halo);
  }

  /// Values of the host in a View of `Memory`.
  template <class View, class Value, class... Extents>
  static View copied(const char* name, const std::vector<Value>& values, Extents... extents) {
    View view(Kokkos::view_alloc(std::string("Lamina::Cli::") + name, Kokkos::WithoutInitializing),
              extents...);
    Kokkos::deep_copy(
        view,
        Kokkos::View<typename View::const_data_type, typename View::array_layout, Kokkos::HostSpace,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>(values.data(), extents...));
    return view;
  }

  Matrix rounded(const UserMatrix& user) const {
    try {
      if constexpr (in_half) {
        return user.rounded_to_float(m_space).rounded_to_half(m_space);
      } else {
        return user.rounded_to_float(m_space);
      }
    } catch (const InvalidArgument& error) {
      throw InputError("--storage: expected double for " + m_task.problem.matrix.string() +
                       ", got " + std::string(name_of(storages, m_task.variant.storage)) + ": " +
                       error.what());
    }
  }

  /// A times the solution, unless b was read.
  template <class AnyMatrix>
  void fill_rhs(const AnyMatrix& matrix) {
    if (m_input.rhs.empty()) {
      matrix.apply(m_space, m_exact, m_rhs);
    } else {
      Kokkos::deep_copy(m_rhs, HostVector(m_input.rhs.data(), num_rows(), block_size()));
    }
  }

  const Execution& m_space;
  const PointImplicitTask& m_task;
  const PointImplicitInput& m_input;
  Field m_exact, m_rhs;
  std::optional<UserMatrix> m_user_matrix;
  Matrix m_matrix;  // made last
};

}  // namespace Lamina::Cli
