// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>

namespace Lamina::Impl {

/// A CUDA graph of kernels in sequence. Errors of CUDA are thrown as std::runtime_error.
template <>
class LaunchGraph<Kokkos::Cuda> {
 public:
  static constexpr bool exists = true;

  static int device_of(const Kokkos::Cuda& space) { return space.cuda_device(); }
  /// Whether neither a tool nor a capture needs to see each kernel.
  static bool wanted(const Kokkos::Cuda& space) {
    if (Kokkos::Tools::profileLibraryLoaded()) return false;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaError_t error = cudaSetDevice(space.cuda_device());
    if (error == cudaSuccess) error = cudaStreamIsCapturing(space.cuda_stream(), &status);
    if (error != cudaSuccess) static_cast<void>(cudaGetLastError());  // the launch reports it
    return error == cudaSuccess && status == cudaStreamCaptureStatusNone;
  }

  LaunchGraph() { check(cudaGraphCreate(&m_graph, 0)); }
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;
  /// Kernels that still run continue to their end.
  ~LaunchGraph() {
    const OutsideOfCaptures outside;
    if (m_executable != nullptr) static_cast<void>(cudaGraphExecDestroy(m_executable));
    if (m_graph != nullptr) static_cast<void>(cudaGraphDestroy(m_graph));
  }

  /// Adds a kernel. It starts when the kernel before has ended or, with `overlapped`, when that
  /// kernel lets it start.
  template <class Kernel>
  cudaError_t add(const cudaLaunchConfig_t& config, void (*kernel)(Kernel), Kernel argument,
                  bool overlapped) {
    void* arguments[] = {&argument};
    cudaKernelNodeParams node{};
    node.func = reinterpret_cast<void*>(kernel);
    node.gridDim = config.gridDim;
    node.blockDim = config.blockDim;
    node.sharedMemBytes = static_cast<unsigned>(config.dynamicSmemBytes);
    node.kernelParams = arguments;
    cudaGraphNode_t added = nullptr;
    cudaError_t error = cudaGraphAddKernelNode(&added, m_graph, nullptr, 0, &node);
    if (error == cudaSuccess && m_last != nullptr) error = put_after_last(added, overlapped);
    m_last = added;
    return error;
  }

  /// Ends the graph, and uploads it to the device: launches need no memory then.
  void close(const Kokkos::Cuda& space) {
    const OutsideOfCaptures outside;
    check(cudaGraphInstantiate(&m_executable, m_graph, 0));
    check(cudaGraphUpload(m_executable, space.cuda_stream()));
    check(cudaGraphDestroy(m_graph));
    m_graph = nullptr;
  }
  void launch(const Kokkos::Cuda& space) const {
    check(cudaSetDevice(space.cuda_device()));
    check(cudaGraphLaunch(m_executable, space.cuda_stream()));
  }

 private:
  /// While an object exists, its thread may make calls that a capture of the user forbids: a
  /// capture in global mode of another thread, or a capture of another stream of this thread.
  /// Memory of a graph is no part of these captures.
  class OutsideOfCaptures {
   public:
    OutsideOfCaptures() { exchange(); }
    OutsideOfCaptures(const OutsideOfCaptures&) = delete;
    OutsideOfCaptures& operator=(const OutsideOfCaptures&) = delete;
    ~OutsideOfCaptures() { exchange(); }

   private:
    void exchange() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&m_mode)); }

    cudaStreamCaptureMode m_mode = cudaStreamCaptureModeRelaxed;
  };

  static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());  // clear it: the next call must not see it
    throw std::runtime_error(std::string("CUDA graph: ") + cudaGetErrorString(error));
  }

  cudaError_t put_after_last(cudaGraphNode_t node, bool overlapped) {
#if CUDART_VERSION >= 12030
    cudaGraphEdgeData edge{};
    if (overlapped) {
      edge.from_port = cudaGraphKernelNodePortProgrammatic;
      edge.type = cudaGraphDependencyTypeProgrammatic;
    }
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(m_graph, &m_last, &node, &edge, 1);
#else
    return cudaGraphAddDependencies_v2(m_graph, &m_last, &node, &edge, 1);
#endif
#else
    static_cast<void>(overlapped);
    return cudaGraphAddDependencies(m_graph, &m_last, &node, 1);
#endif
  }

  cudaGraph_t m_graph = nullptr;
  cudaGraphExec_t m_executable = nullptr;
  cudaGraphNode_t m_last = nullptr;
};

}  // namespace Lamina::Impl
