// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/MedianCells.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/MeshFile.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>

#include "io/Spoil.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

std::string fesom_nodes(const Lamina::SphereTriangulation& mesh) {
  std::ostringstream text;
  text.precision(17);
  text << mesh.points.size() << '\n';
  constexpr double degree = 180 / 3.14159265358979323846;
  for (std::size_t n = 0; n < mesh.points.size(); ++n) {
    const auto& [x, y, z] = mesh.points[n];
    text << "  " << n + 1 << "  " << degree * std::atan2(y, x) << ' ' << degree * std::asin(z)
         << " 0\n";
  }
  return text.str();
}

std::string fesom_triangles(const Lamina::SphereTriangulation& mesh) {
  std::ostringstream text;
  text << mesh.triangles.size() << '\n';
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    auto [a, b, c] = mesh.triangles[t];
    if (t % 2 == 0) std::swap(a, b);  // either orientation
    text << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
  }
  return text.str();
}

class FesomMesh : public testing::Test {
 protected:
  std::string problem(const std::string& nodes, const std::string& triangles) const {
    folder.write("nod2d.out", nodes);
    folder.write("elem2d.out", triangles);
    const std::string message =
        message_of<Lamina::FileError>([&] { Lamina::read_mesh_file(folder.path()); });
    const std::string begin = folder.path().string() + '/';
    return message.compare(0, begin.size(), begin) == 0 ? message.substr(begin.size()) : message;
  }

  ScratchFolder folder;
  Lamina::SphereTriangulation mesh = Lamina::icosahedral_triangulation(2);
};

TEST_F(FesomMesh, BecomesMedianCells) {
  folder.write("nod2d.out", fesom_nodes(mesh));
  folder.write("elem2d.out", fesom_triangles(mesh));
  const Lamina::MeshFile found = Lamina::read_mesh_file(folder.path());
  const auto expected = Lamina::median_cells(mesh);
  EXPECT_EQ(found.convention, "FESOM");
  EXPECT_EQ(found.num_left_out, 0);
  ASSERT_EQ(found.graph.areas.size(), expected.graph.areas.size());
  for (std::size_t c = 0; c < found.graph.areas.size(); ++c) {
    EXPECT_NEAR(found.graph.areas[c], expected.graph.areas[c], 1e-14);
  }
  ASSERT_EQ(found.graph.edges.size(), expected.graph.edges.size());
  for (std::size_t n = 0; n < found.graph.edges.size(); ++n) {
    EXPECT_EQ(found.graph.edges[n].first, expected.graph.edges[n].first);
    EXPECT_EQ(found.graph.edges[n].second, expected.graph.edges[n].second);
    EXPECT_NEAR(found.graph.edges[n].length, expected.graph.edges[n].length, 1e-13);
  }
  EXPECT_EQ(found.polygons.size(), 42);
}

TEST_F(FesomMesh, SaysWhatIsWrong) {
  const std::string nodes = fesom_nodes(mesh), triangles = fesom_triangles(mesh);
  EXPECT_EQ(problem("", triangles), "nod2d.out: expected the number of nodes");
  EXPECT_EQ(problem("-3\n", triangles),
            "nod2d.out: line 1: expected the number of nodes, 1 to 2^31 - 1, got \"-3\"");
  EXPECT_EQ(
      problem("2\n1 0 0 0\n3 0 0 0\n", triangles),
      "nod2d.out: line 3: expected node 2, its longitude and latitude in degrees, got \"3 0 0 "
      "0\"");
  EXPECT_EQ(problem("1\n1 0 90.5 0\n", triangles),
            "nod2d.out: line 2: expected node 1, its longitude and latitude in degrees, got \"1 0 "
            "90.5 0\"");
  EXPECT_EQ(problem("2\n1 0 0 0\n", triangles),
            "nod2d.out: line 2: expected 2 nodes, the file ends after 1");
  EXPECT_EQ(problem(nodes, "1\n1 2 43\n"),
            "elem2d.out: line 2: expected three nodes from 1 to 42, got \"1 2 43\"");
  EXPECT_EQ(problem(nodes, "1\n1 2 2\n"),
            "elem2d.out: line 2: expected a triangle with an area, got \"1 2 2\"");
  EXPECT_EQ(problem(nodes, triangles + "1 2 3\n"),
            "elem2d.out: line 82: expected 80 triangles, got more");
  EXPECT_EQ(problem(nodes, "1\n1 13 14\n").substr(0, 12), "elem2d.out: ");
  std::filesystem::remove(folder / "elem2d.out");
  EXPECT_EQ(message_of<Lamina::FileError>([&] { Lamina::read_mesh_file(folder.path()); }),
            (folder / "elem2d.out").string() + ": no such file");
}

/// Whatever is in the files: a mesh, or one line that names one of them.
TEST_F(FesomMesh, SpoiltFilesAreMeshesOrErrors) {
  mesh = Lamina::icosahedral_triangulation(1);
  const std::string nodes = fesom_nodes(mesh), triangles = fesom_triangles(mesh);
  int refused = 0, taken = 0;
  const auto try_mesh = [&](const std::string& some_nodes, const std::string& some_triangles) {
    folder.write("nod2d.out", some_nodes);
    folder.write("elem2d.out", some_triangles);
    try {
      const auto found = Lamina::read_mesh_file(folder.path());
      EXPECT_EQ(found.graph.areas.size(), found.graph.centres.points.size());
      ++taken;
    } catch (const Lamina::FileError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      ++refused;
    }
  };
  const OnText as_nodes = [&](const std::string& text) { try_mesh(text, triangles); };
  const OnText as_triangles = [&](const std::string& text) { try_mesh(nodes, text); };
  truncate_everywhere(triangles, as_triangles);
  replace_words(triangles, as_triangles);
  rearrange_lines(triangles, as_triangles);
  replace_words(nodes, as_nodes);
  replace_some_words(triangles, 300, as_triangles);
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 100);
}

}  // namespace
}  // namespace LaminaTest
