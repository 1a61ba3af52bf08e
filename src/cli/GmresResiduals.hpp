// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <sstream>
#include <streambuf>
#include <vector>

namespace Lamina::Cli {

/// The residuals of Kokkos Kernels' GMRES, one an iteration. It tells them on std::cout alone, when
/// asked to be verbose: during the lifetime of this object what is written there is kept here.
class GmresResiduals {
 public:
  GmresResiduals();
  ~GmresResiduals();
  GmresResiduals(const GmresResiduals&) = delete;
  GmresResiduals& operator=(const GmresResiduals&) = delete;

  /// |r_k| / |b| of the iterations so far.
  std::vector<double> values() const;

 private:
  std::ostringstream m_text;
  std::streambuf* m_before;
  std::streamsize m_precision_before;
};

}  // namespace Lamina::Cli
