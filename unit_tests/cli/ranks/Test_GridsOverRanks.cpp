// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lamina helmholtz --grid` over ranks

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/grids/SphereTriangulation.hpp>
#include <lamina/io/UgridFile.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/ranks/ManyRanksTest.hpp"

namespace LaminaTest {
namespace {

class GridsOverRanks : public ManyRanksTest {
 protected:
  /// Owners of so many columns, as METIS would write them.
  template <class OwnerOf>
  void write_owners(const std::string& name, int num_columns, const OwnerOf& owner_of) const {
    std::string text;
    for (int n = 0; n < num_columns; ++n) text += std::to_string(owner_of(n)) + '\n';
    folder.write(name, text);
  }
  void expect_one_solve(int num_ranks, const std::string& arguments,
                        const std::string& partition = "") const {
    SCOPED_TRACE(arguments + partition);
    expect_same_history(report_of(arguments), report_on(num_ranks, arguments + partition), 1e-12);
  }
  bool has_metis() const {
    return run("helmholtz --grid sphere 2 --levels 1 --partitioner metis --quiet").status == 0;
  }
};

TEST_F(GridsOverRanks, SolveAsOneProcessDoes) {
  for (const std::string grid :
       {"sphere 6", "icosahedral 5", "triangles 4", "lat-lon 16 9", "lat-lon 16 9 -80 75.5"}) {
    expect_one_solve(3, "helmholtz --levels 7 --rhs rough --grid " + grid);
  }
  const std::string sphere = "helmholtz --levels 5 --grid sphere 5 ";
  for (const int num_ranks : {2, 4}) {
    expect_one_solve(num_ranks, sphere);
    expect_one_solve(num_ranks, sphere + "--solver pcg --rhs const --layout left");
  }
}

TEST_F(GridsOverRanks, SolveWithAnyPartition) {
  const std::string arguments = "helmholtz --levels 5 --rhs rough --grid icosahedral 4 ";
  constexpr int num_columns = 162;
  write_owners("scattered", num_columns, [](int n) { return 7 * n % 3; });
  write_owners("middle", num_columns, [](int n) { return n < 80 ? 0 : 2; });
  write_owners("last", num_columns, [](int) { return 2; });
  for (const char* file : {"scattered", "middle", "last"}) {
    for (const char* solver : {"--solver fused-pcg", "--solver pcg"}) {
      expect_one_solve(3, arguments + solver, std::string(" --partition ") + file);
    }
  }
  const auto report = report_on(3, arguments + "--partitioner file --partition middle");
  EXPECT_EQ(report["decomposition"]["partitioner"], "file");
  EXPECT_NEAR(report["decomposition"]["imbalance"].get<double>(), 82 * 3 / 162.0, 1e-12);
  EXPECT_EQ(report["per_rank"][1]["owned"], 0);
  if (has_metis()) expect_one_solve(3, arguments, "--partitioner metis");
}

/// Aggregates of a rank have columns of this rank alone, so that cycles are others.
TEST_F(GridsOverRanks, SolveWithMultigrid) {
  for (const std::string grid : {"sphere 12", "icosahedral 9", "triangles 7", "lat-lon 36 20"}) {
    const std::string arguments =
        "helmholtz --solver multigrid-pcg --levels 6 --rhs rough --tolerance 1e-10 --grid " + grid;
    const auto one = report_of(arguments), many = report_on(3, arguments);
    EXPECT_NEAR(many["iterations"].get<int>(), one["iterations"].get<int>(), 2) << grid;
    EXPECT_LE(many["true_relative_residual"], 1.1e-10) << grid;
  }
}

TEST_F(GridsOverRanks, CountTheWorkOfMultigridWithoutColumns) {
  write_owners("middle", 162, [](int n) { return n < 80 ? 0 : 2; });
  const auto report = report_on(3,
                                "helmholtz --solver multigrid-pcg --levels 5 --rhs rough --grid "
                                "icosahedral 4 --partition middle");
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["per_rank"][1]["owned"], 0);
  EXPECT_GE(report["multigrid_levels"].size(), 2u);
  double restricted = 0;
  for (const auto& kernel : report["kernels"]) {
    ASSERT_TRUE(kernel["flops"].is_number()) << kernel["name"];  // null: not finite
    ASSERT_TRUE(kernel["bytes"].is_number()) << kernel["name"];
    if (kernel["name"] == "Lamina::MultigridPreconditioner::restrict") restricted = kernel["flops"];
  }
  EXPECT_GT(restricted, 0);
}

TEST_F(GridsOverRanks, MayHaveNoColumns) {
  const std::string arguments = "helmholtz --levels 3 --rhs rough --grid lat-lon 3 1 -10 10 ";
  expect_one_solve(4, arguments);
  const auto parts = report_on(4, arguments)["per_rank"];
  EXPECT_EQ(std::count_if(parts.begin(), parts.end(),
                          [](const nlohmann::json& rank) { return rank["owned"] == 0; }),
            1);
}

TEST_F(GridsOverRanks, ReportErrorsAndResidualsOfAllCells) {
  const std::string arguments = "helmholtz --grid sphere 5 --levels 4 --rhs const --iterations 4";
  expect_same_errors(report_of(arguments), report_on(3, arguments));
}

TEST_F(GridsOverRanks, WriteTheBytesOfOneProcess) {
  write_owners("scattered", 96, [](int n) { return 5 * n % 4; });
  // Without an iteration all values are the same bits, too.
  for (const std::string arguments :
       {"helmholtz --grid sphere 4 --levels 5 --rhs rough --iterations 0",
        "helmholtz --grid sphere 4 --levels 5 --layout left --precision single --iterations 0",
        "helmholtz --grid sphere 4 --levels 5 --solver pcg --rhs const --iterations 0"}) {
    const std::string one = file_of(1, arguments);
    EXPECT_GT(one.size(), 1000u);
    for (const int num_ranks : {2, 3, 4}) {
      EXPECT_TRUE(file_of(num_ranks, arguments) == one) << num_ranks << ' ' << arguments;
    }
    EXPECT_TRUE(file_of(4, arguments + " --partition scattered") == one) << arguments;
  }
}

TEST_F(GridsOverRanks, WriteThePrismsOfOneProcess) {
  const std::string arguments =
      "helmholtz --grid icosahedral 3 --levels 3 --rhs rough --iterations 0 --quiet --output ";
  EXPECT_EQ(run(arguments + "one.vtu").status, 0);
  EXPECT_EQ(run_on(3, arguments + "many.vtu").status, 0);
  EXPECT_GT(folder.read("one.vtu").size(), 1000u);
  EXPECT_TRUE(folder.read("one.vtu") == folder.read("many.vtu"));
}

/// Pieces of the stream are 2^20 bytes.
TEST_F(GridsOverRanks, WriteColumnsInSeveralPieces) {
  const std::string arguments =
      "helmholtz --grid sphere 16 --levels 200 --rhs rough --iterations 0";
  EXPECT_TRUE(file_of(3, arguments) == file_of(1, arguments));
}

TEST_F(GridsOverRanks, ReadTheirColumnsOfAFile) {
  folder.write("rhs.nc",
               file_of(1, "helmholtz --grid sphere 4 --levels 3 --rhs rough --iterations 0"));
  const std::string arguments = "helmholtz --grid sphere 4 --levels 3 --rhs rhs.nc --iterations 0";
  const std::string one = file_of(1, arguments);
  EXPECT_TRUE(file_of(2, arguments) == one);
  EXPECT_TRUE(file_of(4, arguments) == one);
}

TEST_F(GridsOverRanks, SolveOnMeshesOfFiles) {
  const auto mesh = Lamina::icosahedral_triangulation(4);
  const auto cells = Lamina::voronoi_cells(mesh);
  Lamina::write_ugrid_file<double>(folder / "mesh.nc",
                                   {Lamina::voronoi_polygons(mesh), cells.centres, cells.areas},
                                   Lamina::VerticalGrid::graded(1, 0.1), {}, {});
  expect_one_solve(3, "helmholtz --grid mesh.nc --levels 4");
  std::filesystem::create_directory(folder / "fesom");
  folder.write("fesom/nod2d.out", "5\n1 0 0 1\n2 90 0 1\n3 180 0 1\n4 270 0 1\n5 0 90 0\n");
  folder.write("fesom/elem2d.out", "4\n1 2 5\n2 3 5\n3 4 5\n4 1 5\n");
  expect_one_solve(2, "helmholtz --grid fesom --levels 3");
}

TEST_F(GridsOverRanks, TellHowColumnsAreSplit) {
  const std::string arguments = "helmholtz --grid sphere 8 --levels 4 --iterations 2 ";
  const auto report = report_on(3, arguments + "--transport mpi-host");
  const auto& split = report["decomposition"];
  EXPECT_EQ(split["partitioner"], "curve");
  EXPECT_FALSE(split.contains("ranks"));
  EXPECT_EQ(split["imbalance"], 1);
  EXPECT_EQ(split["most_peers"], 2);
  EXPECT_GT(split["cut_edges"], 40);
  EXPECT_LT(split["cut_edges"], 200) << "of 1146";
  EXPECT_GT(split["largest_halo_fraction"], 0.2);
  EXPECT_LT(split["largest_halo_fraction"], 0.8);
  const auto outcome = run_on(3, arguments);
  EXPECT_NE(outcome.output.find("  ranks       3, pieces of the curve: imbalance 1.00, "),
            std::string::npos)
      << outcome.output;
}

TEST_F(GridsOverRanks, RefuseWhatIsNoPartition) {
  const std::string helmholtz = "lamina helmholtz: ",
                    sphere = "helmholtz --levels 2 --grid sphere 2";
  write_owners("few", 23, [](int n) { return n % 2; });
  write_owners("many", 25, [](int n) { return n % 2; });
  write_owners("three", 24, [](int n) { return n / 8; });
  write_owners("half.nc", 24, [](int n) { return n / 12; });
  folder.write("words", "0\none\n");
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {sphere + " --partition few",
            "--partition: few: line 23: expected 24 lines, one for each column, the file ends "
            "after "
            "23"},
           {sphere + " --partition many",
            "--partition: many: line 25: expected 24 lines, one for each column, got more"},
           {sphere + " --partition three",
            "--partition: three: line 17: expected a rank from 0 to 1, got \"2\""},
           {sphere + " --partition words",
            "--partition: words: line 2: expected a rank from 0 to 1, got \"one\""},
           {sphere + " --partition nowhere", "--partition: nowhere: no such file"},
           {sphere + " --partitioner file",
            "--partitioner: expected --partition FILE with file, got file"},
           {sphere + " --partitioner curve --partition few",
            "--partitioner: expected file with --partition FILE, got curve"},
           {sphere + " --partitioner best", "--partitioner: expected curve|metis|file, got best"},
           {sphere + " --ranks 2 1",
            "--ranks: expected --partitioner with --grid sphere 2, got 2 1"},
           {"helmholtz --size 8 8 4 --partitioner metis",
            "--partitioner: expected a --grid other than panel, got metis"},
           {"helmholtz --size 8 8 4 --partition few",
            "--partition: expected a --grid other than panel, got few"},
           {sphere + " --partition half.nc --output half.nc", "--output: "},
           {sphere + " --solver csr-pcg", "--solver: expected "}}) {
    expect_refused_on(2, arguments, helmholtz + message);
  }
  if (has_metis()) return;
  expect_refused_on(2, sphere + " --partitioner metis",
                    helmholtz +
                        "--partitioner: expected curve|file, as this program was built without "
                        "METIS, got metis");
}

TEST_F(GridsOverRanks, AreOneProcessWhereThereIsOne) {
  write_owners("one", 24, [](int) { return 0; });
  write_owners("two", 24, [](int n) { return n % 2; });
  EXPECT_EQ(report_of("helmholtz --levels 2 --grid sphere 2 --partition one")["ranks"], 1);
  expect_refused(
      "helmholtz --levels 2 --grid sphere 2 --partition two",
      "lamina helmholtz: --partition: two: line 2: expected a rank from 0 to 0, got \"1\"");
}

TEST_F(GridsOverRanks, EndTogetherWhereTheyHaveOtherFiles) {
  write_owners("owners", 24, [](int n) { return n % 2; });
  std::filesystem::create_directory(folder / "elsewhere");
  const std::string part =
      program + "helmholtz --levels 2 --grid sphere 2 --partition owners --quiet --json j.json";
  // Rank 1 looks for it in another folder, and finds none, or another one.
  const std::string command = launcher + of_ranks(1) + part + " :" + of_ranks(1) +
                              " sh -c 'cd elsewhere && exec \"$0\" \"$@\"'" + part;
  const std::size_t num_files = folder.num_files();
  expect_failure(run_shell(command), "lamina helmholtz: rank 1: --partition: owners: no such file",
                 num_files);
  write_owners("elsewhere/owners", 24, [](int n) { return n / 12; });
  expect_failure(run_shell(command),
                 "lamina helmholtz: --partition: expected the same on all ranks, got another on "
                 "rank 1 than on rank 0",
                 num_files);
}

}  // namespace
}  // namespace LaminaTest
