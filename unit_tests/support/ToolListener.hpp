// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace LaminaTest {

/// Hears of allocations, kernels, copies and fences through the callbacks of Kokkos Tools while it
/// lives; restores the callbacks that were there before. Several that live at a time hear the same.
class ToolListener {
 public:
  struct Event {
    std::string label;
    std::uint32_t device = 0;
  };
  struct Heard {
    std::vector<std::string> allocations;
    std::vector<Event> kernels, fences;
    std::vector<std::string> regions;
    long deallocations = 0, regions_closed = 0;
    /// By name of the memory space, as `Memory::name()`. Memory that was there before is not counted.
    std::map<std::string, std::int64_t> bytes, peak_bytes;
  };

  ToolListener() {
    namespace Tools = Kokkos::Tools::Experimental;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (all.listeners++ > 0) return;
    all.heard = {};
    all.outer = Tools::get_callbacks();
    Tools::set_callbacks(Tools::EventSet{});
    Tools::set_allocate_data_callback(on_allocation);
    Tools::set_deallocate_data_callback(
        [](const auto handle, const char*, const void*, std::uint64_t bytes) {
          hear([&](Heard& heard) {
            ++heard.deallocations;
            heard.bytes[handle.name] -= static_cast<std::int64_t>(bytes);
          });
        });
    Tools::set_begin_parallel_for_callback(on_kernel);
    Tools::set_begin_parallel_reduce_callback(on_kernel);
    Tools::set_begin_parallel_scan_callback(on_kernel);
    Tools::set_begin_fence_callback(on_fence);
    Tools::set_push_region_callback(
        [](const char* name) { hear([&](Heard& heard) { heard.regions.push_back(name); }); });
    Tools::set_pop_region_callback([] { hear([](Heard& heard) { ++heard.regions_closed; }); });
  }
  ~ToolListener() {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (--all.listeners == 0) Kokkos::Tools::Experimental::set_callbacks(all.outer);
  }
  ToolListener(const ToolListener&) = delete;
  ToolListener& operator=(const ToolListener&) = delete;

  Heard heard() const {
    const std::lock_guard lock(state().mutex);
    return state().heard;
  }

 private:
  /// Of all that are alive: ranks that are threads have one each, and hear of each other.
  struct State {
    std::mutex mutex;
    int listeners = 0;
    Heard heard;
    Kokkos::Tools::Experimental::EventSet outer;
  };
  static State& state() {
    static State state;
    return state;
  }
  template <class Note>
  static void hear(const Note& note) {
    const std::lock_guard lock(state().mutex);
    note(state().heard);
  }
  static void on_kernel(const char* label, const std::uint32_t device, std::uint64_t* id) {
    *id = 0;
    hear([&](Heard& heard) { heard.kernels.push_back({label, device}); });
  }
  static void on_fence(const char* label, const std::uint32_t device, std::uint64_t* id) {
    *id = 0;
    // Kokkos 4 fences around callbacks, for the sake of who listens.
    if (std::string(label).find("Kokkos Profile Tool Fence") != std::string::npos) return;
    hear([&](Heard& heard) { heard.fences.push_back({label, device}); });
  }
  // Kokkos 4 "allocates" no bytes of scratch in memory at each launch of teams.
  static constexpr auto on_allocation = [](const auto handle, const char* label, const void*,
                                           std::uint64_t bytes) {
    if (bytes == 0) return;
    hear([&](Heard& heard) {
      heard.allocations.push_back(label);
      const std::int64_t now = heard.bytes[handle.name] += static_cast<std::int64_t>(bytes);
      std::int64_t& peak = heard.peak_bytes[handle.name];
      peak = std::max(peak, now);
    });
  };
};

inline bool starts_with(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

}  // namespace LaminaTest
