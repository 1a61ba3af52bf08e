// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include "VendorCalls.hpp"

namespace Lamina::Perf {

/// A stream, and cuSPARSE and cuBLAS enqueueing on it. cuSPARSE takes its scalars from the host,
/// where they are the constants 0 and 1; cuBLAS takes and leaves them in device memory.
class VendorContext {
 public:
  VendorContext() : m_stream(create_stream()), m_space(m_stream.get()) {
    cusparseHandle_t sparse = nullptr;
    LAMINA_VENDOR_CALL(cusparseCreate(&sparse));
    m_sparse.reset(sparse);
    LAMINA_VENDOR_CALL(cusparseSetStream(sparse, stream()));
    LAMINA_VENDOR_CALL(cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_HOST));

    cublasHandle_t blas = nullptr;
    LAMINA_VENDOR_CALL(cublasCreate(&blas));
    m_blas.reset(blas);
    LAMINA_VENDOR_CALL(cublasSetStream(blas, stream()));
    LAMINA_VENDOR_CALL(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    // So that captured calls need not allocate; after the stream, which would take it away again
    m_workspace = make_vendor_buffer(workspace_bytes);
    LAMINA_VENDOR_CALL(cublasSetWorkspace(blas, m_workspace.get(), workspace_bytes));
  }

  cudaStream_t stream() const { return m_stream.get(); }
  const Kokkos::Cuda& space() const { return m_space; }
  cusparseHandle_t sparse() const { return m_sparse.get(); }
  cublasHandle_t blas() const { return m_blas.get(); }

 private:
  using Stream = VendorHandle<cudaStream_t, cudaStreamDestroy>;
  static constexpr std::size_t workspace_bytes = std::size_t(32) << 20;  // recommended for sm_90

  static Stream create_stream() {
    cudaStream_t stream = nullptr;
    // Ordered with Kokkos' own streams by fences: capturing forbids what orders itself
    LAMINA_VENDOR_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return Stream(stream);
  }

  Stream m_stream;
  Kokkos::Cuda m_space;
  VendorBuffer m_workspace;
  VendorHandle<cusparseHandle_t, cusparseDestroy> m_sparse;
  VendorHandle<cublasHandle_t, cublasDestroy> m_blas;
};

/// Work on a stream, captured once and launched as often as wanted.
class VendorGraph {
 public:
  /// \param enqueue  enqueues the work on the stream of `context`; has run before, so that the
  ///   libraries need not load kernels now
  template <class Work>
  VendorGraph(const VendorContext& context, const Work& enqueue) : m_stream(context.stream()) {
    LAMINA_VENDOR_CALL(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeRelaxed));
    try {
      enqueue();
    } catch (...) {
      cudaGraph_t broken = nullptr;
      (void)cudaStreamEndCapture(m_stream, &broken);  // the first failure is the one to tell
      const Graph discarded(broken);
      throw;
    }
    cudaGraph_t captured = nullptr;
    LAMINA_VENDOR_CALL(cudaStreamEndCapture(m_stream, &captured));
    const Graph graph(captured);
    cudaGraphExec_t executable = nullptr;
    LAMINA_VENDOR_CALL(cudaGraphInstantiate(&executable, captured, 0));
    m_executable.reset(executable);
  }

  void launch() const { LAMINA_VENDOR_CALL(cudaGraphLaunch(m_executable.get(), m_stream)); }

 private:
  using Graph = VendorHandle<cudaGraph_t, cudaGraphDestroy>;
  cudaStream_t m_stream;
  VendorHandle<cudaGraphExec_t, cudaGraphExecDestroy> m_executable;
};

}  // namespace Lamina::Perf
