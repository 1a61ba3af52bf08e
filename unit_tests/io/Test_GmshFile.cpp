// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/GmshFile.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "MeshText.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

class GmshFile : public testing::Test {
 protected:
  Lamina::GmshMesh read(const std::string& content) const {
    m_folder.write("a.msh", content);
    return Lamina::read_gmsh(m_folder / "a.msh");
  }
  /// What is wrong with a file, after its name.
  std::string refusal_of(const std::string& content) const {
    const std::string message = message_of<Lamina::FileError>([&] { read(content); });
    const std::string name = (m_folder / "a.msh").string() + ": ";
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message.substr(0, name.size()) == name ? message.substr(name.size()) : message;
  }
  /// The refusal of the mesh below after one of its lines was replaced.
  std::string refusal_with(const std::string& line, const std::string& other) const {
    return refusal_of(replaced(two_tetrahedra, '\n' + line + '\n', '\n' + other + '\n'));
  }

  ScratchFolder m_folder;
};

TEST_F(GmshFile, GivesThePointsOfTetrahedraByTagAndTheirEdges) {
  const auto mesh = read(two_tetrahedra);
  EXPECT_EQ(mesh.num_tetrahedra, 2);
  EXPECT_EQ(mesh.tags, (std::vector<std::int64_t>{2, 3, 7, 50, 9000000000}));  // without 40
  const std::vector<std::array<double, 3>> points{
      {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0, 0, 0}};
  EXPECT_EQ(mesh.points, points);
  // All but 50 and 9000000000 share an edge.
  EXPECT_EQ(mesh.graph.offsets, (std::vector<std::int64_t>{0, 4, 8, 12, 15, 18}));
  EXPECT_EQ(mesh.graph.columns,
            (std::vector{1, 2, 3, 4, 0, 2, 3, 4, 0, 1, 3, 4, 0, 1, 2, 0, 1, 2}));
}

TEST_F(GmshFile, ReadsOverWhatDoesNotMatter) {
  std::string content = two_tetrahedra;
  content = replaced(content, "$Nodes\n",
                     "$Comments\n$Nodes\n" + std::string(5000, 'x') + "\n$EndComments\n\n$Nodes\n");
  content = replaced(content, "1 2 7 40\n", "1 2 7" + std::string(5000, ' ') + "40\n");
  EXPECT_EQ(read(content).num_tetrahedra, 2);
  std::string returns;
  for (const char c : two_tetrahedra) returns += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read(returns).graph.columns.size(), 18u);
  EXPECT_EQ(read(two_tetrahedra.substr(0, two_tetrahedra.size() - 1)).num_tetrahedra, 2);
}

TEST_F(GmshFile, RefusesOtherFormatsAndVersions) {
  EXPECT_EQ(refusal_of(""), "line 0: expected $MeshFormat, the file ends");
  EXPECT_EQ(refusal_of("%%MatrixMarket\n"), "line 1: expected $MeshFormat, got \"%%MatrixMarket\"");
  EXPECT_EQ(refusal_of("$MeshFormat\n"), "line 1: expected a version, the file ends");
  EXPECT_EQ(refusal_with("4.1 0 8", "2.2 0 8"),
            "line 2: expected version 4.1 of the format, got \"2.2\"");
  EXPECT_EQ(refusal_with("4.1 0 8", "4.1 1 8"),
            "line 2: expected an ASCII file (kind 0), got a binary one (kind 1)");
  EXPECT_EQ(refusal_with("4.1 0 8", "4.1 0"),
            "line 2: expected a version, a kind of file and a size of numbers, got \"4.1 0\"");
  EXPECT_EQ(refusal_with("$EndMeshFormat", "$Nodes"),
            "line 3: expected $EndMeshFormat, got \"$Nodes\"");
  EXPECT_EQ(refusal_with("$Entities", "Entities"), "line 4: expected a section, got \"Entities\"");
}

TEST_F(GmshFile, RefusesSectionsThatAreMissingOrTooMany) {
  EXPECT_EQ(refusal_of("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"),
            "line 3: expected $Nodes and $Elements, the file ends");
  EXPECT_EQ(refusal_of("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n"),
            "line 4: expected $Nodes, then $Elements, each once, got $Elements");
  EXPECT_EQ(refusal_of(two_tetrahedra + "$Nodes\n"),
            "line 34: expected $Nodes, then $Elements, each once, got $Nodes");
  EXPECT_EQ(refusal_of("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Foo\nbar\n"),
            "line 5: expected \"$EndFoo\" for the section of line 4, the file ends");
  EXPECT_EQ(refusal_with("3 1 4 2", "3 1 5 2"),
            "line 33: expected tetrahedra (elements of type 4), the file ends without any");
}

TEST_F(GmshFile, SaysInWhichLineNodesAreWrong) {
  EXPECT_EQ(refusal_with("2 6 2 9000000000", "2 6 2"),
            "line 8: expected numbers of blocks and nodes, least and largest tag, got \"2 6 2\"");
  EXPECT_EQ(refusal_with("2 6 2 9000000000", "-2 6 2 9000000000"), "line 8: expected numbers >= 0");
  EXPECT_EQ(refusal_with("2 6 2 9000000000", "2 2147483648 2 9000000000"),
            "line 8: expected fewer than 2^31 nodes, got 2147483648");
  EXPECT_EQ(refusal_with("2 6 2 9000000000", "2 7 2 9000000000"),
            "line 23: expected 7 nodes, got 6");
  EXPECT_EQ(refusal_with("2 6 2 9000000000", "2 5 2 9000000000"),
            "line 12: expected a block of 0 to 4 nodes, as there are 5, got 5");
  EXPECT_EQ(refusal_with("2 6 2 9000000000", "3 6 2 9000000000"),
            "line 23: expected dimension, entity, parametric or not, and number of nodes, got "
            "\"$EndNodes\"");
  EXPECT_EQ(refusal_with("1 1 1 1", "4 1 1 1"),
            "line 9: expected a dimension of 0 to 3, and 0 or 1 for parametric, got 4 and 1");
  EXPECT_EQ(refusal_with("1 1 1 1", "1 1 1 -1"),
            "line 9: expected a block of 0 to 6 nodes, as there are 6, got -1");
  EXPECT_EQ(refusal_with("50", "x"), "line 13: expected the tag of a node, got \"x\"");
  EXPECT_EQ(refusal_with("50", "99999999999999999999"),
            "line 13: expected the tag of a node, got \"99999999999999999999\"");
  EXPECT_EQ(refusal_with("50", "1"), "line 13: expected tags 2 to 9000000000, got 1");
  EXPECT_EQ(refusal_with("50", "9000000001"),
            "line 13: expected tags 2 to 9000000000, got 9000000001");
  EXPECT_EQ(refusal_with("50", "3"), "line 14: expected each node once, got that of line 13 again");
  EXPECT_EQ(refusal_with("1 1 1", "1 1"), "line 18: expected three coordinates, got \"1 1\"");
  EXPECT_EQ(refusal_with("1 1 1", "1 1 1 1"),
            "line 18: expected three coordinates, got \"1 1 1 1\"");
  EXPECT_EQ(refusal_with("1 1 1", "1 nan 1"),
            "line 18: expected finite coordinates, got \"1 nan 1\"");
  EXPECT_EQ(refusal_with("1 1 1", "1 1e999 1"),
            "line 18: expected three coordinates, got \"1 1e999 1\"");
  EXPECT_EQ(refusal_with("0 0 1 0.25", "0 0 1"),
            "line 11: expected three coordinates and 1 parameters, got \"0 0 1\"");
}

TEST_F(GmshFile, SaysInWhichLineElementsAreWrong) {
  EXPECT_EQ(refusal_with("3 4 1 12", "3 2147483648 1 12"),
            "line 25: expected fewer than 2^31 elements, got 2147483648");
  EXPECT_EQ(refusal_with("3 4 1 12", "3 5 1 12"), "line 33: expected 5 elements, got 4");
  EXPECT_EQ(refusal_with("3 1 4 2", "3 1 4 1"),
            "line 32: expected $EndElements, got \"12 50 2 3 7\"");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3"),
            "line 32: expected the tags of a tetrahedron and 4 nodes, got \"12 50 2 3\"");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3 8"), "line 32: expected nodes of $Nodes, got 8");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3 -8"),
            "line 32: expected nodes of $Nodes, got -8");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3 50"),
            "line 32: expected four different nodes, got 50 twice");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "13 50 2 3 7"), "line 32: expected tags 1 to 12, got 13");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "11 50 2 3 7"),
            "line 32: expected each tetrahedron once, got that of line 31 again");
  EXPECT_EQ(refusal_with("1 2 7 40", "$EndElements"),
            "line 27: expected an element, got \"$EndElements\"");
}

TEST_F(GmshFile, OfGmshHoldsAllItsPointsAndEdges) {
  LAMINA_SKIP_WITHOUT_GMSH();
  ASSERT_TRUE(make_ball(m_folder)) << m_folder.read("gmsh.log");
  const auto mesh = Lamina::read_gmsh(m_folder / "ball.msh");
  const int num_rows = mesh.graph.num_rows();
  EXPECT_GT(num_rows, 100);
  EXPECT_EQ(mesh.points.size(), static_cast<std::size_t>(num_rows));
  std::set<std::pair<int, int>> edges;
  for (int row = 0; row < num_rows; ++row) {
    const auto offset = static_cast<std::size_t>(row);
    EXPECT_GE(mesh.graph.degree(row), 3);
    for (auto k = mesh.graph.offsets[offset]; k < mesh.graph.offsets[offset + 1]; ++k) {
      const int column = mesh.graph.columns[static_cast<std::size_t>(k)];
      edges.emplace(std::min(row, column), std::max(row, column));
    }
  }
  EXPECT_EQ(mesh.graph.columns.size(), 2 * edges.size());
  // Euler: points - edges + faces - tetrahedra = 1, with (4 tetrahedra + outer faces) / 2 faces, and
  // 2 (points on the sphere - 2) of them outside.
  const auto on_sphere = std::count_if(mesh.points.begin(), mesh.points.end(), [](const auto& p) {
    return std::abs(std::hypot(p[0], p[1], p[2]) - 1) < 1e-9;
  });
  EXPECT_EQ(mesh.num_tetrahedra,
            static_cast<std::int64_t>(edges.size()) - num_rows - on_sphere + 3);
}

}  // namespace
}  // namespace LaminaTest
