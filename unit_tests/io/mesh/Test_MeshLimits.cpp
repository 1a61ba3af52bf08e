// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files that declare more than memory holds.

#include <lamina/io/FileError.hpp>
#include <lamina/io/MeshFile.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "io/RawNetcdf.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

/// A file of a few kilobytes whose faces have no storage.
void write_declared_faces(const std::filesystem::path& path, std::size_t num_faces,
                          std::size_t num_corners) {
  RawNetcdf file(path);
  const int topology = file.variable("topology", NC_INT, {});
  file.attribute(topology, "cf_role", "mesh_topology");
  file.attribute(topology, "face_node_connectivity", "face_nodes");
  file.attribute(topology, "node_coordinates", "lon lat");
  const int node = file.dimension("node", 3);
  for (const char* name : {"lon", "lat"}) {
    const int variable = file.variable(name, NC_DOUBLE, {node});
    file.attribute(variable, "units",
                   name == std::string("lon") ? "degrees_east" : "degrees_north");
    file.write(variable, {0}, {3}, {0, 1, 2});
  }
  const int faces = file.dimension("face", num_faces),
            corners = file.dimension("most", num_corners);
  file.chunks(file.variable("face_nodes", NC_INT64, {faces, corners}), {1, 4});
  file.close();
}

TEST(MeshLimits, RefuseWhatAFileDeclares) {
  const ScratchFolder folder;
  const auto problem = [&](std::size_t num_faces, std::size_t num_corners, auto... most) {
    write_declared_faces(folder / "a.nc", num_faces, num_corners);
    return message_of<Lamina::FileError>([&] { Lamina::read_mesh_file(folder / "a.nc", most...); });
  };
  const std::string begin = (folder / "a.nc").string() + ": variable face_nodes: expected at most ";
  // The product is 2^64 + 2^20.
  EXPECT_EQ(problem(1048576, 17592186044417),
            begin + "2147483647 values, got (face = 1048576, most = 17592186044417)");
  EXPECT_EQ(problem(1 << 29, 4), begin + "2147483647 values, got (face = 536870912, most = 4)");
  EXPECT_EQ(problem(5, 4, std::size_t{19}), begin + "19 values, got (face = 5, most = 4)");
  EXPECT_EQ(problem(5, 4, std::size_t{20}).find("at most"), std::string::npos);
}

}  // namespace
}  // namespace LaminaTest
