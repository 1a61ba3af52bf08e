// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A channel around a ball, about 400 000 tetrahedra:
//   gmsh -3 channel.geo -format msh41
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 2, 1, 1};
Sphere(2) = {0.7, 0.5, 0.5, 0.25};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Mesh.MeshSizeMin = 0.028;
Mesh.MeshSizeMax = 0.028;
