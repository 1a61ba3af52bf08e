// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lamina helmholtz --grid`

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/io/UgridFile.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ProgramTest.hpp"

namespace LaminaTest {
namespace {

class HelmholtzGrid : public ProgramTest {
 protected:
  void write_grid(const std::string& name, const Lamina::CellPolygons& polygons,
                  const Lamina::ColumnGraph& graph) const {
    Lamina::write_ugrid_file<double>(folder / name, {polygons, graph.centres, graph.areas},
                                     Lamina::VerticalGrid::graded(1, 0.1), {}, {});
  }
  std::vector<double> field(const std::string& file, const std::string& name, int num_faces,
                            int num_levels) const {
    std::vector<double> values;
    Lamina::UgridFieldReader(folder / file, name, num_faces, num_levels)
        .read([&](int, const double* column) {
          values.insert(values.end(), column, column + num_levels);
        });
    return values;
  }
};

TEST_F(HelmholtzGrid, SolvesOnEveryGrid) {
  struct Case {
    std::string grid;
    int columns, least, most;
  };
  for (const Case& grid : {Case{"sphere 6", 216, 4, 6}, Case{"icosahedral 5", 252, 5, 6},
                           Case{"triangles 4", 320, 3, 3}, Case{"lat-lon 16 9", 144, 3, 4},
                           Case{"lat-lon 16 9 -80 75.5", 144, 3, 4}}) {
    const auto report =
        report_of("helmholtz --grid " + grid.grid + " --levels 7 --rhs const --tolerance 1e-8");
    const auto& problem = report["problem"];
    EXPECT_EQ(problem["grid"], grid.grid);
    EXPECT_EQ(problem["columns"], grid.columns);
    EXPECT_EQ(problem["nz"], 7);
    EXPECT_EQ(problem["unknowns"], 7 * grid.columns);
    EXPECT_EQ(problem["neighbours"]["least"], grid.least);
    EXPECT_EQ(problem["neighbours"]["most"], grid.most);
    EXPECT_FALSE(problem.contains("nx"));
    EXPECT_EQ(report["status"], "converged");
    EXPECT_LE(report["error"]["linf"], 1e-7);
    EXPECT_LE(report["true_relative_residual"], 1.1e-8);
  }
}

TEST_F(HelmholtzGrid, OfAPanelIsTheModelProblem) {
  const auto report = report_of("helmholtz --grid panel --size 8 7 5");
  EXPECT_EQ(report["problem"], report_of("helmholtz --size 8 7 5")["problem"]);
  EXPECT_EQ(report["problem"]["grid"], "panel");
  EXPECT_EQ(report["problem"]["nx"], 8);
}

TEST_F(HelmholtzGrid, EverySolverTakesTheSameIterations) {
  const std::string common = "helmholtz --grid icosahedral 6 --levels 9 ";
  const int iterations = report_of(common)["iterations"];
  EXPECT_GT(iterations, 8);
  for (const char* options :
       {"--solver fused-pcg-stored", "--solver pcg", "--solver csr-pcg", "--layout left",
        "--layout right", "--precision single", "--precision mixed"}) {
    EXPECT_NEAR(report_of(common + options)["iterations"].get<int>(), iterations, 1) << options;
  }
}

TEST_F(HelmholtzGrid, MultigridTakesFewIterations) {
  for (const char* grid :
       {"sphere 16", "icosahedral 12", "triangles 10", "lat-lon 40 30", "lat-lon 40 30 -60 60"}) {
    for (const char* precision : {"double", "mixed"}) {
      const auto report =
          report_of("helmholtz --grid " + std::string(grid) + " --levels 8 --rhs rough " +
                    "--solver multigrid-pcg --tolerance 1e-10 --precision " + precision);
      EXPECT_LE(report["iterations"], 13) << grid;
      EXPECT_LE(report["true_relative_residual"], 1.1e-10) << grid;
      EXPECT_GE(report["multigrid_levels"].size(), 2u);
    }
  }
}

TEST_F(HelmholtzGrid, ReadsBackItsOwnOutput) {
  for (const std::string precision : {"single", "double", "mixed"}) {
    const std::string common = "helmholtz --grid sphere 4 --levels 5 --precision " + precision;
    const auto first = report_of(common + " --rhs rough --output first.nc");
    const auto second = report_of(common + " --rhs first.nc --layout left --output second.nc");
    EXPECT_EQ(second["problem"]["rhs"], "first.nc");
    EXPECT_EQ(first["iterations"], second["iterations"]);
    EXPECT_EQ(field("first.nc", "rhs", 96, 5), field("second.nc", "rhs", 96, 5));
    const auto solution = field("first.nc", "solution", 96, 5),
               other = field("second.nc", "solution", 96, 5);
    for (std::size_t n = 0; n < solution.size(); ++n) EXPECT_NEAR(solution[n], other[n], 1e-5);
  }
}

/// Columns in files are in the order of the generator, whatever that of the solve is: a mesh and its
/// output as a mesh are the same.
TEST_F(HelmholtzGrid, TakesItsOutputAsAGrid) {
  const std::string options = " --levels 5 --omega2 0.01 --rhs smooth --tolerance 1e-10 --output ";
  for (const std::string grid : {"icosahedral 4", "lat-lon 8 6"}) {
    const auto generated = report_of("helmholtz --grid " + grid + options + "first.nc");
    const auto read = report_of("helmholtz --grid first.nc" + options + "second.nc");
    EXPECT_EQ(read["problem"]["grid"], "first.nc");
    EXPECT_EQ(read["problem"]["convention"], "UGRID");
    const int columns = generated["problem"]["columns"];
    EXPECT_EQ(read["problem"]["columns"], columns);
    if (grid != "icosahedral 4") continue;  // parallels are no great circles
    const auto first = field("first.nc", "solution", columns, 5),
               second = field("second.nc", "solution", columns, 5);
    for (std::size_t n = 0; n < first.size(); ++n) EXPECT_NEAR(first[n], second[n], 1e-8);
  }
}

TEST_F(HelmholtzGrid, WritesPrismsForParaView) {
  for (const auto& [grid, cells] :
       {std::pair<std::string, int>{"--grid sphere 3 --levels 4", 216}, {"--size 4 3 2", 24}}) {
    const auto report = report_of("helmholtz " + grid + " --output out.vtu");
    EXPECT_EQ(report["status"], "converged");
    const std::string text = folder.read("out.vtu");
    EXPECT_NE(text.find("NumberOfCells=\"" + std::to_string(cells) + '"'), text.npos);
    for (const char* name : {"solution", "rhs"}) {
      EXPECT_NE(text.find(std::string("Name=\"") + name + '"'), text.npos);
    }
  }
}

TEST_F(HelmholtzGrid, WarnsOfSkewCells) {
  const Lamina::CubedSpherePanel panel(24, 24);
  const auto polygons = Lamina::panel_polygons(panel);
  write_grid("panel.nc", polygons, Lamina::polygon_cells(polygons));
  const std::string warning = "warning     edges are skew, most at column ";
  EXPECT_NE(run("helmholtz --grid panel.nc --levels 2").output.find(warning), std::string::npos);
  const auto report = report_of("helmholtz --grid panel.nc --levels 2");
  EXPECT_GT(report["problem"]["skewness"]["largest"], 0.1);
  EXPECT_GT(report["problem"]["skewness"]["mean"], 0.01);
  for (const char* grid :
       {"sphere 4", "icosahedral 2", "triangles 2", "triangles 8", "lat-lon 9 5"}) {
    const auto outcome = run("helmholtz --levels 2 --grid " + std::string(grid));
    EXPECT_EQ(outcome.output.find("warning"), std::string::npos) << grid;
    EXPECT_NE(outcome.output.find("Hilbert curve"), std::string::npos) << grid;
  }
}

TEST_F(HelmholtzGrid, SolvesAbovePlanes) {
  Lamina::CellPolygons polygons;
  for (int i = 0; i <= 6; ++i) {
    for (int j = 0; j <= 5; ++j) polygons.points.push_back({1000.0 * i, 1000.0 * j, 0});
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 5; ++j) {
      const int corner = 6 * i + j;
      polygons.add(std::array{corner, corner + 6, corner + 7, corner + 1});
    }
  }
  Lamina::ColumnCentres plane;
  plane.surface = Lamina::ColumnCentres::Surface::plane;
  write_grid("plane.nc", polygons, Lamina::polygon_cells(polygons, plane));
  for (const char* rhs : {"const", "smooth", "rough"}) {
    const auto report =
        report_of("helmholtz --grid plane.nc --levels 6 --output u.vtu --rhs " + std::string(rhs));
    EXPECT_EQ(report["status"], "converged");
    EXPECT_NEAR(report["problem"]["depth"].get<double>(), 0.0157 * std::sqrt(30e6), 1e-9);
    if (report.contains("error")) {
      EXPECT_LE(report["error"]["linf"], 1e-4);
    }
  }
  EXPECT_NE(run("helmholtz --grid plane.nc --levels 6").output.find("above a plane"),
            std::string::npos);
}

TEST_F(HelmholtzGrid, ReadsAFolderOfFesom) {
  std::filesystem::create_directory(folder / "mesh");
  folder.write("mesh/nod2d.out", "5\n1 0 0 1\n2 90 0 1\n3 180 0 1\n4 270 0 1\n5 0 90 0\n");
  folder.write("mesh/elem2d.out", "4\n1 2 5\n2 3 5\n3 4 5\n4 1 5\n");
  const auto report = report_of("helmholtz --grid mesh/ --levels 3 --rhs const --output o.nc");
  EXPECT_EQ(report["problem"]["grid"], "mesh");
  EXPECT_EQ(report["problem"]["convention"], "FESOM");
  EXPECT_EQ(report["problem"]["columns"], 5);
  EXPECT_EQ(report["problem"]["edges_left_out"], 0);
  EXPECT_LE(report["error"]["linf"], 1e-4);
}

TEST_F(HelmholtzGrid, RefusesWhatIsNoGrid) {
  const std::string helmholtz = "lamina helmholtz: ", grid = helmholtz + "--grid: expected ";
  folder.write("text.nc", "no mesh");
  write_rhs("rhs.nc", 1);
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"--grid", "lamina helmholtz: --grid"},
           {"--grid sphere", grid + "sphere M, got 0 numbers"},
           {"--grid sphere 1", grid + "sphere and a whole number >= 2, got 1"},
           {"--grid sphere x", grid + "sphere and a whole number >= 2, got x"},
           {"--grid sphere 4 4", grid + "sphere M, got 2 numbers"},
           {"--grid icosahedral 0", grid + "icosahedral and a whole number >= 1, got 0"},
           {"--grid triangles -1", grid + "triangles and a whole number >= 1, got -1"},
           {"--grid lat-lon 4", grid + "lat-lon NX NY [SOUTH NORTH], got 1 number\n"},
           {"--grid lat-lon 4 4 9", grid + "lat-lon NX NY [SOUTH NORTH], got 3 numbers"},
           {"--grid lat-lon 2 4", grid + "lat-lon and a whole number >= 3, got 2"},
           {"--grid lat-lon 8 1", grid + "lat-lon with NY >= 2 from pole to pole, got 1"},
           {"--grid lat-lon 4 4 -91 0", grid + "latitudes in degrees from -90 to 90, got -91"},
           {"--grid lat-lon 4 4 9 9", grid + "SOUTH < NORTH, got 9 and 9"},
           {"--grid panel 4", grid + "panel with --size NX NY NZ, got 1 number\n"},
           {"--grid sphere 40000", grid + "at most "},
           {"--grid lat-lon 2147483647 2147483647", grid + "at most "},
           {"--grid nowhere.nc", helmholtz + "--grid: nowhere.nc: no such file"},
           {"--grid text.nc", helmholtz + "--grid: text.nc: not a NetCDF file"},
           {"--grid .", helmholtz + "--grid: ./nod2d.out: no such file"},
           {"--grid rhs.nc", helmholtz + "--grid: rhs.nc: expected a mesh of MPAS, ICON or UGRID"},
           {"--grid text.nc 4", grid + "text.nc alone, got 1 number\n"},
           {"--grid sphere 4 --size 4 3 2",
            helmholtz + "--size: expected --levels with --grid sphere 4, got --size"},
           {"--grid sphere 4 --levels 0", helmholtz + "--levels: expected a whole number from 1"},
           {"--levels 4", helmholtz + "--levels: expected a --grid other than panel, got 4"},
           {"--grid sphere 4 --edge dirichlet",
            helmholtz + "--edge: expected zero-flux with --grid sphere 4, got dirichlet"},
           {"--grid sphere 4 --levels 2 --rhs rhs.nc",
            helmholtz +
                "--rhs: rhs.nc: variable 'rhs': expected the dimensions (face = 96, level = "
                "2), got (x = 4, y = 3, level = 2)"},
           {"--grid sphere 4 --omega2 1e300", helmholtz + "--omega2: expected a number from "},
           {"--grid sphere 4 --levels 4 --omega2 1e14", helmholtz + "--omega2: expected at most "},
           {"--grid sphere 4 --output o.txt", helmholtz + "--output: expected "}}) {
    expect_refused("helmholtz " + arguments, message);
  }
  write_grid("g.nc", Lamina::voronoi_polygons(Lamina::icosahedral_triangulation(1)),
             Lamina::voronoi_cells(Lamina::icosahedral_triangulation(1)));
  expect_refused("helmholtz --grid g.nc --levels 2 --output g.nc", helmholtz + "--output: ");
}

TEST_F(HelmholtzGrid, IsCompared) {
  const auto report =
      report_of("compare helmholtz --grid triangles 3 --levels 4 --precision double");
  ASSERT_GE(report.size(), 4u);
  for (const auto& solve : report) EXPECT_EQ(solve["problem"]["grid"], "triangles 3");
}

}  // namespace
}  // namespace LaminaTest
