// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The ceiling: how fast each space copies, and how fast it reads, updates and combines arrays, which
// is what the kernels of a solver do.

#include <cstdint>

#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// One array of doubles; together much larger than the caches.
struct ArraySize {
  std::int64_t values = std::int64_t{1} << 25;
  std::string name() const { return "values:" + std::to_string(values); }
};

template <class Space>
struct Arrays {
  using execution_space = Space;
  using Array = Kokkos::View<double*, typename Space::memory_space>;

  explicit Arrays(const ArraySize& size) : values(size.values) {
    for (Array* array : {&a, &b, &c}) {
      *array = Array("Lamina::Perf::array", static_cast<std::size_t>(values));
      Kokkos::deep_copy(*array, 1.0);
    }
  }
  static constexpr int steps = 1;
  void prepare() {}
  auto range() const {
    return Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, values);
  }
  KernelCost moving(int arrays, int flops) const {
    const double size = static_cast<double>(values);
    return {"", size * sizeof(double) * arrays, size * flops};
  }

  Space space{};
  std::int64_t values;
  Array a, b, c;
};

/// a = a + 2 b: an update in place.
template <class Space>
struct Update : Arrays<Space> {
  using Arrays<Space>::Arrays;
  static std::string name() { return std::string("Stream/update<double,") + Space::name() + '>'; }
  void run() {
    const auto to = this->a, from = this->b;
    Kokkos::parallel_for(
        "Lamina::Perf::update", this->range(),
        KOKKOS_LAMBDA(const std::int64_t i) { to(i) += 2 * from(i); });
  }
  KernelCost cost() const { return this->moving(3, 2); }
  std::string error() const { return ""; }
};

/// a = b + 2 c
template <class Space>
struct Triad : Arrays<Space> {
  using Arrays<Space>::Arrays;
  static std::string name() { return std::string("Stream/triad<double,") + Space::name() + '>'; }
  void run() {
    const auto to = this->a, first = this->b, second = this->c;
    Kokkos::parallel_for(
        "Lamina::Perf::triad", this->range(),
        KOKKOS_LAMBDA(const std::int64_t i) { to(i) = first(i) + 2 * second(i); });
  }
  KernelCost cost() const { return this->moving(3, 2); }
  std::string error() const {
    double sum = 0;
    const auto to = this->a;
    Kokkos::parallel_reduce(
        "Lamina::Perf::triad_check", this->range(),
        KOKKOS_LAMBDA(const std::int64_t i, double& partial) { partial += to(i); }, sum);
    return sum == 3.0 * static_cast<double>(this->values) ? "" : "wrong result";
  }
};

/// Reads alone: a sum of integers, which compilers may reorder and so vectorise.
template <class Space>
struct Read {
  using execution_space = Space;
  static constexpr int steps = 1;

  explicit Read(const ArraySize& size)
      : m_array("Lamina::Perf::array", static_cast<std::size_t>(size.values)) {
    Kokkos::deep_copy(m_array, 1);
  }
  static std::string name() { return std::string("Stream/read<int64,") + Space::name() + '>'; }
  void prepare() {}
  void run() {
    const auto from = m_array;
    Kokkos::parallel_reduce(
        "Lamina::Perf::read",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count()),
        KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& partial) { partial += from(i); }, m_sum);
  }
  KernelCost cost() const { return {"", static_cast<double>(count()) * sizeof(std::int64_t), 0}; }
  std::string error() const { return m_sum == count() ? "" : "wrong result"; }

  Space space{};

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(m_array.extent(0)); }

  Kokkos::View<std::int64_t*, typename Space::memory_space> m_array;
  std::int64_t m_sum = 0;
};

/// The variants of the library's own copy measurement, as the time of one gigabyte.
template <class Space>
void register_copies() {
  const int variants = runs_on_host<Space> ? 4 : 3;
  for (int variant = 0; variant < variants; ++variant) {
    const char* names[] = {"deep_copy", "plain", "vectorised", "non-temporal"};
    const std::string name =
        std::string("Stream/copy<") + names[variant] + ",double," + Space::name() + ">/bytes:1e9";
    benchmark::RegisterBenchmark(name.c_str(),
                                 [variant](benchmark::State& state) {
                                   const Space space;
                                   const auto& all = copy_measurements(space);
                                   const auto n = static_cast<std::size_t>(variant);
                                   const double speed = all.at(n).gb_per_s;
                                   for ([[maybe_unused]] auto _ : state)
                                     state.SetIterationTime(1 / speed);
                                   state.counters["bytes"] = 1e9;
                                   state.counters["GB/s"] = speed;
                                   state.counters["fraction_of_copy"] =
                                       speed / copy_gb_per_s(space);
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

template <class Space>
void register_space() {
  const std::vector<ArraySize> sizes{tiny_run() ? ArraySize{1000} : ArraySize{}};
  register_copies<Space>();
  register_subject<Read<Space>>(sizes);
  register_subject<Update<Space>>(sizes);
  register_subject<Triad<Space>>(sizes);
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space) register_space<Space>();
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
