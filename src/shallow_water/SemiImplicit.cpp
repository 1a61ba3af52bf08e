// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>

namespace Lamina {
namespace {

/// g^2 = (dt / (2 h))^2
double squared_factor(int n, double time_step) {
  const double g = 0.5 * time_step * n;
  return g * g;
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
SemiImplicit<Scalar, Memory>::SemiImplicit(int n, double time_step, double coriolis,
                                           const SemiImplicitOptions& options)
    : m_time_step(time_step),
      m_coriolis(coriolis),
      m_options(options),
      m_next(n, "Lamina::SemiImplicit::next"),
      m_residual(n, "Lamina::SemiImplicit::residual"),
      m_rhs(Impl::make_ghosted<Scalar, Memory>("Lamina::SemiImplicit::rhs", n)),
      m_correction(Impl::make_ghosted<Scalar, Memory>("Lamina::SemiImplicit::correction", n)),
      m_weight(options.reference_height == ReferenceHeight::one
                   ? field_type()
                   : Impl::make_ghosted<Scalar, Memory>("Lamina::SemiImplicit::weight", n)),
      m_operator(n, squared_factor(n, time_step), squared_factor(n, time_step), m_weight,
                 InitialGuess::zero),
      m_cg(m_operator) {
  Impl::require_step("SemiImplicit", time_step, coriolis);
  constexpr int most = FusedCg<Operator>::max_check_every;
  Impl::require_criteria("SemiImplicit: newton", options.newton, most);
  Impl::require_criteria("SemiImplicit: cg", options.cg, most);
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> SemiImplicit<Scalar, Memory>::kernel_costs() const {
  const double cells = static_cast<double>(size()) * size();
  const double weight = m_weight.data() != nullptr ? 1 : 0;
  const auto cost = [&](const char* label, double fields, double flops) {
    return KernelCost{label, cells * fields * sizeof(Scalar), cells * flops};
  };
  auto costs = m_operator.kernel_costs();
  costs.push_back(cost("Lamina::SemiImplicit::first_residual", 6, 80));
  costs.push_back(cost("Lamina::SemiImplicit::residual", 9, 170));
  costs.push_back(cost("Lamina::SemiImplicit::right_hand_side", 4 + weight, 10));
  costs.push_back(cost("Lamina::SemiImplicit::correct", 9, 9));
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost SemiImplicit<Scalar, Memory>::step_cost(int newton_iterations, int cg_iterations) const {
  // Once for the tendencies at y^n less
  const double cells = static_cast<double>(size()) * size();
  const double weight = m_weight.data() != nullptr ? 1 : 0;
  const double fields =
      newton_iterations * (9 + 4 + 9 + weight + 8 + cg_iterations * (6 + 2 * weight)) - 3;
  const double flops = newton_iterations * (170.0 + 19 + cg_iterations * 28);
  return {"Lamina::SemiImplicit::step", cells * fields * sizeof(Scalar), cells * flops};
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class SemiImplicit<Scalar, Memory>;
LAMINA_INSTANTIATE(float, Kokkos::HostSpace)
LAMINA_INSTANTIATE(double, Kokkos::HostSpace)
#if defined(KOKKOS_ENABLE_CUDA)
LAMINA_INSTANTIATE(float, Kokkos::CudaSpace)
LAMINA_INSTANTIATE(double, Kokkos::CudaSpace)
#endif

namespace Impl {

#define LAMINA_INSTANTIATE_KERNELS(Space)            \
  template struct SemiImplicitKernels<Space, float>; \
  template struct SemiImplicitKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Impl
}  // namespace Lamina
