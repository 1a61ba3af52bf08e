// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/grids/impl/LineRun.hpp>
#include <lamina/shallow_water/WaterStrip.hpp>

namespace Lamina {
namespace {

/// Lines of a field with ghosts, from 0 on: owned ones stand between the ghosts.
HaloPattern pattern_of_lines(const Impl::LineRun& run) {
  HaloPattern pattern;
  pattern.num_owned = pattern.num_local = run.count + 2;
  pattern.peers = run.peers(1, run.count, 0, run.count + 1);
  return pattern;
}

/// See `start_ends`.
HaloPattern pattern_of_ends(const Impl::LineRun& run) {
  HaloPattern pattern;
  pattern.num_owned = pattern.halo_begin = 2;
  pattern.num_local = 4;
  pattern.peers = run.peers(0, 1, 2, 3);
  return pattern;
}

}  // namespace

template <MemorySpace Memory>
WaterStrip<Memory>::WaterStrip(const Transport& transport, const Rectangle& whole,
                               const Partition& lines, WaterSides sides)
    : m_whole(whole), m_sides(sides) {
  Impl::LineRun run;
  Impl::run_agreed(transport, [&] {
    Impl::require_cells("WaterStrip", whole);
    run = Impl::LineRun::of("WaterStrip", lines, whole.ny, transport.rank(),
                            sides == WaterSides::periodic);
  });
  m_owned = {whole.nx, run.count};
  m_first = run.first;
  const auto width = static_cast<std::size_t>(whole.nx) * sizeof(double);
  m_ranks = std::make_shared<const Ranks>(
      Ranks{&transport, HaloExchange<Memory>(transport, pattern_of_lines(run), 3 * width),
            HaloExchange<Memory>(transport, pattern_of_ends(run), width),
            GlobalReduction<Memory>(transport),
            Kokkos::View<double*, Memory>("Lamina::WaterStrip::values", std::tuple_size_v<Values>),
            transport.rank(), transport.size(), run.shortest});
}

#define LAMINA_INSTANTIATE(Memory) template class WaterStrip<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
