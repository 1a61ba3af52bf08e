// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What all vendor baselines tell.

#include <lamina/Version.hpp>

#include <Kokkos_Core.hpp>

#include <string>

#include "../support/WriteJson.hpp"

namespace Lamina::Perf {

inline constexpr int vendor_repetitions = 7;  ///< of which the median is told

/// Versions of what was measured.
struct VendorVersions {
  std::string device, cuda, cusparse, cublas;
};

/// The head of a report.
inline nlohmann::ordered_json json_of(const VendorVersions& versions) {
  return {{"lamina_version", LAMINA_VERSION_STRING},
          {"kokkos_version", KOKKOS_VERSION},
          {"device", versions.device},
          {"cuda_version", versions.cuda},
          {"cusparse_version", versions.cusparse},
          {"cublas_version", versions.cublas}};
}

}  // namespace Lamina::Perf
