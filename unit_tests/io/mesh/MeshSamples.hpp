// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Small meshes of Gmsh's formats.

#include <initializer_list>
#include <string>

namespace LaminaTest {

/// Two tetrahedra that share a face, with gaps in the tags of the nodes, a node that a triangle
/// alone uses, and a block with parameters.
inline const std::string two_tetrahedra =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"       // 1
    "$Entities\n0 0 0 1\n$EndEntities\n"           // 4
    "$Nodes\n2 6 2 9000000000\n"                   // 7
    "1 1 1 1\n7\n0 0 1 0.25\n"                     // 9
    "3 1 0 5\n50\n3\n40\n2\n9000000000\n"          // 12
    "1 1 1\n0 1 0\n5 5 5\n1 0 0\n0 0 0\n"          // 18
    "$EndNodes\n$Elements\n3 4 1 12\n"             // 23
    "2 1 2 1\n1 2 7 40\n2 2 2 1\n3 3 7 40\n"       // 26
    "3 1 4 2\n11 2 3 7 9000000000\n12 50 2 3 7\n"  // 30
    "$EndElements\n";                              // 33

/// Numbers as binary files hold them.
class Bytes {
 public:
  Bytes& text(const std::string& words) {
    m_text += words;
    return *this;
  }
  template <class Number>
  Bytes& numbers(std::initializer_list<Number> all) {
    for (const Number number : all) {
      m_text.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
    return *this;
  }
  const std::string& str() const { return m_text; }

 private:
  std::string m_text;
};

/// A tetrahedron of nodes 1 to 4 and a triangle, in the binary formats.
inline std::string binary_mesh(int version) {
  Bytes mesh;
  mesh.text(version == 2 ? "$MeshFormat\n2.2 1 8\n" : "$MeshFormat\n4.1 1 8\n");
  mesh.numbers({1}).text("\n$EndMeshFormat\n$Nodes\n");
  if (version == 2) {
    mesh.text("4\n").numbers({1}).numbers({0.0, 0.0, 0.0}).numbers({2}).numbers({1.0, 0.0, 0.0});
    mesh.numbers({3}).numbers({0.0, 1.0, 0.0}).numbers({4}).numbers({0.0, 0.0, 1.0});
    mesh.text("\n$EndNodes\n$Elements\n2\n").numbers({2, 1, 2, 1, 7, 7, 1, 2, 3});
    mesh.numbers({4, 1, 2, 2, 8, 8, 1, 2, 3, 4}).text("\n$EndElements\n");
    return mesh.str();
  }
  mesh.numbers({1l, 4l, 1l, 4l}).numbers({3, 1, 0}).numbers({4l, 1l, 2l, 3l, 4l});
  mesh.numbers({0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0});
  mesh.text("\n$EndNodes\n$Elements\n").numbers({2l, 2l, 1l, 2l});
  mesh.numbers({2, 1, 2}).numbers({1l, 1l, 1l, 2l, 3l});
  mesh.numbers({3, 1, 4}).numbers({1l, 2l, 1l, 2l, 3l, 4l}).text("\n$EndElements\n");
  return mesh.str();
}

}  // namespace LaminaTest
