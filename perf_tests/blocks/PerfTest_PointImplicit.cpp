// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sweeps of the point-implicit solver over a generated mesh, for blocks of many sizes: the fused
// sweep with each way to solve with the diagonal, the separate kernels, and new values for a plan.
// Where the environment variable LAMINA_MESH names a file of Gmsh (MSH 4.1), sweeps over its
// tetrahedra, too.

#include <lamina/blocks/MultiRhsPointImplicitSolver.hpp>
#include <lamina/io/GmshFile.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/BlockSystem.hpp"
#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// A mesh, and the size of the blocks on it.
struct SystemSize {
  int block_size;
  MeshSize mesh{};
  std::filesystem::path file{};  ///< of a mesh; empty: generated

  std::string name() const {
    return "nb:" + std::to_string(block_size) +
           (file.empty() ? "/rows:" + std::to_string(mesh.num_rows())
                         : "/mesh:" + file.stem().string());
  }
};

constexpr int block_sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                               12, 15, 16, 17, 20, 24, 32, 33, 47, 64};

/// The largest mesh of the paper's where its matrix takes a few GB at most on CPU cores, and a
/// smaller one otherwise.
std::vector<SystemSize> generated_sizes(bool on_host) {
  std::vector<SystemSize> sizes;
  if (tiny_run()) {
    for (const int nb : block_sizes) sizes.push_back({nb, MeshSize{6, 5, 4}});
    return sizes;
  }
  constexpr MeshSize huge{100, 100, 98}, large{59, 59, 58}, medium{36, 36, 36}, small{19, 18, 18};
  for (const int nb : block_sizes) {
    const bool fits = nb <= (on_host ? 16 : 24);
    const MeshSize fitting = on_host ? large : huge, otherwise = on_host ? medium : large;
    sizes.push_back({nb, fits ? fitting : nb <= 32 || !on_host ? otherwise : small});
  }
  for (const int nb : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32}) {
    if (nb == 5 || !on_host) sizes.push_back({nb, small});
  }
  return sizes;
}

/// Those of the generated meshes, and of the file where there is one.
std::vector<SystemSize> sizes_for(bool on_host) {
  std::vector<SystemSize> sizes = generated_sizes(on_host);
  if (const char* file = std::getenv("LAMINA_MESH")) {
    for (const int nb : {1, 2, 3, 4, 5, 6, 7, 8, 16})
      sizes.push_back({.block_size = nb, .file = file});
  }
  return sizes;
}

/// Besides, the largest mesh with large blocks: those off the diagonal alone take 55 to 100 GB.
/// Benchmarks report where a device has no room for them.
std::vector<SystemSize> with_largest(std::vector<SystemSize> sizes, bool on_host) {
  if (on_host || tiny_run()) return sizes;
  for (const int nb : {32, 33, 36, 40, 41, 43}) sizes.push_back({nb, MeshSize{100, 100, 98}});
  return sizes;
}

template <class Stored>
inline constexpr const char* stored_name = std::is_same_v<Stored, Half>    ? "half"
                                           : std::is_same_v<Stored, float> ? "float"
                                                                           : "double";

ColouredMesh make_mesh(const SystemSize& size) {
  if (size.file.empty()) return ColouredMesh(size.mesh);
  const BlockGraph graph = read_gmsh(size.file).graph;
  return {graph, natural_order(graph.num_rows())};
}

/// The mesh of a size; the last one is kept.
const ColouredMesh& mesh_of(const SystemSize& size) {
  static std::optional<ColouredMesh> mesh;
  static SystemSize last;
  if (!mesh || last.mesh != size.mesh || last.file != size.file) mesh.emplace(make_mesh(size));
  last = size;
  return *mesh;
}

/// The closed-form system in the order of its colours, after some sweeps.
template <class Space, class OffDiagonal>
struct BlockCase {
  using execution_space = Space;
  using System = BlockSystem<Space, OffDiagonal>;
  using Field = typename System::Field;

  BlockCase(const SystemSize& size, BlockInverse inverse)
      : system(space, mesh_of(size), size.block_size, inverse), x(system.make_field("x")) {}
  static std::string type_names() {
    return std::string(stored_name<OffDiagonal>) + ',' + Space::name() + '>';
  }
  void prepare() {}

  /// Why y is not A x, by sums over some rows that are computed here; empty where it is.
  std::string error_of(const Field& x_field, const Field& y_field, double tolerance) const {
    const auto on_host = [](const auto& view) {
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    };
    const auto& a = system.solver.coloured_matrix();
    const auto x = on_host(x_field), y = on_host(y_field);
    const auto offsets = on_host(a.row_offsets());
    const auto columns = on_host(a.columns());
    const auto scales = on_host(a.row_scales());
    double norm2 = 0, error2 = 0;
    for (std::size_t n = 0; n < y.size(); ++n) norm2 += y.data()[n] * y.data()[n];
    const auto last = static_cast<std::size_t>(a.num_rows() - 1);
    for (const std::size_t row : {std::size_t{0}, last / 3, last / 2, last}) {
      const auto part = [&](const auto& blocks, std::int64_t block, int column, auto& sums) {
        const auto values =
            on_host(Kokkos::subview(blocks, Kokkos::ALL, Kokkos::ALL,
                                    Kokkos::pair<std::int64_t, std::int64_t>(block, block + 1)));
        for (std::size_t p = 0; p < sums.size(); ++p) {
          for (std::size_t q = 0; q < sums.size(); ++q) {
            sums[p] +=
                static_cast<double>(values(p, q, 0)) * x(static_cast<std::size_t>(column), q);
          }
        }
      };
      std::vector<double> sums(static_cast<std::size_t>(a.block_size())), off_diagonal(sums);
      part(a.diagonal(), static_cast<std::int64_t>(row), static_cast<int>(row), sums);
      for (std::int64_t k = offsets(row); k < offsets(row + 1); ++k) {
        part(a.off_diagonal(), k, columns(static_cast<std::size_t>(k)), off_diagonal);
      }
      for (std::size_t p = 0; p < sums.size(); ++p) {
        sums[p] += off_diagonal[p] * (scales.size() > 0 ? scales(row, p) : 1);
        error2 += (y(row, p) - sums[p]) * (y(row, p) - sums[p]);
      }
    }
    if (!(norm2 > 0)) return "wrong result: norm " + std::to_string(std::sqrt(norm2));
    return std::sqrt(error2) < tolerance
               ? ""
               : "wrong result: rows differ by " + std::to_string(std::sqrt(error2));
  }

  Space space{};
  System system;
  Field x;
};

constexpr const char* inverse_names[] = {"lu", "lu-pivoted", "inverse"};

template <class Space, class OffDiagonal, BlockInverse Inverse>
struct Sweep : BlockCase<Space, OffDiagonal> {
  using Base = BlockCase<Space, OffDiagonal>;
  explicit Sweep(const SystemSize& size) : Base(size, Inverse) {}
  static std::string name() {
    return std::string("PointImplicitSolver/sweep<") + inverse_names[static_cast<int>(Inverse)] +
           ',' + Base::type_names();
  }
  static constexpr int steps = 1;
  void run() { this->system.solver.sweep_in_colour_order(this->space, this->system.b, this->x); }
  KernelCost cost() const { return this->system.solver.sweep_cost(); }
  std::string error() const {
    // Several sweeps were made when this is asked.
    this->system.solver.sweep_in_colour_order(this->space, this->system.b, this->x,
                                              SweepDirection::forward, 12);
    return this->error_of(this->x, this->system.b, 1e-9);
  }
};

/// The two halves of a sweep for all rows at once, as separate kernels: q travels through memory.
template <class Space, class OffDiagonal>
struct Separate : BlockCase<Space, OffDiagonal> {
  using Base = BlockCase<Space, OffDiagonal>;
  explicit Separate(const SystemSize& size)
      : Base(size, BlockInverse::inverse), m_q(this->system.make_field("q")) {}
  static std::string name() { return "PointImplicitSolver/separate<inverse," + Base::type_names(); }
  static constexpr int steps = 1;
  void run() {
    this->system.solver.coloured_matrix().subtract_off_diagonal(this->space, this->system.b,
                                                                this->system.solution, m_q);
    this->system.solver.solve_diagonal_in_colour_order(this->space, m_q, this->x);
  }
  KernelCost cost() const { return this->system.solver.sweep_cost(); }
  std::string error() const { return this->error_of(this->x, this->system.b, 1e-9); }

 private:
  typename Base::Field m_q;
};

/// New values for the plan, which are in the user's order: rows move.
template <class Space, class OffDiagonal, BlockInverse Inverse>
struct Update {
  using execution_space = Space;
  using Memory = typename Space::memory_space;
  using Matrix = BlockSparseMatrix<double, OffDiagonal, Memory>;

  explicit Update(const SystemSize& size)
      : matrix(stored(size)),
        solver(space, matrix, ColourOrdering::greedy(matrix.graph()), Inverse) {}
  static std::string name() {
    return std::string("PointImplicitSolver/update<") + inverse_names[static_cast<int>(Inverse)] +
           ',' + stored_name<OffDiagonal> + ',' + Space::name() + '>';
  }
  static constexpr int steps = 1;
  void prepare() {}
  void run() { solver.update(space, matrix); }
  KernelCost cost() const { return solver.update_cost(); }
  std::string error() const {
    return solver.status() == SolveStatus::completed ? "" : "pivots are not usable";
  }

  Space space{};
  Matrix matrix;
  PointImplicitSolver<Matrix> solver;

 private:
  Matrix stored(const SystemSize& size) const {
    const FreudenthalMesh mesh(size.mesh.num_x, size.mesh.num_y, size.mesh.num_z);
    const ClosedFormSystem<Memory> system(mesh.graph(), mesh.lattice_ids(), size.block_size);
    if constexpr (std::is_same_v<OffDiagonal, Half>) {
      return system.template matrix<float>(space).rounded_to_half(space);
    } else {
      return system.template matrix<OffDiagonal>(space);
    }
  }
};

/// Sweeps for 4 right-hand sides, which the same vectors are used for; with the way from the user's
/// order and back, as there is nothing else to call.
template <class Space, class OffDiagonal>
struct MultiRhsSweep : BlockCase<Space, OffDiagonal> {
  using Base = BlockCase<Space, OffDiagonal>;
  using Fields = Kokkos::View<double***, Kokkos::LayoutRight, typename Space::memory_space>;
  static constexpr int num_rhs = 4;

  explicit MultiRhsSweep(const SystemSize& size)
      : Base(size, BlockInverse::inverse),
        m_solver(this->system.solver, num_rhs),
        m_b(make_fields("b")),
        m_x(make_fields("x")) {
    for (std::size_t r = 0; r < num_rhs; ++r) {
      Kokkos::deep_copy(Kokkos::subview(m_b, Kokkos::ALL, r, Kokkos::ALL), this->system.b);
    }
  }
  static std::string name() { return "MultiRhsPointImplicitSolver/sweep<" + Base::type_names(); }
  static constexpr int steps = 4;
  void run() { m_solver.sweep(this->space, m_b, m_x, SweepDirection::forward, steps); }
  KernelCost cost() const { return m_solver.sweep_cost(num_rhs); }
  std::string error() const {
    m_solver.sweep(this->space, m_b, m_x, SweepDirection::forward, 12);
    Kokkos::deep_copy(this->x, Kokkos::subview(m_x, Kokkos::ALL, num_rhs - 1, Kokkos::ALL));
    return this->error_of(this->x, this->system.b, 1e-9);
  }

 private:
  Fields make_fields(const std::string& name) const {
    return Fields("Lamina::Perf::" + name, this->x.extent(0), num_rhs, this->x.extent(1));
  }

  MultiRhsPointImplicitSolver<typename Base::System::Matrix> m_solver;
  Fields m_b, m_x;
};

/// y = A x
template <class Space, class OffDiagonal>
struct Apply : BlockCase<Space, OffDiagonal> {
  using Base = BlockCase<Space, OffDiagonal>;
  explicit Apply(const SystemSize& size) : Base(size, BlockInverse::inverse) {}
  static std::string name() { return "BlockSparseMatrix/apply<" + Base::type_names(); }
  static constexpr int steps = 1;
  void run() {
    this->system.solver.coloured_matrix().apply(this->space, this->system.solution, this->x);
  }
  KernelCost cost() const {
    return cost_of(this->system.solver.coloured_matrix().kernel_costs(),
                   "Lamina::BlockSparseMatrix::apply");
  }
  std::string error() const { return this->error_of(this->system.solution, this->x, 1e-12); }
};

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space)                                                                  \
  {                                                                                             \
    constexpr bool on_host = runs_on_host<Space>;                                               \
    const auto sizes = sizes_for(on_host);                                                      \
    register_subject<Sweep<Space, float, BlockInverse::inverse>>(with_largest(sizes, on_host)); \
    register_subject<Sweep<Space, float, BlockInverse::lu>>(sizes);                             \
    register_subject<Sweep<Space, float, BlockInverse::lu_pivoted>>(sizes);                     \
    register_subject<Sweep<Space, double, BlockInverse::inverse>>(sizes);                       \
    register_subject<Sweep<Space, Half, BlockInverse::inverse>>(sizes);                         \
    register_subject<Separate<Space, float>>(sizes);                                            \
    register_subject<MultiRhsSweep<Space, float>>(sizes);                                       \
    const auto meshes = generated_sizes(on_host);                                               \
    register_subject<Update<Space, float, BlockInverse::inverse>>(meshes);                      \
    register_subject<Update<Space, float, BlockInverse::lu>>(meshes);                           \
    register_subject<Update<Space, Half, BlockInverse::inverse>>(meshes);                       \
    register_subject<Apply<Space, float>>(sizes);                                               \
  }
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
