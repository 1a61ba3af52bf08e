// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files as other programs write them.

#include <lamina/io/MatrixMarketFile.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "PointImplicitTest.hpp"
#include "io/mesh/MeshText.hpp"

namespace LaminaTest {
namespace {

class PointImplicitFiles : public PointImplicitTest {};

TEST_F(PointImplicitFiles, NumbersOfFortranAndRightHandSidesAsEntries) {
  folder.write("a.mtx", banner + "2 2 2\n1 1 4.0D+00\n2 2 4.0-000\n");
  folder.write("b.mtx", banner + "2 1 1\n1 1 3\n");
  const auto report =
      report_of("point-implicit --matrix a.mtx --rhs b.mtx --block-size 1 --output x.mtx");
  EXPECT_EQ(report["problem"]["rows"], 2);
  EXPECT_EQ(Lamina::read_matrix_market_vector(folder / "x.mtx", 2), (std::vector<double>{0.75, 0}));
}

TEST_F(PointImplicitFiles, TheSizeOfBlocksIsThatOfTheFileUnlessGiven) {
  const std::string blocked =
      banner + "% ISTL_STRUCT blocked 2 2\n4 4 4\n" + "1 1 4\n2 2 4\n3 3 4\n4 4 4\n";
  folder.write("a.mtx", blocked);
  EXPECT_EQ(report_of("point-implicit --matrix a.mtx")["problem"]["block_size"], 2);
  EXPECT_EQ(report_of("point-implicit --matrix a.mtx --block-size 1")["problem"]["block_size"], 1);
  folder.write("b.mtx", replaced(blocked, "2 2\n", "2 1\n"));
  expect_refused("point-implicit --matrix b.mtx",
                 "lamina point-implicit: --matrix: b.mtx: line 2: expected \"% ISTL_STRUCT "
                 "blocked\" and the extents of square blocks");
}

TEST_F(PointImplicitFiles, MeshesOfAllKindsGiveCellsToParaView) {
  folder.write("a.msh", two_tetrahedra);
  folder.write("b.msh", binary_mesh(2));
  for (const std::string mesh : {"a.msh", "b.msh"}) {
    report_of("point-implicit --sweeps 2 --output x.vtu --mesh " + mesh);
    const std::string text = folder.read("x.vtu");
    const std::string size = mesh == "a.msh" ? "NumberOfPoints=\"5\" NumberOfCells=\"2\""
                                             : "NumberOfPoints=\"4\" NumberOfCells=\"1\"";
    EXPECT_NE(text.find(size), text.npos) << mesh;
  }
  report_of("point-implicit --sweeps 2 --output x.vtu --generate 3 2 4");
  EXPECT_NE(folder.read("x.vtu").find("NumberOfPoints=\"24\" NumberOfCells=\"36\""),
            std::string::npos);
  write_matrix("a.mtx");
  expect_refused("point-implicit --matrix a.mtx --block-size 2 --output x.vtu",
                 "lamina point-implicit: --output: expected a name that ends in .mtx or .nc where "
                 "points have no places, got x.vtu");
}

}  // namespace
}  // namespace LaminaTest
