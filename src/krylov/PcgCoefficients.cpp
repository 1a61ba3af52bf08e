// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/impl/PcgCoefficients.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space)                \
  template struct PcgCoefficients<Space, float>; \
  template struct PcgCoefficients<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
