// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The set-up of a solve on one execution space; instantiated by PointImplicitSolve.cpp.in alone.

#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "point_implicit/PointImplicitKrylov.hpp"
#include "point_implicit/PointImplicitPart.hpp"
#include "point_implicit/PointImplicitSystem.hpp"
#include "point_implicit/PointImplicitTask.hpp"

namespace Lamina::Cli {

/// A system that is ready to be solved: its matrix by colours with O stored in one type, its vectors
/// in the order of the colours, and the method. Fields are in that order unless said otherwise.
template <ExecutionSpace Execution, class OffDiagonal>
class PointImplicitPlan {
 public:
  using System = PointImplicitSystem<Execution, OffDiagonal>;
  using Matrix = typename System::Matrix;
  using UserMatrix = typename System::UserMatrix;
  using Field = typename System::Field;
  static constexpr bool in_half = System::in_half;

  /// Collective.
  PointImplicitPlan(const Execution& space, const PointImplicitTask& task)
      : m_space(space),
        m_block_size(static_cast<std::size_t>(task.problem.block_size)),
        m_part(m_space, task),
        m_system(
            make_agreed(m_part.ranks(),
                        [&] { return std::make_unique<System>(m_space, task, m_part.input()); })),
        m_solver(make_agreed(m_part.ranks(), [&] { return make_solver(task); })) {
    run_agreed(m_part.ranks(), [&] { prepare(task); });
  }

  const Execution& space() const { return m_space; }
  const PointImplicitPart<Execution>& part() const { return m_part; }
  const PointImplicitSolver<Matrix>& solver() const { return m_solver; }
  /// Towards the user's matrix; null: sweeps read that one.
  const DefectCorrection<UserMatrix, Matrix>* correction() const {
    return m_correction ? &*m_correction : nullptr;
  }
  /// Null: sweeps alone.
  KrylovMethod<Execution>* krylov() const { return m_krylov.get(); }

  const Field& exact() const { return m_exact; }  ///< the solution, unless b was read
  const Field& rhs() const { return m_rhs; }
  const Field& solution() const { return m_solution; }  ///< 0 at first
  Field make_field(const std::string& name) const {
    return Field("Lamina::Cli::" + name, m_part.num_rows(), m_block_size);
  }

  /// call(A) with the user's matrix in the order of the colours.
  template <class Call>
  auto with_user_matrix(const Call& call) const {
    return m_correction ? call(m_correction->coloured_matrix()) : call(m_solver.coloured_matrix());
  }
  /// |b - A x| with the user's matrix. Over ranks halo rows of x are up to date.
  double residual_norm(const Field& x) const {
    return m_correction ? m_correction->residual_norm_in_colour_order(m_space, m_rhs, x)
                        : m_solver.residual_norm_in_colour_order(m_space, m_rhs, x);
  }
  /// The values of own rows in the user's order. Fences the space.
  std::vector<double> on_host(const Field& ordered) const {
    const Field user = make_field("scratch");
    m_solver.from_colour_order(m_space, ordered, user);
    m_space.fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), user);
    return {host.data(), host.data() + m_part.num_owned() * m_block_size};
  }

 private:
  PointImplicitSolver<Matrix> make_solver(const PointImplicitTask& task) {
    const auto inverse = task.variant.inverse;
    if (m_part.ranks() == nullptr) {
      return PointImplicitSolver<Matrix>(m_space, m_system->take_matrix(), m_part.ordering(),
                                         inverse);
    }
    return PointImplicitSolver<Matrix>(m_space, m_system->take_matrix(), m_part.ordering(),
                                       m_part.decomposition(), inverse);
  }
  /// What needs the solver.
  void prepare(const PointImplicitTask& task) {
    if (const auto user = m_system->take_user_matrix()) {
      m_correction.emplace(m_space, *user, m_solver);
    }
    m_exact = in_colour_order(m_system->exact());
    m_rhs = in_colour_order(m_system->rhs());
    m_solution = make_field("solution");
    if constexpr (!in_half) {
      m_krylov = with_user_matrix([&](const auto& matrix) {
        return make_krylov_method(m_space, matrix, m_solver, task.variant, m_part.decomposition());
      });
    }
  }
  Field in_colour_order(const Field& user) const {
    Field ordered = make_field("ordered");
    m_solver.to_colour_order(m_space, user, ordered);
    return ordered;
  }

  Execution m_space;
  std::size_t m_block_size;
  PointImplicitPart<Execution> m_part;
  std::unique_ptr<System> m_system;
  PointImplicitSolver<Matrix> m_solver;
  std::optional<DefectCorrection<UserMatrix, Matrix>> m_correction;  // where blocks are rounded
  Field m_exact, m_rhs, m_solution;
  std::unique_ptr<KrylovMethod<Execution>> m_krylov;
};

}  // namespace Lamina::Cli
