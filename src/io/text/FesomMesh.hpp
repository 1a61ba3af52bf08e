// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/MeshFile.hpp>

#include <filesystem>

namespace Lamina {

/// The mesh of FESOM in a folder with `nod2d.out` and `elem2d.out`, as `read_mesh_file` has it.
MeshFile read_fesom_mesh(const std::filesystem::path& folder);

}  // namespace Lamina
