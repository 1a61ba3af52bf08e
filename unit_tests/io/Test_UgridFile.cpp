// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/UgridFile.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "NetcdfValues.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::ColumnField, Lamina::UgridFieldReader, Lamina::UgridMesh;

UgridMesh hexagon_mesh(int n) {
  const auto mesh = Lamina::icosahedral_triangulation(n);
  const auto graph = Lamina::voronoi_cells(mesh);
  return {Lamina::voronoi_polygons(mesh), graph.centres, graph.areas};
}

double ugrid_value(int face, int level) { return 1.0 / 3 + 10 * face + level; }

template <class Scalar>
std::vector<ColumnField<Scalar>> ugrid_fields(int num_levels, double at_last = 0) {
  return {{"rhs", "right-hand side", "area: sum level: sum", [=](int face, Scalar* values) {
             for (int k = 0; k < num_levels; ++k) {
               values[k] = static_cast<Scalar>(ugrid_value(face, k));
             }
             if (face == 41 && at_last != 0) values[num_levels - 1] = static_cast<Scalar>(at_last);
           }}};
}

template <class Scalar>
class UgridFile : public testing::Test {
 protected:
  void write(int num_levels, double at_last = 0) const {
    Lamina::write_ugrid_file<Scalar>(
        path, hexagon_mesh(2), Lamina::VerticalGrid::graded(num_levels, 0.1),
        {{"title", "a title"}}, ugrid_fields<Scalar>(num_levels, at_last));
  }
  std::string problem(const std::string& name, int num_faces, int num_levels) const {
    const std::string message = message_of<Lamina::FileError>([&] {
      UgridFieldReader(path, name, num_faces, num_levels).read([](int, const double*) {});
    });
    const std::string begin = path.string() + ": ";
    return message.compare(0, begin.size(), begin) == 0 ? message.substr(begin.size()) : message;
  }

  ScratchFolder folder;
  std::filesystem::path path = folder / "a.nc";
};
using UgridScalars = testing::Types<float, double>;
TYPED_TEST_SUITE(UgridFile, UgridScalars);

TYPED_TEST(UgridFile, ReadsWhatItWrote) {
  for (const int num_levels : {1, 5, 100000}) {  // also more than are written at once
    this->write(num_levels);
    int faces = 0;
    UgridFieldReader(this->path, "rhs", 42, num_levels).read([&](int face, const double* values) {
      EXPECT_EQ(face, faces++);
      for (const int k : {0, num_levels - 1}) {
        EXPECT_EQ(values[k], static_cast<double>(static_cast<TypeParam>(ugrid_value(face, k))));
      }
    });
    EXPECT_EQ(faces, 42);
  }
  EXPECT_EQ(this->folder.num_files(), 1u);
}

/// Fields of an ocean have no values on land.
TYPED_TEST(UgridFile, HasMissingValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto fields = ugrid_fields<TypeParam>(3, nan);
  fields.front().has_missing = true;
  Lamina::write_ugrid_file<TypeParam>(this->path, hexagon_mesh(2),
                                      Lamina::VerticalGrid::graded(3, 0.1), {}, fields);
  const Lamina::NetcdfReader file(this->path, {.num_values = 1000});
  const auto fill = file.find_number(file.find_variable("rhs").value(), "_FillValue");
  ASSERT_TRUE(fill.has_value());
  EXPECT_TRUE(std::isnan(*fill));
  EXPECT_NE(this->problem("rhs", 42, 3).find("(41, 2)"), std::string::npos);
  int missing = 0;
  UgridFieldReader(this->path, "rhs", 42, 3, Lamina::NetcdfReader::Missing::as_nan)
      .read([&](int face, const double* values) {
        for (int k = 0; k < 3; ++k) missing += std::isnan(values[k]) ? 1 : 0;
        EXPECT_EQ(std::isnan(values[2]), face == 41);
      });
  EXPECT_EQ(missing, 1);
}

TYPED_TEST(UgridFile, SaysWhatIsWrong) {
  this->write(3, std::numeric_limits<double>::infinity());
  EXPECT_EQ(this->problem("rhs", 42, 3),
            "variable 'rhs': expected a finite value at (41, 2), got inf");
  EXPECT_EQ(this->problem("u", 42, 3), "no variable 'u'");
  EXPECT_EQ(
      this->problem("rhs", 42, 4),
      "variable 'rhs': expected the dimensions (face = 42, level = 4), got (face = 42, level = "
      "3)");
  UgridMesh mesh = hexagon_mesh(2);
  mesh.areas.pop_back();
  EXPECT_THROW(Lamina::write_ugrid_file<TypeParam>(this->path, mesh,
                                                   Lamina::VerticalGrid::graded(1, 0.1), {}, {}),
               Lamina::InvalidArgument);
}

TEST(UgridTopology, IsToldOf) {
  const ScratchFolder folder;
  const UgridMesh mesh = hexagon_mesh(2);
  Lamina::write_ugrid_file<double>(folder / "a.nc", mesh, Lamina::VerticalGrid::graded(2, 0.1), {},
                                   ugrid_fields<double>(2));
  const Lamina::NetcdfReader file(folder / "a.nc", {.num_values = 1000});
  EXPECT_EQ(file.find_text("Conventions"), "CF-1.8 UGRID-1.0");
  const int topology = file.find_variable("mesh").value();
  for (const auto& [name, value] :
       std::vector<std::array<std::string, 2>>{{"cf_role", "mesh_topology"},
                                               {"node_coordinates", "node_longitude node_latitude"},
                                               {"face_coordinates", "longitude latitude"},
                                               {"face_node_connectivity", "face_nodes"}}) {
    EXPECT_EQ(file.find_text(topology, name), value);
  }
  const int field = file.find_variable("rhs").value();
  EXPECT_EQ(file.find_text(field, "mesh"), "mesh");
  EXPECT_EQ(file.find_text(field, "location"), "face");
  EXPECT_EQ(file.find_text(field, "coordinates"), "longitude latitude");
  EXPECT_EQ(file.find_text(field, "cell_measures"), "area: area");
  const auto longitude = values_of(folder / "a.nc", "node_longitude", {80}),
             latitude = values_of(folder / "a.nc", "node_latitude", {80});
  ASSERT_EQ(longitude.size(), mesh.polygons.points.size());
  constexpr double radian = 3.14159265358979323846 / 180;
  for (std::size_t n = 0; n < longitude.size(); ++n) {
    const auto& [x, y, z] = mesh.polygons.points[n];
    EXPECT_NEAR(std::cos(radian * latitude[n]) * std::cos(radian * longitude[n]), x, 1e-15);
    EXPECT_NEAR(std::cos(radian * latitude[n]) * std::sin(radian * longitude[n]), y, 1e-15);
    EXPECT_NEAR(std::sin(radian * latitude[n]), z, 1e-15);
  }
  EXPECT_EQ(values_of(folder / "a.nc", "area", {42}), mesh.areas);
}

}  // namespace
}  // namespace LaminaTest
