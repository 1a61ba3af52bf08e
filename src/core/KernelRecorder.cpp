// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/KernelRecorder.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/KernelPath.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

namespace Lamina {
namespace {

using Clock = std::chrono::steady_clock;
namespace Tools = Kokkos::Tools::Experimental;

struct Entry {
  long calls = 0;
  double seconds = 0;
};

struct Region {
  std::string name;
  Clock::time_point start;
  long kernels_before;
};

/// The state of the callbacks, which are plain functions.
struct Recording {
  bool active = false;
  std::map<std::string, Entry> entries;
  std::map<std::string, Impl::KernelPath> paths;  // of kernels that have several
  std::string current;
  Clock::time_point start;
  long kernels = 0;
  std::vector<Region> regions;  // open ones, innermost last
  Tools::EventSet outer;
};
Recording recording;

void begin(const char* label, const uint32_t /*device*/, uint64_t* id) {
  *id = 0;
  Kokkos::fence();  // work enqueued earlier must not be charged to this kernel
  recording.current = label;
  recording.start = Clock::now();
}

void end(const uint64_t /*id*/) {
  Kokkos::fence();
  Entry& entry = recording.entries[recording.current];
  entry.seconds += std::chrono::duration<double>(Clock::now() - recording.start).count();
  entry.calls += 1;
  recording.kernels += 1;
}

// A region in which no kernel is launched counts as a kernel: the sparse product of Kokkos Kernels
// is a plain loop on the Serial space.
void push_region(const char* name) {
  recording.regions.push_back({name, Clock::now(), recording.kernels});
}

void pop_region() {
  if (recording.regions.empty()) return;  // opened before the recorder was
  const Region& region = recording.regions.back();
  if (region.kernels_before == recording.kernels) {
    Entry& entry = recording.entries[region.name];
    entry.seconds += std::chrono::duration<double>(Clock::now() - region.start).count();
    entry.calls += 1;
    recording.kernels += 1;  // so that the regions around it do not count, too
  }
  recording.regions.pop_back();
}

}  // namespace

KernelRecorder::KernelRecorder() {
  LAMINA_REQUIRE(!recording.active, "KernelRecorder", "expected no other recorder alive, got one");
  recording.active = true;
  recording.entries.clear();
  recording.paths.clear();
  recording.regions.clear();
  recording.outer = Tools::get_callbacks();
  Tools::set_callbacks(Tools::EventSet{});
  Tools::set_begin_parallel_for_callback(begin);
  Tools::set_end_parallel_for_callback(end);
  Tools::set_begin_parallel_reduce_callback(begin);
  Tools::set_end_parallel_reduce_callback(end);
  Tools::set_begin_parallel_scan_callback(begin);
  Tools::set_end_parallel_scan_callback(end);
  Tools::set_push_region_callback(push_region);
  Tools::set_pop_region_callback(pop_region);
}

KernelRecorder::~KernelRecorder() {
  Tools::set_callbacks(recording.outer);
  recording.active = false;
}

std::vector<KernelRecord> KernelRecorder::records(const std::vector<KernelCost>& costs) const {
  std::vector<KernelRecord> result;
  for (const auto& [label, entry] : recording.entries) {
    KernelRecord record{label, entry.calls, entry.seconds, 0, 0};
    if (const auto path = recording.paths.find(label); path != recording.paths.end()) {
      record.path = path->second.path;
      record.reason = path->second.reason;
    }
    const KernelCost* cost = nullptr;  // the longest label that this one begins with
    for (const KernelCost& c : costs) {
      const bool fits = label.compare(0, c.label.size(), c.label) == 0;
      if (fits && (cost == nullptr || c.label.size() > cost->label.size())) cost = &c;
    }
    if (cost != nullptr) {
      record.bytes = cost->bytes * static_cast<double>(entry.calls);
      record.flops = cost->flops * static_cast<double>(entry.calls);
    }
    result.push_back(record);
  }
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return result;
}

namespace Impl {

bool wants_path(const char* label) { return recording.active && recording.paths.count(label) == 0; }

void keep_path(const char* label, const KernelPath& path) { recording.paths[label] = path; }

}  // namespace Impl
}  // namespace Lamina
