// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time of a point-implicit sweep over ranks:
//
//   for n in 1 2 4; do mpirun -np $n lamina_scaling_blocks --json blocks_$n.json; done
//
// Rows are cut along their order by reverse Cuthill-McKee. One rank sweeps without a decomposition.
// The state after the sweeps is the same for any number of ranks, on CPU cores to the last bit:
// rank 0 prints a sum over all values of it that shows this. Blocks off the diagonal are in float.

#include <lamina/blocks/LocalBlockRows.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "../support/WriteJson.hpp"
#include "Scaling.hpp"

namespace Lamina::Perf {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Matrix = BlockSparseMatrix<double, float, Memory>;

struct Settings {
  int num_x = 48, num_y = 48, num_z = 48, block_size = 5, sweeps = 20, repetitions = 5;
  bool halo_sweep = false;
  std::string json;
};

Setters<Settings> setters() {
  constexpr int most = 1 << 10;
  return {{"--mesh",
           [](auto& s, const auto& o, auto& v) {
             s.num_x = v.number(o, 1, most);
             s.num_y = v.number(o, 1, most);
             s.num_z = v.number(o, 1, most);
           }},
          {"--block", [](auto& s, const auto& o, auto& v) { s.block_size = v.number(o, 1, most); }},
          {"--sweeps", [](auto& s, const auto& o, auto& v) { s.sweeps = v.number(o, 1, most); }},
          {"--repetitions",
           [](auto& s, const auto& o, auto& v) { s.repetitions = v.number(o, 1, most); }},
          {"--halo-sweep", [](auto& s, const auto&, auto&) { s.halo_sweep = true; }},
          {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: mpirun -np N lamina_scaling_blocks [options]\n"
      "  --mesh NX NY NZ    vertices [48 48 48]\n"
      "  --block N          rows of a block [5]\n"
      "  --halo-sweep       exchange after each sweep instead of each colour\n"
      "  --sweeps N         of a measurement [20]\n"
      "  --repetitions N    of it; the median counts [5]\n"
      "  --json FILE\n");
}

/// The rows of this rank, with blocks made from their global numbers.
class Subject {
 public:
  Subject(const Settings& settings, const Transport& transport)
      : m_settings(settings), m_transport(transport) {
    const BlockGraph graph =
        FreudenthalMesh(settings.num_x, settings.num_y, settings.num_z).graph();
    const auto ordering = ColourOrdering::greedy(graph);
    m_local = local_block_rows(
        graph, ordering, Partition::along_order(reverse_cuthill_mckee(graph), {}, transport.size()),
        transport.rank());
  }

  PointImplicitSolver<Matrix> make_solver() const {
    const Matrix matrix = make_matrix();
    if (m_transport.size() == 1) return {m_space, matrix, m_local.ordering};
    const Decomposition<Memory> ranks(m_transport, m_local.halo, size() * sizeof(double));
    return {m_space,
            matrix,
            m_local.ordering,
            ranks,
            BlockInverse::inverse,
            m_settings.halo_sweep ? HaloUpdate::sweep : HaloUpdate::colour};
  }

  /// Seconds of a sweep. `checksum` is that of x.
  double measure(const PointImplicitSolver<Matrix>& solver, std::uint64_t& checksum) const {
    const auto num_rows = static_cast<std::size_t>(m_local.halo.num_local);
    const Kokkos::View<double**, Kokkos::LayoutRight, Memory> b("Lamina::Perf::b", num_rows,
                                                                size()),
        x("Lamina::Perf::x", num_rows, size());
    Kokkos::deep_copy(b, 1.0);
    const double seconds = median_over_ranks(
        m_space, m_transport, m_settings.repetitions, [&] { Kokkos::deep_copy(m_space, x, 0.0); },
        [&] {
          solver.sweep_in_colour_order(m_space, b, x, SweepDirection::forward, m_settings.sweeps);
        });
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_local.num_owned()); ++i) {
      for (std::size_t p = 0; p < size(); ++p) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &host(i, p), sizeof bits);
        sum += bits;
      }
    }
    checksum = 0;
    for (const auto part : Impl::gather_values(m_transport, sum)) checksum += part;
    return seconds / m_settings.sweeps;
  }
  const LocalBlockRows& local() const { return m_local; }

 private:
  std::size_t size() const { return static_cast<std::size_t>(m_settings.block_size); }

  Matrix make_matrix() const {
    const std::size_t rows = static_cast<std::size_t>(m_local.num_owned()),
                      blocks = m_local.columns.size();
    const Kokkos::View<std::int64_t*, Memory> offsets("Lamina::Perf::offsets", rows + 1);
    const Kokkos::View<int*, Memory> columns("Lamina::Perf::columns", blocks);
    const Kokkos::View<double***, Kokkos::LayoutLeft, Memory> diagonal("Lamina::Perf::diagonal",
                                                                       size(), size(), rows);
    const Kokkos::View<float***, Kokkos::LayoutLeft, Memory> others("Lamina::Perf::blocks", size(),
                                                                    size(), blocks);
    const auto host_offsets = Kokkos::create_mirror_view(offsets);
    const auto host_columns = Kokkos::create_mirror_view(columns);
    const auto host_diagonal = Kokkos::create_mirror_view(diagonal);
    const auto host_others = Kokkos::create_mirror_view(others);
    std::copy(m_local.offsets.begin(), m_local.offsets.end(), host_offsets.data());
    std::copy(m_local.columns.begin(), m_local.columns.end(), host_columns.data());
    for (std::size_t row = 0; row < rows; ++row) {
      const auto begin = static_cast<std::size_t>(m_local.offsets[row]),
                 end = static_cast<std::size_t>(m_local.offsets[row + 1]);
      const double scale = 0.5 / static_cast<double>(size() * (end - begin + 1));
      const auto values = size() * size();
      for (std::size_t k = begin; k <= end; ++k) {  // the diagonal block is the last one
        const std::size_t local = k < end ? static_cast<std::size_t>(m_local.columns[k]) : row;
        const auto seed = static_cast<std::uint64_t>(m_local.numbers[row]) * 0x9E3779B9u +
                          static_cast<std::uint64_t>(m_local.numbers[local]);
        for (std::size_t n = 0; n < values; ++n) {
          const double value = scale * Impl::unit_hash(seed * values + n);
          const std::size_t p = n % size(), q = n / size();
          if (k < end) {
            host_others(p, q, k) = static_cast<float>(value);
          } else {
            host_diagonal(p, q, row) = value + (p == q ? 1 : 0);
          }
        }
      }
    }
    Kokkos::deep_copy(offsets, host_offsets);
    Kokkos::deep_copy(columns, host_columns);
    Kokkos::deep_copy(diagonal, host_diagonal);
    Kokkos::deep_copy(others, host_others);
    return Matrix(m_space, offsets, columns, diagonal, others, {}, m_local.num_halo());
  }

  const Settings& m_settings;
  const Transport& m_transport;
  Space m_space{};
  LocalBlockRows m_local;
};

int run(const Settings& settings) {
  const auto transport = make_transport(MPI_COMM_WORLD, Space());
  const Subject subject(settings, *transport);
  const auto solver = subject.make_solver();
  std::uint64_t checksum = 0;
  const double milliseconds = subject.measure(solver, checksum) * 1e3;
  const auto report = transport->report();
  if (transport->rank() != 0) return 0;
  const auto sum = std::to_string(checksum);
  std::printf("%d ranks, %d x %d x %d, blocks of %d: %.4f ms per sweep, checksum %s\n",
              transport->size(), settings.num_x, settings.num_y, settings.num_z,
              settings.block_size, milliseconds, sum.c_str());
  if (!settings.json.empty()) {
    write_json(settings.json, {{"program", "lamina_scaling_blocks"},
                               {"space", Space::name()},
                               {"threads", Space().concurrency()},
                               {"ranks", transport->size()},
                               {"transport", report.name},
                               {"library", report.library},
                               {"halo_update", settings.halo_sweep ? "sweep" : "colour"},
                               {"mesh", {settings.num_x, settings.num_y, settings.num_z}},
                               {"block_size", settings.block_size},
                               {"colours", solver.ordering().num_colours()},
                               {"sweeps", settings.sweeps},
                               {"milliseconds_per_sweep", milliseconds},
                               {"checksum", sum},
                               {"halo_rows_of_rank_0", subject.local().num_halo()}});
  }
  return 0;
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_mpi_program("lamina_scaling_blocks", argc, argv, setters(), print_usage, run);
}
