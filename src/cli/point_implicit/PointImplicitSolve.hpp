// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve on one execution space; instantiated in Space_<Name>.cpp alone.

#include <lamina/blocks/Asymmetry.hpp>
#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/KernelRecorder.hpp>

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "point_implicit/PointImplicitFile.hpp"
#include "point_implicit/PointImplicitKrylov.hpp"
#include "point_implicit/PointImplicitSystem.hpp"
#include "point_implicit/PointImplicitTask.hpp"
#include "support/Solution.hpp"

namespace Lamina::Cli {

/// A solve with O stored in one type on one space: set-up, solve, and what is told about it.
template <ExecutionSpace Execution, class OffDiagonal>
class PointImplicitSolve {
 public:
  PointImplicitSolve(const PointImplicitTask& task, const PointImplicitInput& input)
      : m_task(task),
        m_input(input),
        m_ordering(ordering_of(input, task.variant)),
        m_system(m_space, task, input),
        m_solver(m_space, m_system.take_matrix(), m_ordering, task.variant.inverse) {
    if (const auto user = m_system.take_user_matrix()) {
      m_correction.emplace(m_space, *user, m_solver);
    }
  }

  PointImplicitResult run() {
    m_exact = in_colour_order(m_system.exact());
    m_rhs = in_colour_order(m_system.rhs());
    m_solution = make_field("solution");
    if constexpr (!in_half) {
      m_krylov = with_user_matrix([&](const auto& matrix) {
        return make_krylov_method(m_space, matrix, m_solver, m_task.variant);
      });
    }
    describe();
    m_space.fence();
    m_result.setup_seconds = m_setup_timer.seconds();
    if (m_task.on_ready) m_task.on_ready();
    if (!is_solvable()) {
      m_result.report = m_solver.status() == SolveStatus::completed
                            ? unsolved(SolveStatus::breakdown_indefinite)
                            : unsolved(m_solver.status());
    } else if (m_krylov) {
      iterate();
      if (!was_interrupted()) record_iterations();
    } else {
      solve();
      if (!was_interrupted()) record_kernels();
    }
    const double rhs_norm = m_result.report.reference_norm;
    const double residual = residual_norm(m_solution);
    m_result.true_relative_residual = rhs_norm == 0 ? residual : residual / rhs_norm;
    write_or_compare();
    return m_result;
  }

 private:
  using System = PointImplicitSystem<Execution, OffDiagonal>;
  using Matrix = typename System::Matrix;
  using UserMatrix = typename System::UserMatrix;
  using Field = typename System::Field;
  static constexpr bool in_half = System::in_half;

  static constexpr int num_replayed = 3;  // sweeps under the recorder

  /// call(A) with the user's matrix in the order of the colours.
  template <class Call>
  auto with_user_matrix(const Call& call) const {
    return m_correction ? call(m_correction->coloured_matrix()) : call(m_solver.coloured_matrix());
  }
  double residual_norm(const Field& x) const {
    return m_correction ? m_correction->residual_norm_in_colour_order(m_space, m_rhs, x)
                        : m_solver.residual_norm_in_colour_order(m_space, m_rhs, x);
  }

  std::size_t num_rows() const { return static_cast<std::size_t>(m_ordering.num_rows()); }
  std::size_t block_size() const { return static_cast<std::size_t>(m_task.problem.block_size); }
  Field make_field(const std::string& name) const {
    return Field("Lamina::Cli::" + name, num_rows(), block_size());
  }

  Field in_colour_order(const Field& user) const {
    Field ordered = make_field("ordered");
    m_solver.to_colour_order(m_space, user, ordered);
    return ordered;
  }

  void describe() {
    m_result.num_rows = m_ordering.num_rows();
    m_result.num_blocks = m_solver.coloured_matrix().num_blocks();
    m_result.first_bad_row = m_solver.first_bad_row();
    if constexpr (!in_half) {
      if (m_task.variant.krylov == Krylov::pcg) {
        m_result.asymmetry =
            with_user_matrix([&](const auto& matrix) { return asymmetry(m_space, matrix); });
      }
    }
    for (std::size_t k = 1; k < m_ordering.offsets().size(); ++k) {
      m_result.colour_sizes.push_back(m_ordering.offsets()[k] - m_ordering.offsets()[k - 1]);
    }
  }

  /// Conjugate gradients over a matrix that is not symmetric go astray in silence, and nothing
  /// works without pivots. Entries of a symmetric matrix may be rounded apart, as those are that
  /// sweeps read.
  bool is_solvable() const {
    using Stored = std::conditional_t<in_half, float, OffDiagonal>;
    constexpr double rounding = 8 * static_cast<double>(std::numeric_limits<Stored>::epsilon());
    if (m_solver.status() != SolveStatus::completed) return false;
    return !m_result.asymmetry || *m_result.asymmetry <= rounding;
  }
  bool was_interrupted() const { return m_result.report.status == SolveStatus::interrupted; }
  /// Nothing was done about x = 0.
  SolveReport unsolved(SolveStatus status) {
    SolveReport report;
    report.status = status;
    report.reference_norm = report.initial_residual_norm = report.residual_norm =
        residual_norm(m_solution);
    if (m_krylov) report.residual_history = {report.relative_residual()};
    return report;
  }

  void iterate() {
    const Field scratch = make_field("scratch");
    static_cast<void>(
        m_krylov->solve(m_space, m_rhs, scratch, StoppingCriteria::iterations(1)));  // warms up
    m_space.fence();
    const Kokkos::Timer timer;
    m_result.report = m_krylov->solve(m_space, m_rhs, m_solution, m_task.criteria);
    m_space.fence();
    m_result.solve_seconds = timer.seconds();
  }

  void record_iterations() {
    const Field scratch = make_field("scratch");
    std::vector<KernelCost> costs = m_solver.kernel_costs();
    const auto of_matrix =
        with_user_matrix([](const auto& matrix) { return matrix.kernel_costs(); });
    for (const auto& more : {of_matrix, m_krylov->kernel_costs()}) {
      costs.insert(costs.end(), more.begin(), more.end());
    }
    const KernelRecorder recorder;
    const SolveReport report = m_krylov->solve(
        m_space, m_rhs, scratch, StoppingCriteria::iterations(m_krylov->num_replayed()));
    m_result.kernels = recorder.records(costs);
    double bytes = 0;
    for (const auto& record : m_result.kernels) bytes += record.bytes;
    m_result.bytes_per_iteration = bytes / std::max(1, report.iterations);
  }

  /// Sweeps of a fixed count are timed without the looks at the residual that make up the history,
  /// which is told first: it may end before the count.
  void solve() {
    const SweepDirection direction = m_task.variant.direction;
    m_solver.sweep_in_colour_order(m_space, m_rhs, m_solution, direction);  // warms up
    Kokkos::deep_copy(m_space, m_solution, 0.0);
    m_space.fence();
    Kokkos::Timer timer;
    if (!m_task.criteria.fixed_count) {
      m_result.report = m_correction ? m_correction->solve_in_colour_order(
                                           m_space, m_rhs, m_solution, m_task.criteria, direction)
                                     : m_solver.solve_in_colour_order(m_space, m_rhs, m_solution,
                                                                      m_task.criteria, direction);
      m_space.fence();
      m_result.solve_seconds = timer.seconds();
      return;
    }
    m_result.report = counted_sweeps();
    m_space.fence();
    m_result.solve_seconds = timer.seconds();
    if (was_interrupted()) return;
    const Field again = make_field("scratch");
    m_space.fence();
    timer.reset();
    m_solver.sweep_in_colour_order(m_space, m_rhs, again, direction, m_result.report.iterations);
    m_space.fence();
    m_result.solve_seconds = timer.seconds();
  }

  /// Sweeps over blocks as they are stored, without corrections, and what the user's matrix says.
  SolveReport counted_sweeps() {
    Impl::SweepHistory history("lamina point-implicit", m_task.criteria);
    if (!history.start(residual_norm(m_solution))) return history.report();  // |b|, as x = 0
    return Impl::sweep_to_the_end(
        history, [&] { return residual_norm(m_solution); },
        [&](int count) {
          m_solver.sweep_in_colour_order(m_space, m_rhs, m_solution, m_task.variant.direction,
                                         count);
        });
  }

  void record_kernels() {
    const bool looks = !m_task.criteria.fixed_count;
    const SweepDirection direction = m_task.variant.direction;
    const Field scratch = make_field("scratch");
    const KernelRecorder recorder;
    m_solver.sweep_in_colour_order(m_space, m_rhs, scratch, direction, num_replayed);
    double bytes = 0;
    for (const auto& record : recorder.records(m_solver.kernel_costs())) bytes += record.bytes;
    m_result.bytes_per_iteration = bytes / num_replayed;
    std::vector<KernelCost> costs = m_solver.kernel_costs();
    double bytes_of_look = m_solver.residual_cost().bytes;
    if (looks && m_correction) {
      const auto more = m_correction->kernel_costs();
      costs.insert(costs.end(), more.begin(), more.end());
      bytes_of_look = m_correction->correction_cost().bytes;
      static_cast<void>(m_correction->solve_in_colour_order(
          m_space, m_rhs, scratch, StoppingCriteria::iterations(1), direction));
    } else if (looks) {
      static_cast<void>(m_solver.residual_norm_in_colour_order(m_space, m_rhs, scratch));
    }
    if (looks) {
      m_result.bytes_per_iteration += bytes_of_look / std::max(1, m_task.criteria.check_every);
    }
    m_result.kernels = recorder.records(costs);
  }

  std::vector<double> on_host(const Field& ordered) const {
    const Field user = make_field("scratch");
    m_solver.from_colour_order(m_space, ordered, user);
    m_space.fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), user);
    return {host.data(), host.data() + host.size()};
  }

  void write_or_compare() {
    const std::vector<double> solution = on_host(m_solution);
    if (m_input.rhs.empty() && m_solver.status() == SolveStatus::completed) {
      const std::vector<double> exact = on_host(m_exact);
      PointImplicitError error;
      for (std::size_t n = 0; n < exact.size(); ++n) {
        const double e = solution[n] - exact[n];
        error.l2 += e * e;
        error.linf = std::isnan(e) ? e : std::max(error.linf, std::abs(e));
      }
      error.l2 = exact.empty() ? 0 : std::sqrt(error.l2 / static_cast<double>(exact.size()));
      m_result.error = error;
    }
    if (!m_task.output.empty() && has_solution(m_result.report)) {
      write_solution(m_task, m_input, m_result, by_lattice_id(solution));
    }
  }

  /// Of a generated system the rows in the order of their lattice ids.
  std::vector<double> by_lattice_id(const std::vector<double>& values) const {
    if (!m_task.problem.generated()) return values;
    std::vector<double> result(values.size());
    for (std::size_t row = 0; row < num_rows(); ++row) {
      const auto id = static_cast<std::size_t>(m_input.lattice_ids[row]);
      std::copy_n(values.data() + row * block_size(), block_size(),
                  result.data() + id * block_size());
    }
    return result;
  }

  const PointImplicitTask& m_task;
  const PointImplicitInput& m_input;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  ColourOrdering m_ordering;
  System m_system;
  PointImplicitSolver<Matrix> m_solver;
  std::optional<DefectCorrection<UserMatrix, Matrix>> m_correction;  // where blocks are rounded
  Field m_exact, m_rhs, m_solution;                                  // in the order of the colours
  std::unique_ptr<KrylovMethod<Execution>> m_krylov;                 // none: sweeps alone
  PointImplicitResult m_result;
};

/// Solves on `Execution` with the storage that the task asks for.
template <ExecutionSpace Execution>
PointImplicitResult solve_point_implicit(const PointImplicitTask& task,
                                         const PointImplicitInput& input) {
  switch (task.variant.storage) {
    case Storage::half_precision: return PointImplicitSolve<Execution, Half>(task, input).run();
    case Storage::single_precision: return PointImplicitSolve<Execution, float>(task, input).run();
    default: return PointImplicitSolve<Execution, double>(task, input).run();
  }
}

}  // namespace Lamina::Cli
