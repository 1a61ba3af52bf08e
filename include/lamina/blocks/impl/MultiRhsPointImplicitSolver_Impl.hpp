// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/MultiRhsPointImplicitSolver.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/SweepHistory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Lamina {

template <class Matrix>
MultiRhsPointImplicitSolver<Matrix>::MultiRhsPointImplicitSolver(
    const PointImplicitSolver<Matrix>& solver, int max_rhs)
    : m_solver(solver), m_max_rhs(max_rhs) {
  LAMINA_REQUIRE(!solver.is_decomposed(), "MultiRhsPointImplicitSolver",
                 "argument solver: expected one of a single process, got one over ranks");
  LAMINA_REQUIRE(max_rhs >= 1, "MultiRhsPointImplicitSolver",
                 "argument max_rhs: expected a value >= 1, got " + std::to_string(max_rhs));
  const Matrix& a = solver.coloured_matrix();
  m_own = decltype(m_own)(
      Kokkos::view_alloc("Lamina::MultiRhsPointImplicitSolver::own", Kokkos::WithoutInitializing),
      3, static_cast<std::size_t>(a.num_rows()), static_cast<std::size_t>(row_stride(max_rhs)));
}

template <class Matrix>
template <class Rhs, class Solution>
void MultiRhsPointImplicitSolver<Matrix>::require(const char* function, const Rhs& b,
                                                  const Solution& x) const {
  const Matrix& a = m_solver.coloured_matrix();
  const auto num_rhs = static_cast<long long>(b.extent(1));
  LAMINA_REQUIRE(1 <= num_rhs && num_rhs <= m_max_rhs, function,
                 "argument b: expected 1 to " + std::to_string(m_max_rhs) +
                     " right-hand sides, got " + std::to_string(num_rhs));
  const auto check = [&](const char* name, const auto& field) {
    Impl::require_extent(function, name, "block rows", a.num_rows(),
                         static_cast<long long>(field.extent(0)));
    Impl::require_extent(function, name, "right-hand sides", num_rhs,
                         static_cast<long long>(field.extent(1)));
    Impl::require_extent(function, name, "components", a.block_size(),
                         static_cast<long long>(field.extent(2)));
    LAMINA_REQUIRE(num_rhs == 1 || field.stride(1) == field.extent(2), function,
                   "argument " + std::string(name) +
                       ": expected right-hand sides without gaps within a block row, got a stride "
                       "of " +
                       std::to_string(field.stride(1)));
  };
  check("b", b);
  check("x", x);
  Impl::require_disjoint(function, "b", b, "x", x);
}

template <class Matrix>
std::int64_t MultiRhsPointImplicitSolver<Matrix>::row_stride(int num_rhs) const {
  const std::int64_t values = std::int64_t{m_solver.coloured_matrix().block_size()} * num_rhs;
  return m_solver.colour_sweeps().has_slices() && num_rhs > 1 ? values + values % 2 : values;
}

template <class Matrix>
auto MultiRhsPointImplicitSolver<Matrix>::own(int vector, int num_rhs) const -> Vector {
  Vector result;
  result.stride = row_stride(num_rhs);
  result.values = m_own.data() + vector * static_cast<std::int64_t>(m_own.stride(0));
  return result;
}

template <class Matrix>
template <class Space>
void MultiRhsPointImplicitSolver<Matrix>::renumber(const Space& space, int num_values,
                                                   const Impl::BlockVector<const scalar_type>& from,
                                                   const Vector& to, bool back) const {
  m_solver.colour_sweeps().renumber("Lamina::MultiRhsPointImplicitSolver::renumber", space,
                                    num_values, from, to, back);
}

template <class Matrix>
template <class Space>
void MultiRhsPointImplicitSolver<Matrix>::run(const char* label, const Space& space,
                                              const Task& task) const {
  Impl::BlockKernels<Space, scalar_type, typename Matrix::off_diagonal_type>::run(
      label, space, m_solver.coloured_matrix().block_rows(), task);
}

// traffic: see the class
template <class Matrix>
template <class Space>
void MultiRhsPointImplicitSolver<Matrix>::sweep_own(const Space& space, int num_rhs,
                                                    SweepDirection direction,
                                                    int num_sweeps) const {
  m_solver.colour_sweeps().run_sweeps(
      space,
      {"Lamina::MultiRhsPointImplicitSolver::sweep", own(0, num_rhs).read_only(), own(1, num_rhs),
       direction, num_rhs, own(2, num_rhs)},
      num_sweeps);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockFields<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockFields<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableView<Solution>
void MultiRhsPointImplicitSolver<Matrix>::sweep(const Space& space, const Rhs& b, const Solution& x,
                                                SweepDirection direction, int num_sweeps) const {
  const char* name = "MultiRhsPointImplicitSolver::sweep";
  require(name, b, x);
  LAMINA_REQUIRE(num_sweeps >= 0, name,
                 "argument num_sweeps: expected a value >= 0, got " + std::to_string(num_sweeps));
  const Impl::UseOfPlan use(name, m_in_use);
  const Impl::ProfilingRegion region("Lamina::MultiRhsPointImplicitSolver::sweep");
  const auto num_rhs = static_cast<int>(b.extent(1));
  const int num_values = num_rhs * m_solver.coloured_matrix().block_size();
  renumber(space, num_values, Impl::BlockVector<const scalar_type>(b), own(0, num_rhs), false);
  renumber(space, num_values, Impl::BlockVector<const scalar_type>(x), own(1, num_rhs), false);
  sweep_own(space, num_rhs, direction, num_sweeps);
  renumber(space, num_values, own(1, num_rhs).read_only(), Vector(x), true);
}

template <class Matrix>
template <class Space>
class MultiRhsPointImplicitSolver<Matrix>::Solve {
 public:
  Solve(const MultiRhsPointImplicitSolver& plan, const Space& space, int num_rhs, const Vector& x,
        const StoppingCriteria& criteria)
      : m_plan(plan),
        m_space(space),
        m_x(x),
        m_size(plan.m_solver.coloured_matrix().block_size()),
        m_num_rhs(num_rhs),
        m_on_check(criteria.on_check),
        m_stop_requested(criteria.stop_requested),
        m_quiet(criteria) {
    m_quiet.on_check = {};
    m_quiet.stop_requested = {};
    m_histories.reserve(static_cast<std::size_t>(num_rhs));
    for (int r = 0; r < num_rhs; ++r) {
      m_histories.emplace_back("MultiRhsPointImplicitSolver::solve", m_quiet);
    }
    m_running.assign(static_cast<std::size_t>(num_rhs), true);
  }

  std::vector<SolveReport> run(SweepDirection direction) {
    start();
    while (look()) {
      int sweeps = 0;
      for (int r = 0; r < m_num_rhs; ++r) {
        if (m_running[at(r)]) sweeps = m_histories[at(r)].next_stretch();  // the same for all
      }
      if (sweeps == 0) break;
      m_plan.sweep_own(m_space, m_num_rhs, direction, sweeps);
    }
    std::vector<SolveReport> reports;
    for (const auto& history : m_histories) reports.push_back(history.report());
    m_space.fence();  // the reports say that x is there
    return reports;
  }

 private:
  static std::size_t at(int r) { return static_cast<std::size_t>(r); }

  /// |v_r| for a vector of the plan.
  double norm_of(int vector, int r) const {
    const Vector one =
        Impl::from_component(m_plan.own(vector, m_num_rhs), std::int64_t{r} * m_size);
    bool flag = false;
    return m_plan.m_solver.colour_sweeps().norm(m_space, one.read_only(), flag);
  }
  /// q = b - A x for all right-hand sides, in one pass over the matrix.
  void compute_residuals() const {
    Task task;
    task.last = m_plan.m_solver.coloured_matrix().num_rows();
    task.b = m_plan.own(0, m_num_rhs).read_only();
    task.x = m_plan.own(1, m_num_rhs).read_only();
    task.y = m_plan.own(2, m_num_rhs);
    task.off_diagonal = task.diagonal = true;
    task.num_rhs = m_num_rhs;
    m_plan.run("Lamina::MultiRhsPointImplicitSolver::residual", m_space, task);
  }

  void start() {
    const SolveStatus pivots =
        m_plan.m_solver.colour_sweeps().pivot_status().first_bad_row(m_space) < 0
            ? SolveStatus::completed
            : SolveStatus::breakdown_zero_pivot;
    if (pivots != SolveStatus::completed) compute_residuals();
    for (int r = 0; r < m_num_rhs; ++r) {
      const double rhs_norm = norm_of(0, r);
      if (pivots != SolveStatus::completed) {
        static_cast<void>(m_histories[at(r)].broken(pivots, rhs_norm, norm_of(2, r)));
        m_running[at(r)] = false;
      } else if (!m_histories[at(r)].start(rhs_norm)) {
        m_running[at(r)] = false;
        if (rhs_norm == 0) set_zero(r);
      }
    }
  }
  void set_zero(int r) const {
    using Rows = Kokkos::View<scalar_type**, Kokkos::LayoutRight, memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const Vector own_x = m_plan.own(1, m_num_rhs);
    const Rows all(own_x.values,
                   static_cast<std::size_t>(m_plan.m_solver.coloured_matrix().num_rows()),
                   static_cast<std::size_t>(own_x.stride));
    const auto side = Kokkos::make_pair(at(r) * at(m_size), at(r + 1) * at(m_size));
    Kokkos::deep_copy(m_space, Kokkos::subview(all, Kokkos::ALL, side), scalar_type(0));
    store(own_side(r), r);
  }
  Vector own_side(int r) const {
    return Impl::from_component(m_plan.own(1, m_num_rhs), std::int64_t{r} * m_size);
  }
  void store(const Vector& own_x, int r) const {
    m_plan.renumber(m_space, m_size, own_x.read_only(),
                    Impl::from_component(m_x, std::int64_t{r} * m_size), true);
  }

  /// \return whether a solve goes on
  bool look() {
    if (std::none_of(m_running.begin(), m_running.end(), [](bool runs) { return runs; })) {
      return false;
    }
    compute_residuals();
    double largest = 0;
    int sweeps = 0;
    bool goes_on = false;
    for (int r = 0; r < m_num_rhs; ++r) {
      if (!m_running[at(r)]) continue;
      const bool ended = m_histories[at(r)].look(norm_of(2, r));
      const SolveReport& report = m_histories[at(r)].report();
      if (!(report.relative_residual() <= largest)) largest = report.relative_residual();
      sweeps = report.iterations;
      if (ended) finish(r);
      goes_on = goes_on || !ended;
    }
    if (m_on_check) m_on_check(sweeps, largest);
    if (!goes_on || !m_stop_requested || !m_stop_requested()) return goes_on;
    for (int r = 0; r < m_num_rhs; ++r) {
      if (!m_running[at(r)]) continue;
      m_histories[at(r)].interrupt();
      finish(r);
    }
    return false;
  }
  void finish(int r) {
    m_running[at(r)] = false;
    store(own_side(r), r);
  }

  const MultiRhsPointImplicitSolver& m_plan;
  const Space& m_space;
  Vector m_x;  // the user's
  int m_size, m_num_rhs;
  decltype(StoppingCriteria::on_check) m_on_check;
  decltype(StoppingCriteria::stop_requested) m_stop_requested;
  StoppingCriteria m_quiet;
  std::vector<SweepHistory> m_histories;
  std::vector<bool> m_running;
};

template <class Matrix>
template <ExecutionSpace Space,
          BlockFields<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockFields<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableView<Solution>
    std::vector<SolveReport> MultiRhsPointImplicitSolver<Matrix>::solve(
        const Space& space, const Rhs& b, const Solution& x, const StoppingCriteria& criteria,
        SweepDirection direction)
const {
  require("MultiRhsPointImplicitSolver::solve", b, x);
  const Impl::UseOfPlan use("MultiRhsPointImplicitSolver::solve", m_in_use);
  const Impl::ProfilingRegion region("Lamina::MultiRhsPointImplicitSolver::solve");
  const auto num_rhs = static_cast<int>(b.extent(1));
  const int num_values = num_rhs * m_solver.coloured_matrix().block_size();
  renumber(space, num_values, Impl::BlockVector<const scalar_type>(b), own(0, num_rhs), false);
  renumber(space, num_values, Impl::BlockVector<const scalar_type>(x), own(1, num_rhs), false);
  return Solve<Space>(*this, space, num_rhs, Vector(x), criteria).run(direction);
}

template <class Matrix>
KernelCost MultiRhsPointImplicitSolver<Matrix>::sweep_cost(int num_rhs) const {
  const KernelCost one = m_solver.sweep_cost();
  const Matrix& a = m_solver.coloured_matrix();
  const double vector =
      static_cast<double>(a.num_rows()) * a.block_size() * static_cast<double>(sizeof(scalar_type));
  return {"Lamina::MultiRhsPointImplicitSolver::sweep", one.bytes + 3 * (num_rhs - 1) * vector,
          one.flops * num_rhs};
}

}  // namespace Lamina
