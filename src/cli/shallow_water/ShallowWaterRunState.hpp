// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The state of a run on one execution space; instantiated by ShallowWaterSolve.cpp.in alone.

#include <lamina/problems/Vortex.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "shallow_water/ShallowWaterBasin.hpp"
#include "shallow_water/ShallowWaterHostState.hpp"
#include "shallow_water/ShallowWaterJournal.hpp"
#include "shallow_water/ShallowWaterTask.hpp"
#include "shallow_water/files/ShallowWaterCheckpoint.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/RankLink.hpp"
#include "support/ranks/RankRecord.hpp"

namespace Lamina::Cli {

/// The state that is stepped, where it starts from, and its copies on the host.
template <ExecutionSpace Execution, class ScalarType>
class ShallowWaterRunState {
 public:
  using Scalar = ScalarType;
  using Memory = typename Execution::memory_space;
  using State = ShallowWaterState<Scalar, Memory>;
  using Basin = WaterBasin<Scalar, Memory>;
  using LeapfrogStepper = Leapfrog<Scalar, Memory>;

  /// Reads the files that the run starts from.
  ShallowWaterRunState(const Execution& space, const ShallowWaterTask& task)
      : m_problem(task.problem),
        m_space(space),
        m_vortex(m_problem.coriolis, m_problem.velocity[0], m_problem.velocity[1]),
        m_link(m_space, task.variant.rank_grid),
        m_strip(make_strip()),
        m_state(make_agreed(ranks(), [&] { return State(m_strip); })),
        m_basin(make_agreed(ranks(), [&] { return Basin(m_strip, m_problem.coriolis); })) {
    make_basin(task);
    run_agreed(ranks(), [&] {
      if (!task.restart.empty()) {
        read_restart(task);
      } else if (!m_problem.generated_initial) {
        m_now = read("--initial", *m_problem.initial_file, StateLevel::now);
      }
    });
  }

  const Execution& space() const { return m_space; }
  const RankLink& link() const { return m_link; }
  const WaterStrip<Memory>& strip() const { return m_strip; }
  const Basin& basin() const { return m_basin; }
  State& state() { return m_state; }
  /// That the run goes on from.
  const std::optional<Checkpoint>& checkpoint() const { return m_checkpoint; }

  /// Sets the state, and what `stepper` keeps of states before, as at the start; may be called again.
  template <class Stepper>
  void prepare(Stepper& stepper) {
    if (m_now) {
      m_now->put(m_space, m_state);
    } else {
      generate();
    }
    if constexpr (std::is_same_v<Stepper, LeapfrogStepper>) {
      stepper.restart();
      if (m_before) {
        const State before = make_agreed(ranks(), [&] { return State(m_strip); });
        m_before->put(m_space, before);
        stepper.set_previous(m_space, before);
        m_space.fence();
      }
    }
  }

  ShallowWaterDiagnostics diagnose() const { return Lamina::diagnose(m_space, m_state, m_basin); }

  /// The largest height of the water column or of its surface at the start. Collective; before the
  /// first copy.
  double largest_height() const {
    if (!m_now && !m_bottom) return 1;  // of generated states
    double largest = 0;
    const auto [nx, ny] = m_strip.owned();
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const double bottom = m_bottom ? static_cast<double>(m_bottom->mirror()(i, j)) : 0;
        const double column = m_now ? m_now->height(i, j) : 1 - bottom;
        for (const double height : {std::abs(column), std::abs(column + bottom)}) {
          if (std::isfinite(height)) largest = std::max(largest, height);
        }
      }
    }
    return largest_of_all(ranks(), largest);
  }

  /// What this rank of several has: lines, and ghost lines at both ends.
  RankRecord::OfRank share() const {
    const int lines = m_strip.owned().ny;
    return {.owned = lines, .halo = lines > 0 ? 2 : 0, .peers = m_link.use().most_peers};
  }

  /// Copies of the state and of the one before that `stepper` keeps; both must outlive the result.
  /// After the first copy the start is lost.
  template <class Stepper>
  StateCopies copies(const Stepper& stepper) {
    return {.now = [this] { return take(m_now, m_state); },
            .previous = [this, &stepper] { return take_previous(stepper); },
            .cells = {.first_x = m_strip.first_line(),
                      .num_x = m_strip.owned().ny,
                      .num_y = m_strip.owned().nx}};
  }

  /// Where an exact solution is known.
  std::optional<SolutionError> error(double time) const {
    if (m_problem.generated_initial != InitialState::vortex || !m_vortex.has_exact_solution() ||
        m_problem.has_bottom() || m_problem.beta != 0 || m_problem.viscosity != 0) {
      return std::nullopt;
    }
    const HeightError error = m_vortex.error(m_space, m_state, time);
    return SolutionError{error.l2, error.linf};
  }

 private:
  using Host = HostState<Scalar, Memory>;

  const Ranks* ranks() const { return m_link.ranks(); }
  WaterStrip<Memory> make_strip() const {
    if (ranks() == nullptr) return WaterStrip<Memory>(m_problem.size, m_problem.sides);
    return WaterStrip<Memory>(m_link.transport(), m_problem.size,
                              Partition::blocks(m_problem.size.ny, m_link.size()), m_problem.sides);
  }
  void make_basin(const ShallowWaterTask& task) {
    if (m_problem.has_bottom()) {
      m_bottom.emplace(make_agreed(ranks(), [&] { return HostField<Scalar, Memory>(m_strip); }));
      run_agreed(ranks(), [&] {
        put_bottom(task, m_bottom->lines(), std::numeric_limits<Scalar>::max(), m_bottom->reader());
        m_bottom->put(m_space);
      });
      m_basin = m_basin.with_bottom(m_space, m_bottom->view());
    }
    if (m_problem.beta != 0) {
      const auto f = make_agreed(ranks(), [&] { return HostField<Scalar, Memory>(m_strip); });
      run_agreed(ranks(), [&] {
        put_coriolis(m_problem, f.lines(), f.reader());
        f.put(m_space);
      });
      m_basin = m_basin.with_coriolis(m_space, f.view());
    }
    m_basin = m_basin.with_viscosity(m_problem.viscosity);
  }
  /// The state that the initial data of a flat bottom have, with the same surface.
  void generate() {
    if (m_problem.generated_initial == InitialState::vortex) {
      m_vortex.fill_vortex(m_space, m_state);
    } else {
      m_vortex.fill_depression(m_space, m_state);
    }
    if (!m_bottom) return;
    const Host surface = make_agreed(ranks(), [&] { return Host(m_strip); });
    (void)surface.take(m_space, m_state);
    surface.subtract_from_height(*m_bottom);
    surface.put(m_space, m_state);
    m_space.fence();
  }
  void read_restart(const ShallowWaterTask& task) {
    const NetcdfReader& file = *task.restart_file;
    m_checkpoint = for_option("--restart", [&] { return read_checkpoint(file); });
    m_now = read("--restart", file, StateLevel::now);
    if (task.variant.scheme == TimeScheme::leapfrog && m_checkpoint->has_previous) {
      m_before = read("--restart", file, StateLevel::previous);
    }
  }
  Host read(const char* option, const NetcdfReader& file, StateLevel level) const {
    Host state(m_strip);
    for_option(option, [&] { state.read(file, level); });
    return state;
  }
  FieldLines take(std::optional<Host>& host, const State& state) {
    if (!host) host.emplace(make_agreed(ranks(), [&] { return Host(m_strip); }));
    FieldLines lines = host->take(m_space, state);
    if (m_bottom) lines.bottom = m_bottom->writer();
    return lines;
  }
  template <class Stepper>
  std::optional<FieldLines> take_previous([[maybe_unused]] const Stepper& stepper) {
    if constexpr (std::is_same_v<Stepper, LeapfrogStepper>) {
      if (stepper.has_previous()) return take(m_before, stepper.previous());
    }
    return std::nullopt;
  }

  const ShallowWaterProblem& m_problem;
  Execution m_space;
  Vortex m_vortex;
  RankLink m_link;
  WaterStrip<Memory> m_strip;
  State m_state;
  Basin m_basin;
  std::optional<HostField<Scalar, Memory>> m_bottom;
  std::optional<Checkpoint> m_checkpoint;
  std::optional<Host> m_now, m_before;  // the start, then copies; m_before: of leapfrog
};

}  // namespace Lamina::Cli
