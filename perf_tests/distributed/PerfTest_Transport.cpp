// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time of an exchange and of a sum, for each transport that can work:
//
//   mpirun -np 2 PerfTest_Transport --json transport.json
//
// Each rank sends a vector to both neighbours in a ring, with packing and unpacking. Exchanges
// follow each other without a fence: the time of one is that of a sequence by their number, on the
// slowest rank. Rank 0 prints.

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/MpiTransport.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/WriteJson.hpp"
#include "Scaling.hpp"

namespace Lamina::Perf {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Vector = Kokkos::View<double*, Memory>;

struct Settings {
  int rounds = 200, repetitions = 5;
  std::string json;
};

Setters<Settings> setters() {
  constexpr int most = 1 << 20;
  return {{"--rounds", [](auto& s, const auto& o, auto& v) { s.rounds = v.number(o, 1, most); }},
          {"--repetitions",
           [](auto& s, const auto& o, auto& v) { s.repetitions = v.number(o, 1, most); }},
          {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: mpirun -np N PerfTest_Transport [options]\n"
      "  --rounds N         exchanges of a sequence; fewer of large messages [200]\n"
      "  --repetitions N    of a sequence; the median counts [5]\n"
      "  --json FILE\n");
}

class Subject {
 public:
  Subject(const Settings& settings, const Transport& transport)
      : m_settings(settings), m_transport(transport) {}

  /// Seconds of an exchange in which so many values go to each neighbour.
  double exchange(int values) const {
    const HaloPattern pattern = ring(values);
    const HaloExchange<Memory> halo(m_transport, pattern, sizeof(double));
    const Vector vector("Lamina::Perf::vector", static_cast<std::size_t>(pattern.num_local));
    const auto host = Kokkos::create_mirror_view(vector);
    for (int n = 0; n < values; ++n) host(n) = value_of(m_transport.rank(), n);
    Kokkos::deep_copy(vector, host);
    const double seconds = time_of(rounds_of(values), [&] {
      halo.start(m_space, vector);
      halo.finish(m_space);
    });
    Kokkos::deep_copy(host, vector);
    for (const auto& peer : pattern.peers) {
      for (int n = 0; n < values; ++n) {
        if (host(peer.receive[static_cast<std::size_t>(n)]) == value_of(peer.rank, n)) continue;
        throw std::runtime_error("wrong values of an exchange");
      }
    }
    return seconds;
  }

  double reduction() const {
    constexpr int count = GlobalReduction<Memory>::max_values;
    const GlobalReduction<Memory> reduction(m_transport);
    const Vector parts("Lamina::Perf::parts", count), sums("Lamina::Perf::sums", count);
    Kokkos::deep_copy(parts, 1.0 + m_transport.rank());
    const double seconds = time_of(
        m_settings.rounds, [&] { reduction.sum(m_space, parts.data(), sums.data(), count); });
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    const int size = m_transport.size();
    for (int n = 0; n < count; ++n) {
      if (host(n) != size * (size + 1) / 2) throw std::runtime_error("wrong sums");
    }
    return seconds;
  }

 private:
  static double value_of(int rank, int n) { return 1e3 * (1 + rank) + n % 997; }

  int rounds_of(int values) const {
    constexpr int small = 1 << 16;
    return std::max(10, values <= small ? m_settings.rounds : m_settings.rounds / 10);
  }

  HaloPattern ring(int values) const {
    const int size = m_transport.size(), rank = m_transport.rank();
    std::vector<int> ranks{(rank + size - 1) % size, (rank + 1) % size};
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    HaloPattern pattern{values, values, values};
    for (const int other : ranks) {
      HaloPattern::Peer peer{other, {}, {}};
      for (int n = 0; n < values; ++n) {
        peer.send.push_back(n);
        peer.receive.push_back(pattern.num_local + n);
      }
      pattern.num_local += values;
      pattern.peers.push_back(peer);
    }
    return pattern;
  }

  template <class Work>
  double time_of(int rounds, const Work& work) const {
    return median_over_ranks(
               m_space, m_transport, m_settings.repetitions, [] {},
               [&] {
                 for (int round = 0; round < rounds; ++round) work();
               }) /
           rounds;
  }

  const Settings& m_settings;
  const Transport& m_transport;
  Space m_space{};
};

/// Rank 0 prints and reports.
nlohmann::ordered_json measure(const Settings& settings, const Transport& transport) {
  const Subject subject(settings, transport);
  const bool prints = transport.rank() == 0;
  const std::string name(transport.name());
  nlohmann::ordered_json report{{"name", name}, {"usable", true}};
  const double reduction = 1e6 * subject.reduction();
  report["reduction_us"] = reduction;
  if (prints) std::printf("%-10s  sum of 4         %10.2f us\n", name.c_str(), reduction);
  for (const int values : {1, 8, 64, 512, 4096, 8192, 65536, 524288, 2097152}) {
    const double seconds = subject.exchange(values);
    const auto bytes = static_cast<double>(values) * sizeof(double);
    const int peers = transport.size() > 2 ? 2 : 1;
    report["exchanges"].push_back(
        {{"bytes", bytes}, {"us", 1e6 * seconds}, {"gb_per_s", 1e-9 * peers * bytes / seconds}});
    if (prints) {
      std::printf("%-10s  %12.0f B   %10.2f us  %8.2f GB/s\n", name.c_str(), bytes, 1e6 * seconds,
                  1e-9 * peers * bytes / seconds);
    }
  }
  return report;
}

int run(const Settings& settings) {
  nlohmann::ordered_json transports;
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 1) throw std::runtime_error("expected at least 2 ranks, got 1");
  std::string library;
  for (const char* const name : {"peer", "nccl", "mpi-device", "mpi-host"}) {
    std::shared_ptr<const Transport> transport;
    try {
      transport = make_transport(MPI_COMM_WORLD, Space(), {.name = name});
    } catch (const TransportError& error) {
      transports.push_back({{"name", name}, {"usable", false}, {"reason", error.what()}});
      if (rank == 0) std::printf("%-10s  %s\n", name, error.what());
      continue;
    }
    library = transport->report().library;
    transports.push_back(measure(settings, *transport));
  }
  if (rank == 0 && !settings.json.empty()) {
    write_json(settings.json, {{"program", "PerfTest_Transport"},
                               {"space", Space::name()},
                               {"ranks", size},
                               {"library", library},
                               {"rounds", settings.rounds},
                               {"transports", transports}});
  }
  return 0;
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_mpi_program("PerfTest_Transport", argc, argv, setters(), print_usage, run);
}
