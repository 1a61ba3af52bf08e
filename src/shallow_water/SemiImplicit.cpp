// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>

namespace Lamina {
namespace {

/// g^2 = (dt / (2 h))^2
double squared_factor(const Rectangle& rectangle, double time_step) {
  const double g = 0.5 * time_step * Impl::inverse_mesh_width(rectangle);
  return g * g;
}

/// Fields that `FusedPcg` moves from a guess of zero in so many first and second sweeps.
double fields_of_sweeps(int first, int second, double weight) {
  double fields = first * (1 + weight);
  for (int pass = 0; pass < second; ++pass) {
    // Without a direction before it; with a solution that is not read yet
    const double sweep = pass == 0 ? 3 : pass == 1 ? 5 : pass % 2 == 1 ? 6 : 4;
    fields += sweep + weight;
  }
  return fields;
}

/// The same with a preconditioner, beside its cycles: the residual, the sum of the solution, and iterations of
/// two sweeps, each other one with an update. A fixed count leaves out the last sweep.
double fields_of_multigrid(int iterations, bool fixed, double weight) {
  const int advances = fixed ? iterations - 1 : iterations;
  const double updates = advances / 2;
  return 2 + Impl::parts_of_solution(fixed, iterations) + iterations * (1 + weight) +
         advances * (5 + weight) + 2 * updates;
}

/// What make() returns. Ranks that make a multigrid together agree on failures.
template <class Memory, class Make>
auto make_agreed(const WaterStrip<Memory>& strip, const SemiImplicitOptions& options,
                 const Make& make) {
  const bool together = options.preconditioner == CgPreconditioner::multigrid;
  std::optional<decltype(make())> made;
  Impl::run_agreed(together ? strip.transport() : nullptr, [&] { made.emplace(make()); });
  return std::move(*made);
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
SemiImplicit<Scalar, Memory>::SemiImplicit(const WaterBasin<Scalar, Memory>& basin,
                                           double time_step, const SemiImplicitOptions& options)
    : m_time_step(time_step),
      m_basin(basin),
      m_diffusion(make_agreed(basin.strip(), options,
                              [&] {
                                return Impl::VelocityDiffusion<Scalar, Memory>("SemiImplicit",
                                                                               basin, time_step);
                              })),
      m_options(options),
      m_next(make_agreed(basin.strip(), options,
                         [&] { return State(basin.strip(), "Lamina::SemiImplicit::next"); })),
      m_residual(
          make_agreed(basin.strip(), options,
                      [&] { return State(basin.strip(), "Lamina::SemiImplicit::residual"); })),
      m_weight(make_agreed(basin.strip(), options,
                           [&] {
                             return options.reference_height == ReferenceHeight::one
                                        ? field_type()
                                        : Impl::make_ghosted<Scalar, Memory>(
                                              "Lamina::SemiImplicit::weight", rectangle());
                           })),
      m_operator(make_agreed(basin.strip(), options,
                             [&] {
                               const double factor = squared_factor(rectangle(), time_step);
                               return Operator(basin.strip(), factor, factor, m_weight,
                                               InitialGuess::zero);
                             })),
      m_multigrid(make_multigrid(m_operator, options.preconditioner)),
      m_task(std::make_shared<Task>()),
      m_cg(make_agreed(basin.strip(), options,
                       [&] { return make_cg(m_operator, m_multigrid, m_task); })) {
  Impl::require_step("SemiImplicit", time_step);
  constexpr int most = PlainCg::max_check_every;
  Impl::require_criteria("SemiImplicit: newton", options.newton, most);
  Impl::require_criteria("SemiImplicit: cg", options.cg, most);
  // It starts from 0, and its right-hand side is no field.
  m_options.cg.relative_to = Reference::initial_residual;
}

template <FieldScalar Scalar, MemorySpace Memory>
auto SemiImplicit<Scalar, Memory>::make_multigrid(const Operator& op, CgPreconditioner choice)
    -> std::optional<Multigrid> {
  if (choice == CgPreconditioner::none) return std::nullopt;
  return Multigrid(typename Memory::execution_space(), op);
}

template <FieldScalar Scalar, MemorySpace Memory>
auto SemiImplicit<Scalar, Memory>::make_cg(const Operator& op,
                                           const std::optional<Multigrid>& multigrid,
                                           const std::shared_ptr<const Task>& task)
    -> std::variant<PlainCg, MultigridCg> {
  const typename Memory::execution_space space;
  if (!multigrid) return PlainCg(space, {op, task});
  return MultigridCg(space, {MultigridPeriodic<Scalar, Memory>(*multigrid), task});
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> SemiImplicit<Scalar, Memory>::kernel_costs() const {
  const double cells = rectangle().cells();
  const double weight = m_weight.data() != nullptr ? 1 : 0;
  const auto cost = [&](const char* label, double fields, double flops) {
    return KernelCost{label, cells * fields * sizeof(Scalar), cells * flops};
  };
  std::vector<KernelCost> costs;
  const auto of_model = m_multigrid ? MultigridPeriodic<Scalar, Memory>(*m_multigrid).kernel_costs()
                                    : m_operator.kernel_costs();
  for (const KernelCost& more : of_model) {
    const bool copy = more.label == "Lamina::ShallowWaterState::copy_cells";
    const bool own = more.label == "Lamina::PeriodicHelmholtz::finish" || (copy && weight == 0);
    if (!own) costs.push_back(more);
  }
  costs.push_back(cost("Lamina::ShallowWaterState::first_fault", 3, 6));
  costs.push_back(cost("Lamina::SemiImplicit::first_residual", 6 + m_basin.num_fields(), 80));
  costs.push_back(cost("Lamina::SemiImplicit::residual", 9 + m_basin.num_fields(), 170));
  costs.push_back(cost("Lamina::SemiImplicit::start", 4 + weight, 10));
  const int parts =
      m_options.cg.fixed_count ? Impl::parts_of_solution(true, m_options.cg.max_iterations) : 1;
  costs.push_back(cost("Lamina::SemiImplicit::correct", 8 + parts, 9 + 6 * parts));
  if (m_multigrid) costs.push_back(cost("Lamina::MultigridPeriodic::sum_solution", parts, 4));
  for (const KernelCost& more : m_diffusion.kernel_costs(rectangle())) costs.push_back(more);
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost SemiImplicit<Scalar, Memory>::step_cost(int newton_iterations, int cg_iterations) const {
  const double cells = rectangle().cells();
  const double weight = m_weight.data() != nullptr ? 1 : 0;
  const bool fixed = m_options.cg.fixed_count;
  double sweeps = fixed ? fields_of_sweeps(cg_iterations, cg_iterations - 1, weight)
                        : fields_of_sweeps(cg_iterations + 1, cg_iterations, weight);
  if (m_multigrid) sweeps = fields_of_multigrid(cg_iterations, fixed, weight);
  const double correction = 8 + Impl::parts_of_solution(fixed, cg_iterations);
  // Once for the tendencies at y^n less
  const double fields =
      newton_iterations * (9 + m_basin.num_fields() + 4 + weight + sweeps + correction) - 3;
  const double flops = newton_iterations * (170.0 + 25 + cg_iterations * 28);
  KernelCost cost{"Lamina::SemiImplicit::step", cells * fields * sizeof(Scalar), cells * flops};
  if (m_multigrid) {
    const KernelCost cycle = m_multigrid->cycle_cost();
    const double cycles = static_cast<double>(newton_iterations) * cg_iterations;
    cost.bytes += cycles * cycle.bytes + weight * m_multigrid->update_cost().bytes;
    cost.flops += cycles * cycle.flops + weight * m_multigrid->update_cost().flops;
  }
  m_diffusion.add_cost(rectangle(), cost);
  return cost;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class SemiImplicit<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

namespace Impl {

#define LAMINA_INSTANTIATE_KERNELS(Space)            \
  template struct SemiImplicitKernels<Space, float>; \
  template struct SemiImplicitKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Impl
}  // namespace Lamina
