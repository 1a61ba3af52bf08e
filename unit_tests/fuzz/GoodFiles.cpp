// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GoodFiles.hpp"

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "Process.hpp"
#include "io/MeshSamples.hpp"
#include "io/RawNetcdf.hpp"

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
  const Uses rhs_uses{{"helmholtz", "--size", "4", "3", "2", "--rhs", "@"}};
  const auto add = [&](const std::string& name, const Uses& uses) {
    m_files.push_back({name, read_file(folder / name), false, uses});
  };
  for (const char* name : {"rhs.nc", "classic.nc", "packed.nc"}) add(name, rhs_uses);
  add("start.nc",
      {{"shallow-water", "--n", "4", "--dt", "0.01", "--until", "0.02", "--initial", "@"}});
  add("check.nc", {{"shallow-water", "--restart", "@", "--until", "0.04"}});
}

}  // namespace LaminaFuzz
