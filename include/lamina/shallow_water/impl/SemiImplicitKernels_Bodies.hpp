// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Access.hpp>
#include <lamina/shallow_water/impl/SemiImplicitKernels.hpp>
#include <lamina/shallow_water/impl/march/March_Device.hpp>
#include <lamina/shallow_water/impl/march/March_Host.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Residuals from the tendencies of both states, which walk across the lines side by side.
/// `AtStart`: the states are the same.
template <class Scalar, class Factors, bool AtStart, bool WithSum>
struct SemiImplicitResidual {
  static constexpr bool has_sum = WithSum;

  StateFields<const Scalar> given, iterate;
  Factors factors;
  Scalar time_step;
  StateFields<Scalar> residual;
  double* sum;

  template <class Value>
  struct March {
    TendencyMarch<Value> given, iterate;

    KOKKOS_FORCEINLINE_FUNCTION void take(const SemiImplicitResidual& sweep, std::int64_t i,
                                          std::int64_t j) {
      (void)given.take(sweep.given, sweep.factors, i, j);
      if constexpr (!AtStart) (void)iterate.take(sweep.iterate, sweep.factors, i, j);
    }
    template <class Sum>
    KOKKOS_FORCEINLINE_FUNCTION void finish(const SemiImplicitResidual& sweep, std::int64_t i,
                                            std::int64_t j, Sum& sum) {
      const CellTendency<Value> before = given.take(sweep.given, sweep.factors, i, j + 1);
      if constexpr (AtStart) {
        const Scalar step = -sweep.time_step;
        sweep.put(i, j, step * before.height, step * before.u, step * before.v, sum);
      } else {
        const CellTendency<Value> after = iterate.take(sweep.iterate, sweep.factors, i, j + 1);
        const Scalar half = Scalar(0.5) * sweep.time_step;
        const auto change = [&](const GridField<const Scalar>& to,
                                const GridField<const Scalar>& from, std::int64_t di,
                                std::int64_t dj) {
          return load<Value>(to.line(j + dj) + i + di) - load<Value>(from.line(j + dj) + i + di);
        };
        const auto mass = [&](const Value& one, const Value& middle, const Value& other) {
          return Scalar(1.0 / 6) * (one + Scalar(4) * middle + other);
        };
        const auto &u = sweep.iterate.u, &old_u = sweep.given.u, &v = sweep.iterate.v,
                   &old_v = sweep.given.v;
        const Value height = change(sweep.iterate.height, sweep.given.height, 0, 0) -
                             half * (before.height + after.height);
        const Value along_x =
            mass(change(u, old_u, -1, 0), change(u, old_u, 0, 0), change(u, old_u, 1, 0)) -
            half * (before.u + after.u);
        const Value along_y =
            mass(change(v, old_v, 0, -1), change(v, old_v, 0, 0), change(v, old_v, 0, 1)) -
            half * (before.v + after.v);
        sweep.put(i, j, height, along_x, along_y, sum);
      }
    }
  };

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void put(std::int64_t i, std::int64_t j, const Value& height,
                                       const Value& u, const Value& v, Sum& to) const {
    store(residual.height.line(j) + i, height);
    store(residual.u.line(j) + i, u);
    store(residual.v.line(j) + i, v);
    if constexpr (WithSum) {
      add_product(to, height, height);
      add_product(to, u, u);
      add_product(to, v, v);
    }
  }
  void prefetch(std::int64_t i, std::int64_t j) const {
    factors.prefetch(i, j);
    for (const auto* state : {&given, &iterate}) {
      prefetch_line(state->height.line(j) + i);
      prefetch_line(state->u.line(j) + i);
      prefetch_line(state->v.line(j) + i);
    }
  }
};

template <class Scalar, bool Weighted>
struct SemiImplicitStart {
  SemiImplicitEquation<Scalar> equation;
  StateFields<const Scalar> residual;
  GridField<Scalar> r;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const Value outflow =
        edge<Value>(residual.u, i, j, 1, 0) - edge<Value>(residual.u, i + 1, j, 1, 0) +
        edge<Value>(residual.v, i, j, 0, 1) - edge<Value>(residual.v, i, j + 1, 0, 1);
    const Value value =
        -load<Value>(residual.height.line(j) + i) - equation.gradient_factor() * outflow;
    store(r.line(j) + i, value);
  }

 private:
  /// P R at the edge between cell (i, j) and the one before it.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value edge(const GridField<const Scalar>& field, std::int64_t i,
                                         std::int64_t j, std::int64_t di, std::int64_t dj) const {
    const Value value = load<Value>(field.line(j) + i);
    if constexpr (Weighted) {
      const auto& weight = equation.weight;
      return Scalar(0.5) *
             (load<Value>(weight.line(j - dj) + i - di) + load<Value>(weight.line(j) + i)) * value;
    } else {
      return value;
    }
  }
};

template <class Scalar>
struct SemiImplicitCorrection {
  SemiImplicitEquation<Scalar> equation;
  CgSolution<Scalar> solution;
  MeanOfSolution mean_of;
  StateFields<const Scalar> residual, iterate;
  StateFields<Scalar> next;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const Scalar g = equation.gradient_factor();
    const Value x = solution.template at<Value>(i, j), west = solution.template at<Value>(i - 1, j),
                south = solution.template at<Value>(i, j - 1);
    const auto of = [&](const GridField<const Scalar>& field) {
      return load<Value>(field.line(j) + i);
    };
    const Scalar mean =
        mean_of.sum == nullptr ? Scalar(0) : static_cast<Scalar>(*mean_of.sum / mean_of.cells);
    const Value height = of(iterate.height) + (x - mean),
                along_x = of(iterate.u) - g * (x - west) - of(residual.u),
                along_y = of(iterate.v) - g * (x - south) - of(residual.v);
    store(next.height.line(j) + i, height);
    store(next.u.line(j) + i, along_x);
    store(next.v.line(j) + i, along_y);
  }
};

template <class Space, class Scalar, class Factors, class Memory>
void run_residual(const Space& space, const SemiImplicitEquation<Scalar>& equation,
                  const Factors& factors, const StateFields<const Scalar>& given,
                  const StateFields<const Scalar>& iterate, const StateFields<Scalar>& residual,
                  bool with_sum, const ResidualSums<Memory>& sums) {
  const auto run = [&](auto at_start, auto sum) {
    const CellRange range = CellRange::all(equation.rectangle);
    const char* label =
        at_start ? "Lamina::SemiImplicit::first_residual" : "Lamina::SemiImplicit::residual";
    const SemiImplicitResidual<Scalar, Factors, at_start, sum> sweep{
        given, iterate, factors, equation.time_step, residual, sums.sum()};
    if constexpr (runs_on_host<Space>) {
      run_host_march<Scalar>(label, space, range, sweep);
    } else {
      run_device_march<Scalar>(label, space, range, residual.height.stride, sweep, sums.parts());
    }
  };
  const auto run_sum = [&](auto at_start) {
    if (with_sum) {
      run(at_start, std::true_type());
    } else {
      run(at_start, std::false_type());
    }
  };
  if (given.height.values == iterate.height.values) {
    run_sum(std::true_type());
  } else {
    run_sum(std::false_type());
  }
}

template <class Space, class Scalar>
void SemiImplicitKernels<Space, Scalar>::residual(const Space& space, const Equation& equation,
                                                  const State& given, const State& iterate,
                                                  const StateFields<Scalar>& residual,
                                                  bool with_sum, const ResidualSums<Memory>& sums) {
  if (CellRange::all(equation.rectangle).count() == 0) return sums.reset(space);
  if (equation.basin.varies()) {
    run_residual(space, equation, equation.basin.factors(static_cast<double>(equation.inverse_h)),
                 given, iterate, residual, with_sum, sums);
  } else {
    run_residual(space, equation,
                 equation.basin.uniform_factors(static_cast<double>(equation.inverse_h)), given,
                 iterate, residual, with_sum, sums);
  }
}

template <class Space, class Scalar>
void SemiImplicitKernels<Space, Scalar>::start(const Space& space, const Equation& equation,
                                               const State& residual, const GridField<Scalar>& r) {
  const auto run = [&](auto weighted) {
    run_cells<Scalar>("Lamina::SemiImplicit::start", space, CellRange::all(equation.rectangle),
                      SemiImplicitStart<Scalar, weighted>{equation, residual, r});
  };
  if (equation.weight.values != nullptr) {
    run(std::true_type());
  } else {
    run(std::false_type());
  }
}

template <class Space, class Scalar>
void SemiImplicitKernels<Space, Scalar>::correct(const Space& space, const Equation& equation,
                                                 const CgSolution<Scalar>& solution,
                                                 const MeanOfSolution& mean_of,
                                                 const State& residual, const State& iterate,
                                                 const StateFields<Scalar>& next) {
  run_cells<Scalar>(
      "Lamina::SemiImplicit::correct", space, CellRange::all(equation.rectangle),
      SemiImplicitCorrection<Scalar>{equation, solution, mean_of, residual, iterate, next});
}

}  // namespace Lamina::Impl
