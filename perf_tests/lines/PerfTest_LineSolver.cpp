// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Line solves over all columns, with stored coefficients.

#include <lamina/lines/LineSolver.hpp>

#include <algorithm>
#include <utility>

#include "../support/MeasuredSpaces.hpp"
#include "../support/PanelCase.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

struct LineSize {
  int columns, levels;
  std::string name() const {
    return "columns:" + std::to_string(columns) + "/levels:" + std::to_string(levels);
  }
};

/// A paper's panel; a prime and an odd number; many short lines; few long ones; within the caches.
std::vector<LineSize> all_sizes() {
  if (tiny_run()) return {{64, 32}, {37, 19}};
  return {{65536, 128}, {65521, 127}, {262144, 16}, {2048, 4096}, {1024, 128}};
}
/// The first two.
std::vector<LineSize> some_sizes() {
  const auto sizes = all_sizes();
  return {sizes[0], sizes[1]};
}

template <class Space, class Scalar, class Layout>
struct LineFields {
  using execution_space = Space;
  using Field = Kokkos::View<Scalar**, Layout, typename Space::memory_space>;
  using ConstField = Kokkos::View<const Scalar**, Layout, typename Space::memory_space>;

  explicit LineFields(const LineSize& size) : m_size(size), rhs(field(0)), solution(field(0)) {
    // The solution is 1: the right-hand side is the row sums of lower -1, diagonal 3, upper -1.
    Kokkos::deep_copy(rhs, Scalar(1));
    for (const int end : {0, size.levels - 1}) {
      Kokkos::deep_copy(Kokkos::subview(rhs, Kokkos::ALL, end), Scalar(2));
    }
  }
  Field field(Scalar value) const {
    const Field result("Lamina::Perf::line_field", static_cast<std::size_t>(m_size.columns),
                       static_cast<std::size_t>(m_size.levels));
    Kokkos::deep_copy(result, value);
    return result;
  }
  GeneralTridiagonal<ConstField> general() const { return {field(-1), field(3), field(-1)}; }
  SymmetricTridiagonal<ConstField> symmetric() const { return {field(3), field(-1)}; }
  CyclicTridiagonal<ConstField> cyclic() const { return {field(-1), field(4), field(-1)}; }

  Space space{};
  LineSize m_size;
  Field rhs, solution;
};

enum class Form { general, symmetric, cyclic };

template <Form Which, class Fields>
auto coefficients(const Fields& fields) {
  if constexpr (Which == Form::general) {
    return fields.general();
  } else if constexpr (Which == Form::symmetric) {
    return fields.symmetric();
  } else {
    return fields.cyclic();
  }
}

/// One right-hand side, or `Count` of them; a refresh that goes before each solve.
template <Form Which, int Count, bool Refreshes, class Space, class Scalar, class Layout>
struct Solve : LineFields<Space, Scalar, Layout> {
  using Base = LineFields<Space, Scalar, Layout>;

  explicit Solve(const LineSize& size)
      : Base(size), m_solver(this->space, coefficients<Which>(*this)) {
    if constexpr (Which == Form::cyclic) Kokkos::deep_copy(this->rhs, Scalar(2));
    for (int n = 0; n < Count; ++n) {
      m_rhs.push_back(n == 0 ? this->rhs : this->field(0));
      m_solutions.push_back(n == 0 ? this->solution : this->field(0));
      Kokkos::deep_copy(m_rhs[static_cast<std::size_t>(n)], this->rhs);
    }
  }
  static std::string name() {
    const char* form = Which == Form::general     ? "general,"
                       : Which == Form::symmetric ? "symmetric,"
                                                  : "cyclic,";
    return std::string("LineSolver/") + (Refreshes ? "refresh_and_solve<" : "solve<") + form +
           (Count > 1 ? "rhs:" + std::to_string(Count) + ',' : "") + scalar_name<Scalar> + ',' +
           layout_name<Layout> + ',' + Space::name() + '>';
  }
  static constexpr int steps = solves_together<Space>;
  void prepare() {}
  void run() {
    for (int n = 0; n < steps; ++n) {
      if constexpr (Refreshes) m_solver.refresh(this->space);
      m_solver.solve(this->space, m_rhs, m_solutions);
    }
  }
  KernelCost cost() const {
    return cost_of(m_solver.kernel_costs(Count), "Lamina::LineSolver::solve");
  }
  std::string error() const {
    if (m_solver.status(this->space) != SolveStatus::completed) return "a pivot is zero";
    const double allowed = std::is_same_v<Scalar, float> ? 1e-5 : 1e-13;
    double worst = 0;
    for (const auto& solution : m_solutions) {
      worst = std::max(worst, worst_ratio(solution, [](auto, auto) { return 1.0; }));
    }
    return error_above(allowed, worst);
  }

 private:
  LineSolver<decltype(coefficients<Which>(std::declval<const Base&>()))> m_solver;
  std::vector<typename Base::Field> m_rhs, m_solutions;
};

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space, Scalar, Layout)                                            \
  register_subject<Solve<Form::general, 1, false, Space, Scalar, Layout>>(all_sizes());   \
  register_subject<Solve<Form::symmetric, 1, false, Space, Scalar, Layout>>(all_sizes()); \
  register_subject<Solve<Form::general, 1, true, Space, Scalar, Layout>>(some_sizes());   \
  register_subject<Solve<Form::general, 4, false, Space, Scalar, Layout>>(some_sizes());  \
  register_subject<Solve<Form::cyclic, 1, false, Space, Scalar, Layout>>(some_sizes());
  LAMINA_FOR_EACH_FIELD(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
