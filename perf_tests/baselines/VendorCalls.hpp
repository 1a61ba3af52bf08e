// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Return codes and handles of the CUDA libraries.

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Lamina::Perf {

/// A library call that failed; the message is one line.
class VendorError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline bool succeeded(cudaError_t status) { return status == cudaSuccess; }
inline bool succeeded(cusparseStatus_t status) { return status == CUSPARSE_STATUS_SUCCESS; }
inline bool succeeded(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS; }
inline const char* text_of(cudaError_t status) { return cudaGetErrorString(status); }
inline const char* text_of(cusparseStatus_t status) { return cusparseGetErrorString(status); }
inline const char* text_of(cublasStatus_t status) { return cublasGetStatusString(status); }

/// \param call  the source text of the call, of which the message shows the function's name
template <class Status>
void check_vendor_call(Status status, const char* call) {
  if (succeeded(status)) return;
  const std::string text = call;
  throw VendorError(text.substr(0, text.find('(')) + " failed with status " +
                    std::to_string(static_cast<int>(status)) + ": " + text_of(status));
}

/// Calls a function of the CUDA runtime, cuSPARSE or cuBLAS; throws `VendorError` where it fails.
#define LAMINA_VENDOR_CALL(...) ::Lamina::Perf::check_vendor_call((__VA_ARGS__), #__VA_ARGS__)

/// Ends what a handle stands for. A destructor cannot throw: failure is told on stderr.
template <auto destroy>
struct VendorDelete {
  template <class T>
  void operator()(T* handle) const {
    const auto status = destroy(handle);
    if (!succeeded(status)) std::fprintf(stderr, "A CUDA handle: %s\n", text_of(status));
  }
};
template <class Handle, auto destroy>
using VendorHandle = std::unique_ptr<std::remove_pointer_t<Handle>, VendorDelete<destroy>>;

/// Device memory for a library, which asks for a coarser alignment than a View has.
using VendorBuffer = VendorHandle<void*, cudaFree>;

inline VendorBuffer make_vendor_buffer(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes > 0) LAMINA_VENDOR_CALL(cudaMalloc(&memory, bytes));
  return VendorBuffer(memory);
}

/// The routines for one scalar type.
template <class Scalar>
struct VendorRoutines;
template <>
struct VendorRoutines<double> {
  static constexpr cudaDataType type = CUDA_R_64F;
  static constexpr auto dot = cublasDdot;
  static constexpr auto axpy = cublasDaxpy;
  static constexpr auto scal = cublasDscal;
  static constexpr auto geam = cublasDgeam;
  static constexpr auto gtsv_interleaved_buffer_size = cusparseDgtsvInterleavedBatch_bufferSizeExt;
  static constexpr auto gtsv_interleaved = cusparseDgtsvInterleavedBatch;
  static constexpr auto gtsv_strided_buffer_size = cusparseDgtsv2StridedBatch_bufferSizeExt;
  static constexpr auto gtsv_strided = cusparseDgtsv2StridedBatch;
  static constexpr auto bsrmv = cusparseDbsrmv;
  static constexpr auto getrf_batched = cublasDgetrfBatched;
  static constexpr auto trsm_batched = cublasDtrsmBatched;
};
template <>
struct VendorRoutines<float> {
  static constexpr cudaDataType type = CUDA_R_32F;
  static constexpr auto dot = cublasSdot;
  static constexpr auto axpy = cublasSaxpy;
  static constexpr auto scal = cublasSscal;
  static constexpr auto geam = cublasSgeam;
  static constexpr auto gtsv_interleaved_buffer_size = cusparseSgtsvInterleavedBatch_bufferSizeExt;
  static constexpr auto gtsv_interleaved = cusparseSgtsvInterleavedBatch;
  static constexpr auto gtsv_strided_buffer_size = cusparseSgtsv2StridedBatch_bufferSizeExt;
  static constexpr auto gtsv_strided = cusparseSgtsv2StridedBatch;
  static constexpr auto bsrmv = cusparseSbsrmv;
  static constexpr auto getrf_batched = cublasSgetrfBatched;
  static constexpr auto trsm_batched = cublasStrsmBatched;
};

}  // namespace Lamina::Perf
