// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Calls that enqueue the same kernels again and again become one launch, where the backend has
// graphs. A graph is built kernel by kernel, not captured from an instance: during a capture other
// threads of the application must not fence the device.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace Lamina::Impl {

/// Kernels in sequence, with their arguments. Backends without graphs have none.
template <class Space>
class LaunchGraph {
 public:
  static constexpr bool exists = false;
};

}  // namespace Lamina::Impl

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/cuda/LaunchGraph_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// The graphs of repeated calls. A `Key` holds everything that the kernel arguments of a call
/// depend on, and compares with ==. Several threads may call.
template <class Space, class Key>
class LaunchGraphs {
 public:
  /// Number of calls that are remembered: the most recent ones.
  static constexpr std::size_t capacity = 8;

  /// Calls enqueue(graph), which adds kernels to `graph`, and enqueues that graph on `space`. Where
  /// the graph is null, enqueue enqueues the kernels itself. It is null without graphs; in the
  /// first call, which also loads the kernels; and where a tool of Kokkos listens or the caller
  /// captures a graph, because both need to see each kernel.
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
    bool refused = false;  ///< the backend cannot make the graph
    std::unique_ptr<Graph> graph{};
  };

  /// Null where there is no graph, or not yet.
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
        call.refused = true;  // the launch of the kernel itself will report the error
      }
    }
    return call.graph.get();
  }

  std::mutex m_mutex;
  std::vector<Call> m_calls;  // the most recent one first
};

}  // namespace Lamina::Impl
