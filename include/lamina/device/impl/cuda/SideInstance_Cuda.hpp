// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace Lamina::Impl {

/// A stream of high priority: its small kernels get the places of the first teams of a large one that
/// end. Where `open` was not called for the device of an instance, the first use does it. Errors of
/// CUDA are thrown as std::runtime_error.
template <>
class SideInstance<Kokkos::Cuda> {
 public:
  static constexpr bool is_apart = true;

  void open(const Kokkos::Cuda& space) const {
    if (!m_stream->instance || m_stream->device != space.cuda_device()) m_stream->open(space);
  }
  const Kokkos::Cuda& after(const Kokkos::Cuda& space) const {
    open(space);
    check(cudaSetDevice(m_stream->device));
    check(cudaEventRecord(m_stream->begin, space.cuda_stream()));
    check(cudaStreamWaitEvent(m_stream->stream, m_stream->begin, 0));
    return *m_stream->instance;
  }
  void mark() const {
    if (m_stream->instance) check(cudaEventRecord(m_stream->end, m_stream->stream));
  }
  void wait_for_mark(const Kokkos::Cuda& space) const {
    if (m_stream->instance) check(cudaStreamWaitEvent(space.cuda_stream(), m_stream->end, 0));
  }
  void join(const Kokkos::Cuda& space) const {
    mark();
    wait_for_mark(space);
  }

 private:
  struct Stream {
    Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { close(); }

    void open(const Kokkos::Cuda& space) {
      close();
      device = space.cuda_device();
      int lowest = 0, highest = 0;
      check(cudaSetDevice(device));
      check(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
      check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest));
      check(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
      check(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
      instance = std::make_unique<Kokkos::Cuda>(stream);
    }
    /// Work that still runs continues to its end.
    void close() {
      instance.reset();
      if (end != nullptr) static_cast<void>(cudaEventDestroy(end));
      if (begin != nullptr) static_cast<void>(cudaEventDestroy(begin));
      if (stream != nullptr) static_cast<void>(cudaStreamDestroy(stream));
      stream = nullptr;
      begin = end = nullptr;
    }

    int device = 0;
    cudaStream_t stream = nullptr;
    cudaEvent_t begin = nullptr, end = nullptr;
    std::unique_ptr<Kokkos::Cuda> instance;
  };

  static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    throw std::runtime_error("SideInstance: " + std::string(cudaGetErrorString(error)));
  }

  std::shared_ptr<Stream> m_stream = std::make_shared<Stream>();
};

}  // namespace Lamina::Impl
