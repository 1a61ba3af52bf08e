// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "ProgramTest.hpp"

namespace LaminaTest {

/// Runs `lamina point-implicit`, and writes files for it.
class PointImplicitTest : public ProgramTest {
 protected:
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

  /// A tridiagonal matrix of 2 x 2 blocks, 6 unknowns.
  void write_matrix(const std::string& name) const {
    folder.write(name, banner +
                           "6 6 13\n1 1 4\n2 1 1\n1 2 -1\n2 2 4\n3 3 4\n4 4 4\n5 5 4\n6 6 4\n" +
                           "1 3 1\n4 2 -1\n3 1 0.5\n3 6 1\n5 4 1\n");
  }
};

}  // namespace LaminaTest
