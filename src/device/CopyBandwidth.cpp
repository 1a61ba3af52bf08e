// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/CopyBandwidth.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace Lamina {
namespace {

/// Four doubles moved at once: devices need wide accesses to reach their memory's limit.
struct alignas(32) Packet {
  double values[4];
};

/// Bytes of each of the two arrays. On CPU cores they exceed all caches. Larger arrays would only
/// take longer.
template <class Space>
std::size_t copied_bytes() {
  const std::size_t least = std::size_t(128) << 20,
                    wanted = runs_on_host<Space>
                                 ? std::max(4 * Impl::last_level_cache_bytes(), least)
                                 : std::size_t(2) << 30;
  return wanted / sizeof(Packet) * sizeof(Packet);
}

template <class Space>
class CopyBenchmark {
 public:
  using Memory = typename Space::memory_space;

  CopyBenchmark(const Space& space, std::size_t array_bytes) : m_space(space) {
    const std::size_t packets = std::max(array_bytes / sizeof(Packet), std::size_t(1)),
                      size = packets * (sizeof(Packet) / sizeof(double));
    using Kokkos::view_alloc;
    using Kokkos::WithoutInitializing;
    m_from = View(view_alloc("Lamina::CopyBandwidth::from", WithoutInitializing), size);
    m_to = View(view_alloc("Lamina::CopyBandwidth::to", WithoutInitializing), size);
    Kokkos::deep_copy(m_space, m_from, 1.0);  // also places the pages
    Kokkos::deep_copy(m_space, m_to, 0.0);
  }

  std::vector<CopyMeasurement> run() {
    std::vector<CopyMeasurement> results{
        measure("deep_copy", [&] { Kokkos::deep_copy(m_space, m_to, m_from); }),
        measure("plain", [&] { plain(); }), measure("vectorised", [&] { vectorised(); })};
    if constexpr (runs_on_host<Space>) {
      results.push_back(measure("non-temporal", [&] { non_temporal(); }));
    }
    return results;
  }

  void plain() const {
    const auto from = m_from, to = m_to;
    Kokkos::parallel_for(
        "Lamina::CopyBandwidth::plain", range(m_from.extent(0)),
        KOKKOS_LAMBDA(std::int64_t i) { to(i) = from(i); });
  }
  void vectorised() const {
    const auto* from = reinterpret_cast<const Packet*>(m_from.data());
    auto* to = reinterpret_cast<Packet*>(m_to.data());
    Kokkos::parallel_for(
        "Lamina::CopyBandwidth::vectorised", range(m_from.span() * sizeof(double) / sizeof(Packet)),
        KOKKOS_LAMBDA(std::int64_t i) { to[i] = from[i]; });
  }
  void non_temporal() const {
    const auto from = m_from, to = m_to;
    const int workers = static_cast<int>(m_space.concurrency());
    const auto vectors = static_cast<std::int64_t>(m_from.span()) / Impl::lane_count<double>;
    Kokkos::parallel_for("Lamina::CopyBandwidth::non_temporal", Impl::range_of(m_space, workers),
                         [=](int worker) {
                           const auto share = Impl::share_of(worker, workers, vectors);
                           for (std::int64_t i = share.begin; i < share.end; ++i) {
                             const std::int64_t at = i * Impl::lane_count<double>;
                             Impl::stream_lanes(to.data() + at, Impl::load_lanes(from.data() + at));
                           }
                           Impl::finish_streaming();
                         });
  }

 private:
  using View = Kokkos::View<double*, Memory>;

  auto range(std::size_t size) const {
    return Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
        m_space, 0, static_cast<std::int64_t>(size));
  }

  template <class Copy>
  CopyMeasurement measure(const char* variant, const Copy& copy) {
    using Clock = std::chrono::steady_clock;
    constexpr int repetitions = 5;
    double fastest = 1e300;
    for (int i = 0; i <= repetitions; ++i) {  // the first one warms up
      m_space.fence();
      const auto start = Clock::now();
      copy();
      m_space.fence();
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (i > 0) fastest = std::min(fastest, seconds);
    }
    return {variant, 2e-9 * static_cast<double>(m_from.span() * sizeof(double)) / fastest};
  }

  Space m_space;
  View m_from, m_to;
};

}  // namespace

template <ExecutionSpace Space>
std::vector<CopyMeasurement> measure_copy_bandwidth(const Space& space) {
  return measure_copy_bandwidth(space, copied_bytes<Space>());
}

template <ExecutionSpace Space>
std::vector<CopyMeasurement> measure_copy_bandwidth(const Space& space, std::size_t array_bytes) {
  return CopyBenchmark<Space>(space, array_bytes).run();
}

template <ExecutionSpace Space>
std::size_t copy_bandwidth_bytes() {
  return 2 * copied_bytes<Space>();
}

double best_gb_per_s(const std::vector<CopyMeasurement>& measurements) {
  double best = 0;
  for (const auto& measurement : measurements) best = std::max(best, measurement.gb_per_s);
  return best;
}

#define LAMINA_INSTANTIATE(Space)                                                                 \
  template std::vector<CopyMeasurement> measure_copy_bandwidth<Space>(const Space&);              \
  template std::vector<CopyMeasurement> measure_copy_bandwidth<Space>(const Space&, std::size_t); \
  template std::size_t copy_bandwidth_bytes<Space>();
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Lamina
