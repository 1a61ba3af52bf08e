// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "MeshSamples.hpp"
#include "support/ScratchFolder.hpp"

/// Skips a test where Gmsh was not found when the tests were configured.
#define LAMINA_SKIP_WITHOUT_GMSH() \
  if (std::string(LAMINA_GMSH).empty()) GTEST_SKIP() << "needs Gmsh, which was not found by CMake"

namespace LaminaTest {

/// Has Gmsh fill the unit ball coarsely: the file ball.msh of the folder. \return whether it did
inline bool make_ball(const ScratchFolder& folder) {
  folder.write("ball.geo",
               "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\n"
               "Mesh.MeshSizeMin = 0.4;\nMesh.MeshSizeMax = 0.4;\n");
  const std::string command = "cd '" + folder.path().string() +
                              "' && '" LAMINA_GMSH
                              "' -3 ball.geo -format msh41 -o ball.msh "
                              ">gmsh.log 2>&1";
  return std::system(command.c_str()) == 0;
}

/// `text` with `other` for the first `part` of it.
inline std::string replaced(std::string text, const std::string& part, const std::string& other) {
  const std::size_t place = text.find(part);
  if (place == std::string::npos) {
    ADD_FAILURE() << "no " << part;
    return text;
  }
  return text.replace(place, part.size(), other);
}

}  // namespace LaminaTest
