// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What `lamina helmholtz` says to bottoms, levels and coefficients that make no sense: one line.

#include "cli/columns/HelmholtzColumnsTest.hpp"

namespace LaminaTest {
namespace {

class HelmholtzColumnsBadInput : public HelmholtzColumnsTest {
 protected:
  const std::string with = "helmholtz --grid plane.nc --levels 2 --coefficients ",
                    start = "lamina helmholtz: --coefficients: ";

  /// For 3 levels from 0 to -4.
  void write_bad_bottoms() const {
    std::vector<double> wet(num_faces, 2), deep(num_faces, 1), many = wet, negative = wet,
                                                               far = deep, below = deep;
    many[7] = 4;
    negative[8] = -1;
    far[9] = 1000;
    below[9] = -1000;
    write_variables("b.nc",
                    {{"many", {{"face", num_faces}}, many, NC_INT},
                     {"negative", {{"face", num_faces}}, negative, NC_INT},
                     {"short", {{"few", num_faces - 1}}, std::vector<double>(num_faces - 1, 2)},
                     {"land", {{"face", num_faces}}, std::vector<double>(num_faces, 0), NC_INT},
                     {"above", {{"face", num_faces}}, std::vector<double>(num_faces, -3)},
                     {"far", {{"face", num_faces}}, far},
                     {"topography", {{"face", num_faces}}, below, NC_DOUBLE, {{"positive", "up"}}},
                     {"sideways", {{"face", num_faces}}, deep, NC_DOUBLE, {{"positive", "east"}}},
                     {"number", {}, {2}}});
    auto half = wet;
    half[6] = 1.5;
    write_variables("half.nc", {{"maxLevelCell", {{"nCells", num_faces}}, half}});
    folder.write("nlvls.out", "4\n3\n");
    std::string interfaces(2 * num_faces, '\n');
    for (std::size_t f = 0; f < num_faces; ++f) interfaces[2 * f] = '4';
    folder.write("many.out", "5" + interfaces.substr(1));
    folder.write("half.out", "2.5" + interfaces.substr(1));
    folder.write("text.nc", "no file");
  }
};

TEST_F(HelmholtzColumnsBadInput, OfLevels) {
  write_plane("plane.nc");
  write_variables("z.nc", {{"z", {{"interface", 3}}, {0, 1, 1}},
                           {"two", {{"interface", 3}, {"x", 2}}, std::vector<double>(6, 1)}});
  folder.write("one.txt", "5\n");
  folder.write("words.txt", "0 1\ntwo");
  folder.write("folded.txt", "0 2 1");
  folder.write("nan.txt", "0 nan 1");
  folder.write("empty.txt", "");
  folder.write("long.txt", std::string(100000, '1'));
  const std::string levels = "lamina helmholtz: --levels: ",
                    rising = levels + "expected heights that rise or fall";
  for (const auto& [file, message] : std::vector<std::pair<std::string, std::string>>{
           {"none.txt", levels + "none.txt: no such file"},
           {"one.txt", levels + "expected heights of 2 interfaces or more in one.txt, got 1"},
           {"empty.txt", levels + "expected heights of 2 interfaces or more in empty.txt, got 0"},
           {"words.txt", levels + "words.txt: line 2: expected a number, got \"two\""},
           {"nan.txt", levels + "nan.txt: line 1: expected a finite value, got \"nan\""},
           {"long.txt", levels + "long.txt: line 1: expected a word of at most 1024 characters"},
           {"folded.txt", rising + " in folded.txt, got 1 beside 2"},
           {"z.nc:z", rising + " in z.nc:z, got 1 beside 1"},
           {"z.nc:two", levels + "z.nc: variable 'two': expected at most 65536 values of one "
                                 "dimension, got (interface = 3, x = 2)"},
           {"z.nc:none", levels + "z.nc: no variable 'none'"},
           {"0", levels + "expected a whole number from 1"},
           {"one.txt --depth 3", "lamina helmholtz: --depth: expected --levels N, got a file"}}) {
    expect_refused("helmholtz --grid plane.nc --levels " + file, message);
  }
  folder.write("deep.txt", "-2 0");
  expect_refused("helmholtz --grid sphere 4 --levels deep.txt",
                 rising + ", all above the centre of the sphere in deep.txt, got -2");
}

TEST_F(HelmholtzColumnsBadInput, OfBottoms) {
  write_plane("plane.nc");
  write_bad_bottoms();
  folder.write("levels.txt", "-4 -2 -1 0");
  const std::string bottom = "lamina helmholtz: --bottom: ";
  for (const auto& [file, message] : std::vector<std::pair<std::string, std::string>>{
           {"none.nc:x", bottom + "none.nc: no such file"},
           {"text.nc:x", bottom + "text.nc: not a NetCDF file"},
           {"b.nc", bottom + "b.nc: expected FILE:VARIABLE, got a file without a variable "
                             "'maxLevelCell'"},
           {"b.nc:x", bottom + "b.nc: no variable 'x'"},
           {"b.nc:many",
            bottom + "b.nc: variable 'many': expected a whole number of wet levels from 0 to 3, "
                     "got 4 at (7)"},
           {"b.nc:negative",
            bottom +
                "b.nc: variable 'negative': expected a whole number of wet levels from 0 to 3, "
                "got -1 at (8)"},
           {"b.nc:short", bottom + "b.nc: variable 'short': expected 30 values of one dimension, "
                                   "got (few = 29)"},
           {"b.nc:number",
            bottom +
                "b.nc: variable 'number': expected 30 values of one dimension, got one number"},
           {"b.nc:land", bottom + "b.nc: variable 'land': expected a wet cell, got land alone"},
           {"b.nc:above", bottom + "b.nc: variable 'above': expected a wet cell, got land alone"},
           {"b.nc:far",
            bottom + "b.nc: variable 'far': expected depths of at most 4, that of the levels, got "
                     "1000 at (9)"},
           {"b.nc:topography",
            bottom + "b.nc: variable 'topography': expected heights of at least -4, the lowest of "
                     "the levels, got -1000 at (9)"},
           {"b.nc:sideways", bottom + "b.nc: variable 'sideways', attribute positive: expected up "
                                      "or down, got east"},
           {"half.nc", bottom + "half.nc: variable 'maxLevelCell': expected a whole number of wet "
                                "levels from 0 to 3, got 1.5 at (6)"},
           {"many.out", bottom +
                            "many.out: expected a whole number of interfaces from 0 to 4, got 5 "
                            "at (0)"},
           {"half.out", bottom + "half.out: expected a whole number of interfaces from 0 to 4, got "
                                 "2.5 at (0)"},
           {"nlvls.out", bottom + "nlvls.out: expected 30 numbers of interfaces, got 2"}}) {
    expect_refused("helmholtz --grid plane.nc --levels levels.txt --bottom " + file, message);
  }
}

TEST_F(HelmholtzColumnsBadInput, OfValues) {
  write_plane("plane.nc");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> ones(num_faces * 2, 1), negative = ones, missing = ones, infinite = ones;
  negative[5] = -1;
  missing[6] = nan;
  infinite[7] = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::size_t>> cells{{"face", num_faces}, {"level", 2}};
  write_variables("negative.nc", {{"mass", cells, negative}});
  write_variables("missing.nc", {{"mass", cells, missing}});
  write_variables("infinite.nc", {{"mass", cells, infinite}});
  write_variables("huge.nc", {{"mass", {}, {1e300}}});
  const std::string mass = ": variable 'mass': expected a value >= 0 at ";
  expect_refused(with + "negative.nc", start + "negative.nc" + mass + "(2, 1), got -1");
  expect_refused(with + "missing.nc", start + "missing.nc" + mass + "(3, 0), got none");
  expect_refused(with + "infinite.nc", start + "infinite.nc" + mass + "(3, 1), got inf");
  expect_refused(with + "huge.nc --precision single",
                 start + "expected mass terms within the range of single precision, got ");
}

TEST_F(HelmholtzColumnsBadInput, DoesNotMatterInDryCells) {
  write_plane("plane.nc");
  write_variables("wet.nc",
                  {{"wet", {{"face", num_faces}}, std::vector<double>(num_faces, 1), NC_INT}});
  std::vector<double> dry(num_faces * 2, 1);
  dry[6] = std::numeric_limits<double>::quiet_NaN();
  write_variables("dry.nc", {{"mass", {{"face", num_faces}, {"level", 2}}, dry}});
  EXPECT_EQ(report_of(with + "dry.nc --bottom wet.nc:wet")["status"], "converged");
}

TEST_F(HelmholtzColumnsBadInput, OfDimensions) {
  write_plane("plane.nc");
  const std::vector<double> ones(num_faces * 2, 1);
  write_variables("nothing.nc", {{"u", {{"face", num_faces}, {"level", 2}}, ones}});
  write_variables("levels.nc", {{"mass", {{"level", 3}}, {1, 1, 1}}});
  write_variables("faces.nc", {{"surface", {{"face", 3}}, {1, 1, 1}}});
  write_variables("turned.nc", {{"mass", {{"level", 2}, {"face", num_faces}}, ones}});
  write_variables("other.nc", {{"mass", {{"time", 2}}, {1, 1}}});
  write_variables("kind.nc", {{"surface", {{"level", 2}}, {1, 1}}});
  write_variables("inside.nc", {{"vertical", {{"level", 2}}, {1, 1}}});
  write_variables("flat.nc",
                  {{"mass", {{"level", 2}}, {1, 1}},
                   {"level", {{"level", 2}}, {3, 3}, NC_DOUBLE, {{"positive", "down"}}}});
  const std::string mass = ": variable 'mass': expected ";
  for (const auto& [file, message] : std::vector<std::pair<std::string, std::string>>{
           {"none.nc", ": no such file"},
           {"nothing.nc", ": expected a variable 'mass', 'vertical', 'horizontal' or 'surface'"},
           {"levels.nc", mass + "level = 2, got 3"},
           {"faces.nc", ": variable 'surface': expected face = 30, got 3"},
           {"turned.nc", mass + "a face or edge before a level or interface, got (level = 2, "
                                "face = 30)"},
           {"other.nc", mass + "dimensions face, edge, level and interface, or"},
           {"kind.nc", ": variable 'surface': expected values of faces"},
           {"inside.nc", ": variable 'vertical': expected values of faces and interfaces"},
           {"flat.nc", ": variable 'level': expected values that rise or fall"}}) {
    expect_refused(with + file, start + file + message);
  }
}

TEST_F(HelmholtzColumnsBadInput, OfEdges) {
  write_plane("plane.nc");
  const std::size_t count = plane_edges().size();
  std::vector<double> pairs;
  for (const auto& [first, second] : plane_edges()) {
    pairs.push_back(static_cast<double>(first));
    pairs.push_back(static_cast<double>(second));
  }
  const auto with_pairs = [&](const std::string& name, std::vector<double> of) {
    const std::size_t size = of.size() / 2;
    write_variables(name, {{"horizontal", {{"edge", size}}, std::vector<double>(size, 1)},
                           {"edge_faces", {{"edge", size}, {"two", 2}}, std::move(of), NC_INT}});
  };
  std::vector<double> from_one;
  for (const double face : pairs) from_one.push_back(face + 1);
  auto far = pairs, beyond = pairs, fewer = pairs;
  far[1] = 29;
  beyond[3] = 30;
  fewer.resize(fewer.size() - 2);
  with_pairs("right.nc", pairs);
  with_pairs("far.nc", far);
  with_pairs("beyond.nc", beyond);
  with_pairs("fewer.nc", fewer);
  const std::vector<double> ones(count, 1);
  write_variables("lacking.nc",
                  {{"horizontal", {{"edge", 3}}, {1, 1, 1}},
                   {"cellsOnEdge", {{"nEdges", count}, {"two", 2}}, from_one, NC_INT}});
  // An edge again: with its value, as between two faces of a periodic plane, and with another.
  auto more = pairs, values = ones;
  more.push_back(pairs[1]);
  more.push_back(pairs[0]);
  values.push_back(2);
  with_pairs("twice.nc", more);
  write_variables("changed.nc", {{"horizontal", {{"edge", count + 1}}, values},
                                 {"edge_faces", {{"edge", count + 1}, {"two", 2}}, more, NC_INT}});
  write_variables("lonely.nc", {{"horizontal", {{"edge", count}}, ones}});
  write_variables("many.nc", {{"horizontal", {{"edge", 1000}}, std::vector<double>(1000, 1)}});
  write_variables(
      "three.nc",
      {{"horizontal", {{"edge", count}}, ones},
       {"edge_faces", {{"edge", count}, {"three", 3}}, std::vector<double>(3 * count, 0), NC_INT}});
  EXPECT_EQ(report_of(with + "right.nc")["status"], "converged");
  EXPECT_EQ(report_of(with + "twice.nc")["status"], "converged");
  for (const auto& [file, message] : std::vector<std::pair<std::string, std::string>>{
           {"lonely.nc",
            ": expected a variable 'edge_faces' or 'cellsOnEdge' with values on edges"},
           {"many.nc", ": variable 'horizontal': expected edge of at most 180, got 1000"},
           {"lacking.nc",
            ": variable 'cellsOnEdge': expected 3 edges, as 'horizontal' has them, got 49"},
           {"changed.nc",
            ": edge 49: expected the values of edge 0, which is between the same faces "
            "0 and 5, counted from 0, got others"},
           {"far.nc", ": edge 0: expected faces that share an edge of the grid, got 5 and 29"},
           {"beyond.nc", ": variable 'edge_faces': expected faces from 0 to 29 at (1, 1), got 30"},
           {"fewer.nc", ": expected all edges of the grid, got none of faces 28 and 29"},
           {"three.nc", ": variable 'edge_faces': expected the dimensions (edge, 2), got"}}) {
    expect_refused(with + file, start + file + message);
  }
}

TEST_F(HelmholtzColumnsBadInput, OfOptions) {
  write_plane("plane.nc");
  write_variables("c.nc",
                  {{"mass", {}, {2}},
                   {"wet", {{"face", num_faces}}, std::vector<double>(num_faces, 1), NC_INT}});
  const std::string program = "lamina helmholtz: ", plane = "helmholtz --grid plane.nc --levels 2 ";
  expect_refused("helmholtz --size 4 4 4 --coefficients c.nc",
                 program + "--coefficients: expected a --grid other than panel, got panel");
  expect_refused("helmholtz --bottom c.nc:wet",
                 program + "--bottom: expected a --grid other than panel, got panel");
  for (const char* solver : {"csr-pcg", "fused-pcg-stored"}) {
    expect_refused(plane + "--coefficients c.nc --solver " + solver,
                   program +
                       "--solver: expected fused-pcg|pcg|multigrid-pcg|multigrid with "
                       "--coefficients, got " +
                       solver);
  }
  // Without coefficients an option is at fault; sizes are looked at before anything is allocated.
  expect_refused(plane + "--bottom c.nc:wet --omega2 1e308",
                 program +
                     "--omega2: expected horizontal couplings within the range of double "
                     "precision, got ");
  expect_refused(
      "helmholtz --grid plane.nc --levels 2000000000 --bottom c.nc:wet",
      program + "--levels: expected fewer than 2^31 cells with --bottom, got 60000000000");
  expect_refused(plane + "--project",
                 program + "--project: expected --bottom or --coefficients, got neither");
  expect_refused(plane + "--coefficients c.nc --solver pcg --precision mixed",
                 program + "--precision");
  expect_refused(plane + "--coefficients c.nc --output c.nc",
                 program + "--output: expected another file than --coefficients, got c.nc");
  expect_refused(plane + "--bottom c.nc:wet --output c.nc",
                 program + "--output: expected another file than --bottom, got c.nc");
}

}  // namespace
}  // namespace LaminaTest
