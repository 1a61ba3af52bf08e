// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GoodFiles.hpp"

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "Process.hpp"
#include "io/RawNetcdf.hpp"
#include "io/mesh/MeshSamples.hpp"

namespace LaminaFuzz {
namespace {

using Uses = std::vector<std::vector<std::string>>;

/// A line of blocks of two rows each.
std::string block_matrix(bool symmetric) {
  std::string entries;
  int count = 0;
  constexpr int num_rows = 8;
  for (int row = 1; row <= num_rows; ++row) {
    for (int column = 1; column <= (symmetric ? row : num_rows); ++column) {
      const int distance = row > column ? row - column : column - row;
      if (distance > 2) continue;
      const std::string value = distance == 0 ? "4.5" : symmetric || row > column ? "-1" : "-5e-1";
      entries += std::to_string(row) + ' ' + std::to_string(column) + ' ' + value + '\n';
      ++count;
    }
  }
  return std::string("%%MatrixMarket matrix coordinate real ") +
         (symmetric ? "symmetric" : "general") + "\n% ISTL_STRUCT blocked 2 2\n8 8 " +
         std::to_string(count) + '\n' + entries;
}

const std::string mesh_of_version_2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
    "5 1 0 1\n6 0 1 1\n$EndNodes\n$Elements\n3\n1 2 2 0 1 1 2 3\n2 6 2 0 1 1 2 3 4 5 6\n"
    "3 4 2 0 1 2 3 4 6\n$EndElements\n";

/// Right-hand sides for --size 4 3 2 as others write them: packed, or in the classic format.
void write_rhs(const std::filesystem::path& path, int mode, bool packed) {
  LaminaTest::RawNetcdf file(path, mode);
  file.attribute(NC_GLOBAL, "title", "a title");
  const std::vector<int> dimensions{file.dimension("x", 4), file.dimension("y", 3),
                                    file.dimension("level", 2)};
  const int variable = file.variable("rhs", packed ? NC_SHORT : NC_DOUBLE, dimensions);
  if (packed) {
    file.attribute(variable, "scale_factor", NC_DOUBLE, {0.1});
    file.attribute(variable, "_FillValue", NC_SHORT, {-5});
  }
  std::vector<double> values(4 * 3 * 2);
  std::iota(values.begin(), values.end(), 1.0);
  file.write(variable, {0, 0, 0}, {4, 3, 2}, values);
  file.close();
}

/// Two cells of a plane, as MPAS writes them.
void write_mpas(const std::filesystem::path& path) {
  LaminaTest::RawNetcdf file(path, 0);
  file.attribute(NC_GLOBAL, "on_a_sphere", "NO");
  const int cells = file.dimension("nCells", 2), edges = file.dimension("nEdges", 1),
            vertices = file.dimension("nVertices", 6), two = file.dimension("TWO", 2),
            most = file.dimension("maxEdges", 4);
  struct Variable {
    const char* name;
    nc_type type;
    std::vector<int> dimensions;
    std::vector<std::size_t> extents;
    std::vector<double> values;
  };
  const std::vector<Variable> variables{
      {"areaCell", NC_DOUBLE, {cells}, {2}, {1, 2}},
      {"xCell", NC_DOUBLE, {cells}, {2}, {0.5, 2}},
      {"yCell", NC_DOUBLE, {cells}, {2}, {0.5, 0.5}},
      {"zCell", NC_DOUBLE, {cells}, {2}, {0, 0}},
      {"cellsOnEdge", NC_INT, {edges, two}, {1, 2}, {1, 2}},
      {"dvEdge", NC_DOUBLE, {edges}, {1}, {1}},
      {"dcEdge", NC_DOUBLE, {edges}, {1}, {1.5}},
      {"nEdgesOnCell", NC_INT, {cells}, {2}, {4, 4}},
      {"verticesOnCell", NC_INT, {cells, most}, {2, 4}, {1, 2, 5, 4, 2, 3, 6, 5}},
      {"xVertex", NC_DOUBLE, {vertices}, {6}, {0, 1, 3, 0, 1, 3}},
      {"yVertex", NC_DOUBLE, {vertices}, {6}, {0, 0, 0, 1, 1, 1}},
      {"zVertex", NC_DOUBLE, {vertices}, {6}, {0, 0, 0, 0, 0, 0}}};
  std::vector<int> numbers;
  for (const auto& variable : variables) {
    numbers.push_back(file.variable(variable.name, variable.type, variable.dimensions));
  }
  for (std::size_t n = 0; n < variables.size(); ++n) {
    file.write(numbers[n], std::vector<std::size_t>(variables[n].extents.size(), 0),
               variables[n].extents, variables[n].values);
  }
  file.close();
}

}  // namespace

GoodFiles::GoodFiles(const std::filesystem::path& program, const std::filesystem::path& folder) {
  add_matrices();
  add_meshes();
  add_netcdf(program, folder);
}

const GoodFile* GoodFiles::find(const std::string& name) const {
  for (const GoodFile& file : m_files) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

void GoodFiles::add_matrices() {
  const std::vector<std::string> matrix{"point-implicit", "--matrix", "@"};
  const auto with = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Uses matrix_uses{
      with(matrix, {"--block-size", "2", "--sweeps", "3"}),
      with(matrix, {"--block-size", "1", "--until-converged", "--max-iterations", "20"}),
      with(matrix, {"--block-size", "2", "--krylov", "pcg", "--max-iterations", "20"}),
      with(matrix, {"--storage", "half", "--ordering", "rcm", "--sweeps", "2"}),
      with(matrix, {"--block-size", "2", "--rhs", "b.mtx", "--diagonal", "lu-pivoted"})};
  m_files.push_back({"m.mtx", block_matrix(false), true, matrix_uses});
  m_files.push_back({"s.mtx", block_matrix(true), true, matrix_uses});
  const Uses rhs_uses{{"point-implicit", "--matrix", "m.mtx", "--block-size", "2", "--rhs", "@"},
                      {"point-implicit", "--matrix", "s.mtx", "--block-size", "1", "--rhs", "@",
                       "--until-converged", "--max-iterations", "20"}};
  m_files.push_back({"b.mtx",
                     "%%MatrixMarket matrix array real general\n% a comment\n8 1\n"
                     "1\n2\n3.5\n-4e-1\n5\n6\n7\n8.25\n",
                     true, rhs_uses});
  m_files.push_back({"c.mtx",
                     "%%MatrixMarket matrix coordinate real general\n8 1 3\n"
                     "1 1 1\n4 1 -2.5\n8 1 1.0D+00\n",
                     true, rhs_uses});
  m_files.push_back(
      {"colours.txt",
       "0\n1\n0\n1\n",
       true,
       {{"point-implicit", "--matrix", "m.mtx", "--block-size", "2", "--colouring", "@"}}});
}

void GoodFiles::add_meshes() {
  const Uses uses{{"point-implicit", "--mesh", "@", "--block-size", "2", "--sweeps", "2"},
                  {"point-implicit", "--mesh", "@", "--block-size", "1", "--until-converged",
                   "--max-iterations", "9", "--output", "o.vtu"}};
  m_files.push_back({"mesh.msh", LaminaTest::two_tetrahedra, true, uses});
  m_files.push_back({"mesh22.msh", mesh_of_version_2, true, uses});
  m_files.push_back({"binary22.msh", LaminaTest::binary_mesh(2), false, uses});
  m_files.push_back({"binary41.msh", LaminaTest::binary_mesh(4), false, uses});
  const Uses folder_uses{{"helmholtz", "--grid", ".", "--levels", "2"},
                         {"helmholtz", "--grid", ".", "--levels", "3", "--output", "o.vtu"}};
  m_files.push_back({"nod2d.out",
                     "5\n1 0 0 1\n2 90 0 1\n3 180 0 1\n4 270 0 1\n5 0 90 0\n",
                     true,
                     folder_uses,
                     {"elem2d.out"}});
  m_files.push_back(
      {"elem2d.out", "4\n1 2 5\n2 3 5\n3 4 5\n4 1 5\n", true, folder_uses, {"nod2d.out"}});
  m_files.push_back(
      {"columns.part.1",
       "0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n",
       true,
       {{"helmholtz", "--grid", "icosahedral", "1", "--levels", "2", "--partition", "@"}}});
}

void GoodFiles::add_netcdf(const std::filesystem::path& program,
                           const std::filesystem::path& folder) {
  const auto made = [&](const std::vector<std::string>& arguments) {
    const Command command{
        .program = program, .arguments = arguments, .folder = folder, .streams = folder};
    const Ending ending = run(command);
    if (ending.exit_status != 0) {
      throw std::runtime_error("no good files: lamina " + shell_text(arguments) + ": " +
                               ending.errors);
    }
  };
  made({"helmholtz", "--size", "4", "3", "2", "--quiet", "--output", "rhs.nc"});
  const auto begin = std::chrono::steady_clock::now();
  made({"shallow-water", "--n", "4", "--dt", "0.01", "--until", "0.02", "--quiet", "--output",
        "start.nc", "--checkpoint", "check.nc"});
  m_run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  write_rhs(folder / "classic.nc", 0, false);
  write_rhs(folder / "packed.nc", NC_NETCDF4, true);
  made({"helmholtz", "--grid", "icosahedral", "1", "--levels", "2", "--quiet", "--output",
        "ugrid.nc"});
  write_mpas(folder / "mpas.nc");
  const Uses rhs_uses{{"helmholtz", "--size", "4", "3", "2", "--rhs", "@"}};
  const auto add = [&](const std::string& name, const Uses& uses) {
    m_files.push_back({name, read_file(folder / name), false, uses});
  };
  for (const char* name : {"rhs.nc", "classic.nc", "packed.nc"}) add(name, rhs_uses);
  add("start.nc",
      {{"shallow-water", "--n", "4", "--dt", "0.01", "--until", "0.02", "--initial", "@"}});
  add("ugrid.nc", {{"helmholtz", "--grid", "@", "--levels", "2"},
                   {"helmholtz", "--grid", "@", "--solver", "multigrid-pcg", "--output", "o.vtu"},
                   {"helmholtz", "--grid", "icosahedral", "1", "--levels", "2", "--rhs", "@"}});
  add("mpas.nc", {{"helmholtz", "--grid", "@", "--levels", "2", "--output", "o.vtu"}});
  add("check.nc", {{"shallow-water", "--restart", "@", "--until", "0.04"}});
}

}  // namespace LaminaFuzz
