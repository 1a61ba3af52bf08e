// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Calls that enqueue the same kernels time and again, as one launch where the backend has graphs. A
// graph is made of its kernels one by one, not captured from an instance: during a capture other
// threads of the application must not fence the device.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace Lamina::Impl {

/// Kernels one after the other with their arguments. Backends without graphs have none.
template <class Space>
class LaunchGraph {
 public:
  static constexpr bool exists = false;
};

}  // namespace Lamina::Impl

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/LaunchGraph_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// The graphs of calls that come again. `Key` stands for all that the arguments of a call's kernels
/// depend on, and compares with ==. Calls may come from several threads.
template <class Space, class Key>
class LaunchGraphs {
 public:
  /// Most calls that are remembered; beyond them those that came last.
  static constexpr std::size_t capacity = 8;

  /// Enqueues on `space` what enqueue(graph) adds to `graph`, or enqueues itself where that is null:
  /// always without graphs, the first time, which also loads the kernels, and where tools of Kokkos
  /// listen or the caller captures a graph of his own, which both want to see each kernel.
  template <class Enqueue>
  void launch(const Space& space, const Key& key, const Enqueue& enqueue) {
    if constexpr (Graph::exists) {
      if (Graph::wanted(space)) {
        const std::lock_guard lock(m_mutex);
        if (Graph* const graph = graph_of(space, key, enqueue)) return graph->launch(space);
      }
    }
    enqueue(static_cast<Graph*>(nullptr));
  }

 private:
  using Graph = LaunchGraph<Space>;

  struct Call {
    Key key;
    int device;
    bool refused = false;  ///< by the backend
    std::unique_ptr<Graph> graph{};
  };

  /// Null: not yet, or never.
  template <class Enqueue>
  Graph* graph_of(const Space& space, const Key& key, const Enqueue& enqueue) {
    const int device = Graph::device_of(space);
    const auto found = std::find_if(m_calls.begin(), m_calls.end(), [&](const Call& call) {
      return call.key == key && call.device == device;
    });
    if (found == m_calls.end()) {
      if (m_calls.size() == capacity) m_calls.pop_back();
      m_calls.insert(m_calls.begin(), Call{key, device});
      return nullptr;
    }
    std::rotate(m_calls.begin(), found, found + 1);
    Call& call = m_calls.front();
    if (!call.graph && !call.refused) {
      try {
        auto graph = std::make_unique<Graph>();
        enqueue(graph.get());
        graph->close(space);
        call.graph = std::move(graph);
      } catch (const std::exception&) {
        call.refused = true;  // what is wrong with a kernel its own launch will tell
      }
    }
    return call.graph.get();
  }

  std::mutex m_mutex;
  std::vector<Call> m_calls;  // the latest first
};

}  // namespace Lamina::Impl
