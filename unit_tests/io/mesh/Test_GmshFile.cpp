// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/GmshFile.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "MeshText.hpp"
#include "support/MessageOf.hpp"
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

TEST_F(GmshFile, GivesTheCornersOfElementsByTagAndTheirEdges) {
  const auto mesh = read(two_tetrahedra);
  EXPECT_EQ(mesh.cells.size(), 2);
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
  EXPECT_EQ(read(content).cells.size(), 2);
  std::string returns;
  for (const char c : two_tetrahedra) returns += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read(returns).graph.columns.size(), 18u);
  EXPECT_EQ(read(two_tetrahedra.substr(0, two_tetrahedra.size() - 1)).cells.size(), 2);
}

TEST_F(GmshFile, RefusesOtherFormatsAndVersions) {
  EXPECT_EQ(refusal_of(""), "line 0: expected $MeshFormat, the file ends");
  EXPECT_EQ(refusal_of("%%MatrixMarket\n"), "line 1: expected $MeshFormat, got \"%%MatrixMarket\"");
  EXPECT_EQ(refusal_of("$MeshFormat\n"),
            "line 1: expected a version, a kind of file and a size of numbers, the file ends");
  EXPECT_EQ(refusal_with("4.1 0 8", "4.0 0 8"),
            "line 2: expected version 2.2 or 4.1 of the format, got \"4.0\"");
  EXPECT_EQ(refusal_with("4.1 0 8", "4.1 2 8"),
            "line 2: expected a kind of file of 0 (ASCII) or 1 (binary), got 2");
  EXPECT_EQ(refusal_with("4.1 0 8", "4.1 1 4"),
            "line 2: expected binary numbers of 8 bytes, got 4");
  EXPECT_EQ(refusal_with("4.1 0 8", "4.1 1 8"),
            "byte 20: expected the order of bytes of this machine, got another one");
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
  EXPECT_EQ(refusal_with("3 1 4 2", "3 1 2 2"),
            "line 30: expected elements of dimension 3, got type 2");
  EXPECT_EQ(refusal_with("3 1 4 2", "2 1 2 2"),
            "line 33: expected volume elements, the file ends without any");
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
  EXPECT_EQ(refusal_with("1 1 1", "1 1"),
            "line 18: expected three finite coordinates, got \"1 1\"");
  EXPECT_EQ(refusal_with("1 1 1", "1 1 1 1"),
            "line 18: expected three finite coordinates, got \"1 1 1 1\"");
  EXPECT_EQ(refusal_with("1 1 1", "1 nan 1"),
            "line 18: expected three finite coordinates, got \"1 nan 1\"");
  EXPECT_EQ(refusal_with("1 1 1", "1 1e999 1"),
            "line 18: expected three finite coordinates, got \"1 1e999 1\"");
  EXPECT_EQ(refusal_with("0 0 1 0.25", "0 0 1"),
            "line 11: expected three finite coordinates and 1 parameters, got \"0 0 1\"");
}

TEST_F(GmshFile, SaysInWhichLineElementsAreWrong) {
  EXPECT_EQ(refusal_with("3 4 1 12", "3 2147483648 1 12"),
            "line 25: expected fewer than 2^31 elements, got 2147483648");
  EXPECT_EQ(refusal_with("3 4 1 12", "3 5 1 12"), "line 33: expected 5 elements, got 4");
  EXPECT_EQ(refusal_with("3 1 4 2", "3 1 4 1"), "line 32: expected $EndElements, got \"12\"");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3"),
            "line 32: expected the tags of an element and 4 nodes, got \"12 50 2 3\"");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3 8"), "line 32: expected nodes of $Nodes, got 8");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3 -8"),
            "line 32: expected nodes of $Nodes, got -8");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "12 50 2 3 50"),
            "line 32: expected different nodes, got 50 twice");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "13 50 2 3 7"), "line 32: expected tags 1 to 12, got 13");
  EXPECT_EQ(refusal_with("12 50 2 3 7", "11 50 2 3 7"),
            "line 32: expected each element once, got that of line 31 again");
  EXPECT_EQ(refusal_with("1 2 7 40", "$EndElements"),
            "line 27: expected the tags of an element and 3 nodes, got \"$EndElements\"");
}

TEST_F(GmshFile, MayBeginWithOtherSectionsAndBeOfVersion2) {
  const auto comment = read("$Comments\nmade by a program\n$EndComments\n" + two_tetrahedra);
  EXPECT_EQ(comment.cells.size(), 2);
  const auto mesh = read(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all\"\n$EndPhysicalNames\n"
      "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n9 5 5 5\n$EndNodes\n"
      "$Elements\n4\n1 15 2 0 1 9\n2 2 0 1 2 3\n3 4 3 1 1 7 1 2 3 4\n3 4 2 2 1 1 2 3 4\n"
      "$EndElements\n");
  EXPECT_EQ(mesh.tags, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(mesh.cells.size(), 1);  // of two physical groups
  EXPECT_EQ(mesh.graph.columns.size(), 12u);
}

TEST_F(GmshFile, SaysInWhichLineVersion2IsWrong) {
  const std::string good =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
      "$EndNodes\n$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n";
  EXPECT_EQ(read(good).cells.size(), 1);
  const auto refusal = [&](const std::string& line, const std::string& other) {
    return refusal_of(replaced(good, '\n' + line + '\n', '\n' + other + '\n'));
  };
  EXPECT_EQ(refusal("4", "5"),
            "line 10: expected the tag of a node and three finite coordinates, got "
            "\"$EndNodes\"");
  EXPECT_EQ(refusal("4", "3"), "line 9: expected $EndNodes, got \"4\"");
  EXPECT_EQ(refusal("2 1 0 0", "1 1 0 0"),
            "line 7: expected each node once, got that of line 6 again");
  EXPECT_EQ(refusal("2 1 0 0", "2 1 0 inf"),
            "line 7: expected the tag of a node and three finite coordinates, got \"2 1 0 inf\"");
  const std::string element = "1 4 2 1 1 1 2 3 4";
  EXPECT_EQ(refusal(element, "1 4 2 1 1 1 2 3"),
            "line 13: expected an element: its tag, type, number of tags, tags and nodes, got "
            "\"1 4 2 1 1 1 2 3\"");
  EXPECT_EQ(refusal(element, "1 4 -1 1 2 3 4"), "line 13: expected 0 to 100 tags, got -1");
  EXPECT_EQ(refusal(element, "1 35 0 1 2 3 4"),
            "line 13: expected a type of elements of Gmsh's lines, surfaces, tetrahedra, "
            "hexahedra, prisms or pyramids, got 35");
}

TEST_F(GmshFile, MayBeBinary) {
  for (const int version : {2, 4}) {
    const std::string good = binary_mesh(version);
    const auto mesh = read(good);
    EXPECT_EQ(mesh.tags, (std::vector<std::int64_t>{1, 2, 3, 4}));
    const std::vector<std::array<double, 3>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    EXPECT_EQ(mesh.points, points);
    EXPECT_EQ(mesh.cells.corners, (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(mesh.graph.columns.size(), 12u);
  }
  const std::string end = "\n$EndElements\n";
  const auto cut = [&](int version) {
    const std::string good = binary_mesh(version);
    return refusal_of(good.substr(0, good.size() - end.size() - 1));
  };
  EXPECT_EQ(cut(2), "byte 232: expected the tags of an element and 4 nodes, the file ends");
  EXPECT_EQ(cut(4), "byte 352: expected the tags of an element and 4 nodes, the file ends");
}

TEST_F(GmshFile, TakesEdgesOfAllVolumeElements) {
  const std::string head = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 9 1 9\n3 1 0 9\n";
  std::string nodes;
  for (int tag = 1; tag <= 9; ++tag) nodes += std::to_string(tag) + '\n';
  for (int tag = 1; tag <= 9; ++tag) nodes += "0 " + std::to_string(tag) + " 0\n";
  const auto mesh_of = [&](const std::string& type, const std::string& corners) {
    return read(head + nodes + "$EndNodes\n$Elements\n1 1 1 1\n3 1 " + type + " 1\n1 " + corners +
                "\n$EndElements\n");
  };
  const auto degrees = [](const Lamina::GmshMesh& mesh) {
    std::vector<std::int64_t> result;
    for (int row = 0; row < mesh.graph.num_rows(); ++row) result.push_back(mesh.graph.degree(row));
    return result;
  };
  using Degrees = std::vector<std::int64_t>;
  EXPECT_EQ(degrees(mesh_of("4", "1 2 3 4")), Degrees(4, 3));
  EXPECT_EQ(degrees(mesh_of("5", "1 2 3 4 5 6 7 8")), Degrees(8, 3));
  EXPECT_EQ(degrees(mesh_of("6", "1 2 3 4 5 6")), Degrees(6, 3));
  EXPECT_EQ(degrees(mesh_of("7", "1 2 3 4 5")), (Degrees{3, 3, 3, 3, 4}));
  // Of a tetrahedron of ten nodes, whose line may be long, the corners
  EXPECT_EQ(degrees(mesh_of("11", "1 2 3 4 5 6 7 8 9 9" + std::string(3000, ' '))), Degrees(4, 3));
  // A prism, and a tetrahedron on three of its corners
  const auto mixed = read(head + nodes +
                          "$EndNodes\n$Elements\n2 2 1 2\n3 1 6 1\n1 1 2 3 4 5 6\n3 2 4 1\n"
                          "2 4 5 6 7\n$EndElements\n");
  EXPECT_EQ(degrees(mixed), (Degrees{3, 3, 3, 4, 4, 4, 3}));
  EXPECT_EQ(mixed.cells.kinds,
            (std::vector{Lamina::CellKind::prism, Lamina::CellKind::tetrahedron}));
  EXPECT_EQ(mixed.cells.corners, (std::vector{0, 1, 2, 3, 4, 5, 3, 4, 5, 6}));
}

/// A file of Gmsh in every format, of hexahedra, prisms, pyramids or tetrahedra, and of every order
/// that Gmsh makes them in.
TEST_F(GmshFile, OfGmshIsTheSameInAllFormatsAndOrders) {
  LAMINA_SKIP_WITHOUT_GMSH();
  const std::string cube =
      "Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0};\n"
      "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};\n"
      "Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};\n"
      "Transfinite Curve{:} = 3; Transfinite Surface{1};\n";
  const std::pair<const char*, std::string> shapes[] = {
      {"hexahedra", cube + "Recombine Surface{1};\nExtrude {0, 0, 1} { Surface{1}; Layers{2}; "
                           "Recombine; }\n"},
      {"prisms", cube + "Extrude {0, 0, 1} { Surface{1}; Layers{2}; Recombine; }\n"},
      {"tetrahedra", cube + "Extrude {0, 0, 1} { Surface{1}; Layers{2}; }\n"},
  };
  for (const auto& [shape, geometry] : shapes) {
    m_folder.write("a.geo", geometry);
    std::optional<Lamina::GmshMesh> first;
    for (const char* format :
         {"msh41", "msh41 -bin", "msh22", "msh22 -bin", "msh41 -order 2", "msh22 -bin -order 3",
          "msh41 -bin -order 4", "msh22 -order 2 -setnumber Mesh.SecondOrderIncomplete 1"}) {
      const std::string command = "cd '" + m_folder.path().string() +
                                  "' && '" LAMINA_GMSH "' -3 a.geo -o a.msh -format " + format +
                                  " >gmsh.log 2>&1";
      ASSERT_EQ(std::system(command.c_str()), 0) << m_folder.read("gmsh.log");
      const auto mesh = Lamina::read_gmsh(m_folder / "a.msh");
      if (!first) first = mesh;
      EXPECT_EQ(mesh.points.size(), 27u) << shape << ' ' << format;
      EXPECT_EQ(mesh.points, first->points) << shape << ' ' << format;
      EXPECT_EQ(mesh.graph.columns, first->graph.columns) << shape << ' ' << format;
      EXPECT_EQ(mesh.cells.corners, first->cells.corners) << shape << ' ' << format;
    }
  }
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
  EXPECT_EQ(mesh.cells.size(), static_cast<std::int64_t>(edges.size()) - num_rows - on_sphere + 3);
}

}  // namespace
}  // namespace LaminaTest
