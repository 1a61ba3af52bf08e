// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// NetCDF files of other programs, and what ours tell other programs.

#include <lamina/io/NetcdfReader.hpp>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ShallowWaterTest.hpp"
#include "io/RawNetcdf.hpp"

namespace LaminaTest {
namespace {

class NetcdfFiles : public ShallowWaterTest {
 protected:
  /// A state of 8 x 8 cells at rest in shorts; `height` holds the packed numbers of the first cells.
  void write_packed_state(const std::string& name, std::vector<double> height) const {
    RawNetcdf file(folder / name, 0);
    const int x = file.dimension("x", 8), y = file.dimension("y", 8);
    const int x_u = file.dimension("x_u", 8), y_v = file.dimension("y_v", 8);
    std::vector<int> variables;
    for (const auto& [variable, rows, columns] :
         {std::tuple{"height", y, x}, std::tuple{"u", y, x_u}, std::tuple{"v", y_v, x}}) {
      variables.push_back(file.variable(variable, NC_SHORT, {rows, columns}));
      file.attribute(variables.back(), "scale_factor", NC_DOUBLE, {1e-4});
      file.attribute(variables.back(), "_FillValue", NC_SHORT, {-32767});
    }
    height.resize(64, 10000);
    file.write(variables[0], {0, 0}, {8, 8}, height);
    for (const int n : {1, 2}) {
      file.write(variables[static_cast<std::size_t>(n)], {0, 0}, {8, 8},
                 std::vector<double>(64, 0.0));
    }
    file.close();
  }
  std::optional<std::string> text(const std::string& name, const std::string& attribute) const {
    return Lamina::NetcdfReader(folder / name).find_text(attribute);
  }
};

TEST_F(NetcdfFiles, PackedInitialStatesAreUnpacked) {
  write_packed_state("packed.nc", {9505, 10495});
  (void)report_of(
      "shallow-water --n 8 --initial packed.nc --dt 1e-6 --until 1e-6 --output-every 1 "
      "--output o.nc");
  const auto height = values("o.nc", "height");
  ASSERT_EQ(height.size(), 2u * 64);
  EXPECT_EQ(height[0], 9505 * 1e-4);
  EXPECT_EQ(height[1], 10495 * 1e-4);
  EXPECT_EQ(height[2], 1);
}

TEST_F(NetcdfFiles, MissingValuesAreRefusedWithVariableAndIndex) {
  write_packed_state("missing.nc", {10000, 10000, -32767});
  expect_refused(
      "shallow-water --n 8 --initial missing.nc --output o.nc",
      "lamina shallow-water: --initial: missing.nc: variable 'height': expected a number "
      "at (y, x) = (0, 2), got one which its _FillValue marks as missing\n");
  RawNetcdf file(folder / "rhs.nc");
  const int rhs =
      file.variable("rhs", NC_SHORT,
                    {file.dimension("x", 4), file.dimension("y", 3), file.dimension("level", 2)});
  file.attribute(rhs, "valid_range", NC_SHORT, {0, 5});
  file.write(rhs, {0, 0, 0}, {4, 3, 2}, std::vector<double>(24, 6.0));
  file.close();
  expect_refused("helmholtz --size 4 3 2 --rhs rhs.nc --output o.nc",
                 "lamina helmholtz: --rhs: rhs.nc: variable 'rhs': expected a number at (x, y, "
                 "level) = (0, 0, 0), got one which its valid range excludes\n");
}

TEST_F(NetcdfFiles, PackedRightHandSidesAreUnpacked) {
  const auto solution = [&](const std::string& rhs) {
    (void)report_of("helmholtz --size 4 3 2 --rhs " + rhs + " --iterations 3 --output o.nc");
    return values("o.nc", "solution");
  };
  write_rhs("plain.nc", 2.5);
  RawNetcdf file(folder / "packed.nc", 0);
  const int rhs = file.variable(
      "rhs", NC_BYTE, {file.dimension("x", 4), file.dimension("y", 3), file.dimension("level", 2)});
  file.attribute(rhs, "scale_factor", NC_FLOAT, {0.5});
  file.attribute(rhs, "add_offset", NC_FLOAT, {-1});
  file.write(rhs, {0, 0, 0}, {4, 3, 2}, std::vector<double>(24, 7.0));
  file.close();
  EXPECT_EQ(solution("packed.nc"), solution("plain.nc"));
}

TEST_F(NetcdfFiles, AttributesOfPackingAreCheckedBeforeTheWork) {
  RawNetcdf file(folder / "rhs.nc");
  const int rhs =
      file.variable("rhs", NC_SHORT,
                    {file.dimension("x", 4), file.dimension("y", 3), file.dimension("level", 2)});
  file.attribute(rhs, "scale_factor", "0.1");
  file.close();
  expect_refused("helmholtz --size 4 3 2 --rhs rhs.nc",
                 "lamina helmholtz: --rhs: rhs.nc: variable 'rhs': attribute 'scale_factor': "
                 "expected a number, got the type char\n");
}

TEST_F(NetcdfFiles, AllTellWhereTheyComeFrom) {
  const std::vector<std::vector<std::string>> runs{
      {"helmholtz --size 4 3 2", "--output", "lamina helmholtz --size 4 3 2"},
      {"poisson --n 4", "--output", "lamina poisson --n 4"},
      {"point-implicit --generate 2 2 2", "--output", "lamina point-implicit --generate 2 2 2"},
      {"shallow-water --n 8 --until 0.01", "--output", "lamina shallow-water --n 8"},
      {"shallow-water --n 8 --until 0.01", "--checkpoint", "lamina shallow-water --n 8"}};
  for (const auto& words : runs) {
    SCOPED_TRACE(words[0] + words[1]);
    (void)report_of(words[0] + ' ' + words[1] + " a.nc");
    EXPECT_EQ(text("a.nc", "Conventions"), "CF-1.8");
    EXPECT_EQ(text("a.nc", "source").value_or("").find("Lamina "), 0u);
    EXPECT_FALSE(text("a.nc", "title").value_or("").empty());
    // 2026-01-01T00:00:00Z: lamina ...
    const std::string history = text("a.nc", "history").value_or("");
    EXPECT_EQ(history.find("Z: " + words[2]), 19u) << history;
  }
}

TEST_F(NetcdfFiles, TheCommandOfAHistoryRepeatsThePoissonSolve) {
  (void)report_of("poisson --n 9 --precision single --solver cg --iterations 7 --output a.nc");
  const std::string history = text("a.nc", "history").value_or("");
  const std::string command = "lamina poisson";
  const auto options = history.substr(history.find(command) + std::string("lamina ").size());
  (void)report_of(options + " --output b.nc");
  EXPECT_EQ(values("a.nc", "solution"), values("b.nc", "solution"));
}

TEST_F(NetcdfFiles, UnitsAreThoseThatProgramsOfConventionsKnow) {
  (void)report_of("shallow-water --n 8 --until 0.01 --output s.nc");
  const Lamina::NetcdfReader flow(folder / "s.nc");
  const int time = flow.find_variable("time").value();
  EXPECT_EQ(flow.find_text(time, "units"), "days since 2000-01-01 00:00:00");
  EXPECT_EQ(flow.find_text(time, "calendar"), "proleptic_gregorian");
  EXPECT_EQ(flow.find_text(time, "standard_name"), "time");
  EXPECT_EQ(flow.find_text(time, "axis"), "T");
  EXPECT_EQ(values("s.nc", "time").back(), 0.01);

  (void)report_of("helmholtz --size 4 3 2 --output h.nc");
  const Lamina::NetcdfReader panel(folder / "h.nc");
  const int area = panel.find_variable("area").value();
  EXPECT_EQ(panel.find_text(panel.find_variable("solution").value(), "cell_measures"),
            "area: area");
  EXPECT_EQ(panel.find_text(area, "units"), "m2");
  EXPECT_EQ(panel.find_text(area, "standard_name"), "cell_area");
}

TEST_F(NetcdfFiles, NamesAreTakenAsTheyAre) {
  for (const std::string name : {" a.nc", "b\\c.nc", "#mode=zarr.nc", "dap4:d.nc"}) {
    SCOPED_TRACE(name);
    const std::size_t before = folder.num_files();
    (void)report_of("helmholtz --size 4 3 2 --output '" + name + "'");
    EXPECT_TRUE(std::filesystem::exists(folder / name));
    (void)report_of("helmholtz --size 4 3 2 --rhs '" + name + "'");
    EXPECT_EQ(folder.num_files(), before + (before == 0 ? 2 : 1));  // with the JSON file
  }
}

TEST_F(NetcdfFiles, AreReadWhereStandardInputIsClosed) {
  write_packed_state("a.nc", {9505});
  EXPECT_EQ(run("shallow-water --n 8 --initial a.nc --until 0.01 --quiet <&-").status, 0);
}

TEST_F(NetcdfFiles, AreReadAgainByComparisons) {
  write_rhs("a.nc", 1);
  const auto rows =
      report_of("compare helmholtz --size 4 3 2 --rhs a.nc --solver pcg --precision double");
  ASSERT_GE(rows.size(), 2u);  // both layouts
  for (const auto& row : rows) EXPECT_EQ(row["status"], "converged");
}

TEST_F(NetcdfFiles, FilesThatKillTheLibraryEndInOneLine) {
  // One byte of a header of the classic format: the number of dimensions.
  write_packed_state("good.nc", {});
  std::string bytes = folder.read("good.nc");
  bytes[12] = '\x7f';
  folder.write("bad.nc", bytes);
  expect_refused("shallow-water --n 8 --initial bad.nc --output o.nc",
                 "lamina shallow-water: --initial: bad.nc: ");
}

}  // namespace
}  // namespace LaminaTest
