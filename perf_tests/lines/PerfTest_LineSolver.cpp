// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Line solves over all columns, with stored coefficients.

#include <lamina/core/impl/Instantiate.hpp>
#include <lamina/lines/LineSolver.hpp>

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
const std::vector<LineSize> sizes{
    {65536, 128}, {65521, 127}, {262144, 16}, {2048, 4096}, {1024, 128}};

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
  auto general() const { return GeneralTridiagonal<ConstField>{field(-1), field(3), field(-1)}; }
  auto symmetric() const { return SymmetricTridiagonal<ConstField>{field(3), field(-1)}; }

  Space space{};
  LineSize m_size;
  Field rhs, solution;
};

template <bool Symmetric, class Space, class Scalar, class Layout>
struct Solve : LineFields<Space, Scalar, Layout> {
  using Base = LineFields<Space, Scalar, Layout>;
  using Coefficients =
      std::conditional_t<Symmetric, SymmetricTridiagonal<typename Base::ConstField>,
                         GeneralTridiagonal<typename Base::ConstField>>;

  explicit Solve(const LineSize& size) : Base(size), m_solver(this->space, coefficients()) {}
  static std::string name() {
    return std::string("LineSolver/solve<") + (Symmetric ? "symmetric," : "general,") +
           scalar_name<Scalar> + ',' + layout_name<Layout> + ',' + Space::name() + '>';
  }
  static constexpr int steps = solves_together<Space>;
  void prepare() {}
  void run() {
    for (int n = 0; n < steps; ++n) m_solver.solve(this->space, this->rhs, this->solution);
  }
  KernelCost cost() const { return cost_of(m_solver.kernel_costs(), "Lamina::LineSolver::solve"); }
  std::string error() const {
    const double allowed = std::is_same_v<Scalar, float> ? 1e-5 : 1e-13;
    return error_above(allowed, worst_ratio(this->solution, [](auto, auto) { return 1.0; }));
  }

 private:
  Coefficients coefficients() const {
    if constexpr (Symmetric) {
      return this->symmetric();
    } else {
      return this->general();
    }
  }
  LineSolver<Coefficients> m_solver;
};

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space, Scalar, Layout)                  \
  register_subject<Solve<false, Space, Scalar, Layout>>(sizes); \
  register_subject<Solve<true, Space, Scalar, Layout>>(sizes);
  LAMINA_FOR_EACH_FIELD(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
