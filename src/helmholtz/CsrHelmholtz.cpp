// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/helmholtz/CsrHelmholtz.hpp>

namespace Lamina {

#define LAMINA_INSTANTIATE(Space, Scalar, Layout) \
  template class CsrHelmholtz<Scalar, Layout, Space>;
LAMINA_FOR_EACH_FIELD(LAMINA_INSTANTIATE)

}  // namespace Lamina
