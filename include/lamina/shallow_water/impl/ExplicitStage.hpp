// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/device/impl/SideInstance.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/StepReport.hpp>
#include <lamina/shallow_water/VelocityMass.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>
#include <lamina/shallow_water/impl/StageKernels.hpp>

#include <type_traits>
#include <vector>

namespace Lamina::Impl {

/// \throws InvalidArgument unless dt is positive and finite.
void require_step(const char* function, double time_step);

/// (1 - centre) times a base, plus centre times the state whose tendencies are taken, plus step
/// times these. Factors of states add up to 1 in their own precision, else water would be lost in
/// every step.
struct StageFactors {
  double centre, step;
};

/// Stages of explicit schemes: the sweep for the tendencies, the mass solves, and the exchange of
/// ghosts. What the solve along y needs of other ranks travels beside the solve along x.
/// Copies share the right-hand sides: one stage at a time.
template <class Scalar, class Memory>
class ExplicitStage {
 public:
  using State = ShallowWaterState<Scalar, Memory>;
  using field_type = typename State::field_type;

  ExplicitStage(const WaterBasin<Scalar, Memory>& basin, const MassOptions& mass)
      : m_strip(basin.strip()),
        m_basin(basin),
        m_mass(m_strip, mass),
        m_rhs_u(make_ghosted<Scalar, Memory>("Lamina::ExplicitStage::rhs_u", m_strip.owned())),
        m_rhs_v(make_ghosted<Scalar, Memory>("Lamina::ExplicitStage::rhs_v", m_strip.owned())) {
    if (!m_strip.is_whole()) m_side.open(typename Memory::execution_space());
  }

  const WaterStrip<Memory>& strip() const { return m_strip; }
  const WaterBasin<Scalar, Memory>& basin() const { return m_basin; }

  /// height, u, v = (1 - factors.centre) base + factors.centre centre + factors.step k(centre).
  /// `height` may be that of the base, u and v those of the base or the centre. Ghosts of (height,
  /// u, v) are filled.
  template <class Space>
  void run(const Space& space, const StageFactors& factors, const State& base,
           const StateFields<Scalar>& centre, const field_type (&centre_velocity)[2],
           const field_type& height, const field_type& u, const field_type& v,
           StepReport& report) const {
    const auto b = static_cast<Scalar>(factors.centre), a = 1 - b,
               c = static_cast<Scalar>(factors.step);
    const BasinFields<Scalar> basin = m_basin.fields();
    const double inverse_h = inverse_mesh_width(m_strip.owned());
    const auto sweep = [&](const auto& of_basin) {
      using Sweep = StageSweep<Scalar, std::decay_t<decltype(of_basin)>>;
      StageKernels<Space, Scalar>::sweep(
          space, CellRange::all(m_strip.owned()),
          Sweep{centre, of_basin, ghosted_lines_of(base.height()), a, b, c,
                ghosted_lines_of(height), ghosted_lines_of(m_rhs_u), ghosted_lines_of(m_rhs_v)});
    };
    if (basin.varies()) {
      sweep(basin.factors(inverse_h));
    } else {
      sweep(basin.uniform_factors(inverse_h));
    }
    const auto solve_along_x = [&] {
      add(report, m_mass.solve_with_ends(space, VelocityComponent::u, m_rhs_u, a, base.u(), b,
                                         centre_velocity[0], c, u));
    };
    const bool needs_ends = m_mass.needs_ends(VelocityComponent::v);
    if (needs_ends && !m_strip.is_whole()) {
      const auto& side = m_side.after(space);
      const JoinAtEnd joins(m_side, space);
      m_mass.start_ends(side, m_rhs_v);
      solve_along_x();
      m_mass.finish_ends(side);
    } else {
      if (needs_ends) m_mass.start_ends(space, m_rhs_v);
      solve_along_x();
    }
    add(report, m_mass.solve_with_ends(space, VelocityComponent::v, m_rhs_v, a, base.v(), b,
                                       centre_velocity[1], c, v));
    m_strip.exchange(space, StateFields<Scalar>(ghosted_lines_of(height), ghosted_lines_of(u),
                                                ghosted_lines_of(v)));
  }

  std::vector<KernelCost> kernel_costs() const;
  /// What ends of lines cost in a stage, beside the sweep and the mass solves.
  KernelCost ends_cost() const {
    const KernelCost pass = m_mass.ends_cost();
    const int passes = m_mass.ends_passes();
    return {pass.label, passes * pass.bytes, passes * pass.flops};
  }

 private:
  static void add(StepReport& report, const SolveReport& solve) {
    report.mass_iterations += solve.iterations;
    if (report.status == SolveStatus::completed && !solve.succeeded()) report.status = solve.status;
  }

  WaterStrip<Memory> m_strip;
  WaterBasin<Scalar, Memory> m_basin;
  VelocityMass<Scalar, Memory> m_mass;
  field_type m_rhs_u, m_rhs_v;
  SideInstance<typename Memory::execution_space> m_side;  // for ends of lines
};

}  // namespace Lamina::Impl
