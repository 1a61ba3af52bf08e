// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/ResidentTeams.hpp>
#include <lamina/poisson/impl/GridTextures_Cuda.hpp>
#include <lamina/poisson/impl/GridTiles_Device.hpp>
#include <lamina/poisson/impl/PoissonKernels.hpp>
#include <lamina/poisson/impl/ResidentGrid_Device.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>
#include <lamina/sweeps/impl/CgSweeps.hpp>
#include <lamina/sweeps/impl/GridStencil_Device.hpp>
#include <lamina/sweeps/impl/GridTraversal_Host.hpp>

#include <cstddef>
#include <type_traits>

namespace Lamina::Impl {

/// Runs a sweep over all cells. `wide`: lines may be read in packs, also the last of a line.
template <class Space, class Scalar, class Sweep, class Memory>
void run_grid(const char* label, const Space& space, const Grid& grid, std::int64_t stride,
              bool wide, const Sweep& sweep, const TeamParts<Memory>& parts) {
  using System = GridSystem<FivePoint<Scalar, typename Space::memory_space>>;
  const System system{grid.topology, {}};
  if constexpr (runs_on_host<Space>) {
    run_host_sweep(label, space, system, sweep);
  } else {
    constexpr auto start = KernelStart::in_turn;  // it may read through textures
    constexpr bool plain = std::is_same_v<typename Sweep::read_type, GridField<const Scalar>>;
    if constexpr (plain) {
      if (grid.memory == StencilMemory::shared) {
        return run_device_tiles(label, space, system, sweep, parts);
      }
      if (grid.memory == StencilMemory::automatic && wide) {
        constexpr int width = pack_width<Scalar>;
        return traverse_grid<width>(label, space, system, stride, sweep, parts, false, start);
      }
    }
    const bool one_line = !plain || grid.memory == StencilMemory::global;
    traverse_grid<1>(label, space, system, stride, sweep, parts, one_line, start);
  }
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::apply(const Space& space, const Grid& grid, const Input& x,
                                          const Output& y) {
  constexpr int width = pack_width<Scalar>;
  const bool wide = lines_aligned<width>(x, y) && grid.topology.num_owned % width == 0;
  const auto run = [&]<class Read>(const Read& x_read) {
    run_grid<Space, Scalar>("Lamina::PoissonOperator::apply", space, grid, x.stride, wide,
                            CgApply<Scalar, Read>{x_read, y}, Parts());
  };
  read_fields<Space, Scalar>(grid, run, x);
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::start(const Space& space, const Grid& grid, const Input& b,
                                          const Input& x, const Output& u, const Output& r) {
  constexpr int width = pack_width<Scalar>;
  const bool wide = lines_aligned<width>(x, b) && grid.topology.num_owned % width == 0;
  const auto run = [&]<class Read>(const Read& x_read) {
    run_grid<Space, Scalar>("Lamina::FusedPoisson::start", space, grid, x.stride, wide,
                            CgStart<Scalar, Read, true>{b, x_read, u, r}, Parts());
  };
  read_fields<Space, Scalar>(grid, run, x);
}

inline CellRange all_cells(const Grid& grid) {
  return {0, grid.topology.num_owned, 0, grid.topology.num_levels};
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::copy(const Space& space, const Grid& grid,
                                         const StridedCells<const Scalar>& from, const Output& to) {
  run_cells<Scalar>("Lamina::FusedPoisson::copy_across", space, all_cells(grid),
                    CopyCells<Scalar>{from, cells_of_lines(to)});
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::residual(const Space& space, const Grid& grid,
                                             const StridedCells<const Scalar>& b, const Input& u,
                                             const Output& r) {
  copy(space, grid, b, r);
  run_grid<Space, Scalar>("Lamina::FusedPoisson::subtract_image", space, grid, u.stride, true,
                          CgStart<Scalar, Input, false>{r, u, {}, r}, Parts());
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::measure(const Space& space, const Grid& grid, const Step& step,
                                            const Parts& parts, const Input& r) {
  const auto run = [&]<class Read>(const Read& r_read) {
    run_grid<Space, Scalar>("Lamina::FusedPoisson::measure", space, grid, r.stride, true,
                            CgMeasure<Read, Memory>{step, r_read}, parts);
  };
  read_fields<Space, Scalar>(grid, run, r);
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::advance(const Space& space, const Grid& grid, const Step& step,
                                            bool update, const Input& r, const Input& p,
                                            const Output& new_p, const Output& new_r,
                                            const Output& u) {
  choose_cg_advance<Space>(update, grid.topology, r, [&](auto updates, auto streams) {
    const auto run = [&]<class Read>(const Read& r_read, const Read& p_read) {
      const char* label =
          updates ? "Lamina::FusedPoisson::advance_and_update" : "Lamina::FusedPoisson::advance";
      using Sweep = CgAdvance<Scalar, Read, Memory, updates, streams, std::false_type>;
      run_grid<Space, Scalar>(label, space, grid, r.stride, true,
                              Sweep{step, r_read, p_read, r, p, new_p, new_r, u, {}}, Parts());
    };
    read_fields<Space, Scalar>(grid, run, r, p);
  });
}

template <class Space, class Scalar>
int PoissonKernels<Space, Scalar>::teams_on_chip(const Space& space, const Grid& grid) {
  if constexpr (has_resident_teams<Space>) {
    using Kernel = ResidentGrid<Scalar, Memory>;
    if (grid.memory != StencilMemory::automatic) return 0;
    const auto limits = resident_limits<Kernel::team_size, Kernel>(space);
    const auto line_bytes = 3 * sizeof(Scalar) * static_cast<std::size_t>(grid.topology.num_owned);
    if (line_bytes > limits.scratch_bytes) return 0;
    const auto bands = Kernel::bands_of(grid.topology, limits.teams);
    return Kernel::scratch_bytes(bands) <= limits.scratch_bytes ? limits.teams : 0;
  } else {
    return 0;
  }
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::iterate(const Space& space, const Grid& grid, int most_teams,
                                            const FusedSteps<Memory>& steps, int first, int last,
                                            const Parts& parts, const Output (&residuals)[2],
                                            const Output (&directions)[2], const Output& u) {
  if constexpr (has_resident_teams<Space>) {
    using Kernel = ResidentGrid<Scalar, Memory>;
    const auto bands = Kernel::bands_of(grid.topology, most_teams);
    const Kernel kernel{bands,
                        steps,
                        first,
                        last,
                        parts.data(),
                        {residuals[0], residuals[1]},
                        {directions[0], directions[1]},
                        u};
    launch_resident<Kernel::team_size>("Lamina::FusedPoisson::iterate", space, bands.teams,
                                       Kernel::scratch_bytes(bands), kernel);
  }
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::finish(const Space& space, const Grid& grid,
                                           const CgSolution<Scalar>& solution,
                                           const StridedCells<Scalar>& x) {
  run_cells<Scalar>("Lamina::FusedPoisson::finish", space, all_cells(grid),
                    CgFinish<Scalar>{solution, x});
}

}  // namespace Lamina::Impl
