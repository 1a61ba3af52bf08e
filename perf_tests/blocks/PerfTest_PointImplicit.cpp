// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sweeps of the point-implicit solver over a generated mesh, for blocks of many sizes: the fused
// sweep with each way to solve with the diagonal, and the separate kernels. Where the environment
// variable LAMINA_MESH names a file of Gmsh (MSH 4.1), the same over its tetrahedra.

#include <lamina/blocks/ClosedFormSystem.hpp>
#include <lamina/blocks/FreudenthalMesh.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/impl/Instantiate.hpp>
#include <lamina/io/GmshFile.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// A mesh, and the size of the blocks on it.
struct MeshSize {
  int block_size, num_x = 0, num_y = 0, num_z = 0;
  std::filesystem::path file{};  ///< empty: generated

  std::string name() const {
    return "nb:" + std::to_string(block_size) +
           (file.empty() ? "/rows:" + std::to_string(num_x * num_y * num_z)
                         : "/mesh:" + file.stem().string());
  }
};

/// Which points are coupled, and their ids.
struct MeshPoints {
  BlockGraph graph;
  std::vector<int> ids;
};

MeshPoints points_of(const MeshSize& size) {
  if (!size.file.empty()) {
    BlockGraph graph = read_gmsh(size.file).graph;
    const int num_rows = graph.num_rows();
    return {std::move(graph), natural_order(num_rows)};
  }
  const FreudenthalMesh mesh(size.num_x, size.num_y, size.num_z);
  return {mesh.graph(), mesh.lattice_ids()};
}

/// The largest mesh of the paper's where its matrix takes a few GB at most on CPU cores, and a
/// smaller one otherwise.
std::vector<MeshSize> sizes_for(bool on_host) {
  std::vector<MeshSize> sizes;
  for (const int nb : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 24, 32, 33, 47, 64}) {
    const MeshSize large = on_host ? MeshSize{nb, 59, 59, 58} : MeshSize{nb, 100, 100, 98};
    const MeshSize medium = on_host ? MeshSize{nb, 36, 36, 36} : MeshSize{nb, 59, 59, 58};
    const bool fits = nb <= (on_host ? 16 : 24);
    sizes.push_back(fits ? large : nb <= 32 || !on_host ? medium : MeshSize{nb, 19, 18, 18});
  }
  sizes.push_back({5, 19, 18, 18});
  if (const char* file = std::getenv("LAMINA_MESH")) {
    for (const int nb : {1, 2, 3, 4, 5, 6, 7, 8, 16})
      sizes.push_back({.block_size = nb, .file = file});
  }
  return sizes;
}

template <class Stored>
inline constexpr const char* stored_name = std::is_same_v<Stored, Half>    ? "half"
                                           : std::is_same_v<Stored, float> ? "float"
                                                                           : "double";

/// The closed-form system in the order of its colours, after some sweeps.
template <class Space, class OffDiagonal>
struct BlockCase {
  using execution_space = Space;
  using Memory = typename Space::memory_space;
  using Matrix = BlockSparseMatrix<double, OffDiagonal, Memory>;
  using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

  BlockCase(const MeshSize& size, BlockInverse inverse) {
    const MeshPoints points = points_of(size);
    for (Field* vector : {&b, &x, &solution}) {
      *vector = Field("Lamina::Perf::block_field", points.ids.size(),
                      static_cast<std::size_t>(size.block_size));
    }
    const ClosedFormSystem<Memory> system(points.graph, points.ids, size.block_size);
    system.fill_solution(space, x);
    solver = std::make_unique<PointImplicitSolver<Matrix>>(
        space, stored(system), ColourOrdering::greedy(points.graph), inverse);
    solver->to_colour_order(space, x, solution);
    solver->matrix().apply(space, solution, b);
    Kokkos::deep_copy(space, x, 0.0);
  }
  Matrix stored(const ClosedFormSystem<Memory>& system) const {
    if constexpr (std::is_same_v<OffDiagonal, Half>) {
      return system.template matrix<float>(space).rounded_to_half(space);
    } else {
      return system.template matrix<OffDiagonal>(space);
    }
  }
  static std::string type_names() {
    return std::string(stored_name<OffDiagonal>) + ',' + Space::name() + '>';
  }
  void prepare() {}

  /// Why y is not A x, by sums over some rows that are computed here; empty where it is.
  std::string error_of(const Field& x_field, const Field& y_field, double tolerance) const {
    const auto on_host = [](const auto& view) {
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    };
    const auto& a = solver->matrix();
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
  Field b, x, solution;
  std::unique_ptr<PointImplicitSolver<Matrix>> solver;
};

constexpr const char* inverse_names[] = {"lu", "lu-pivoted", "inverse"};

template <class Space, class OffDiagonal, BlockInverse Inverse>
struct Sweep : BlockCase<Space, OffDiagonal> {
  using Base = BlockCase<Space, OffDiagonal>;
  explicit Sweep(const MeshSize& size) : Base(size, Inverse) {}
  static std::string name() {
    return std::string("PointImplicitSolver/sweep<") + inverse_names[static_cast<int>(Inverse)] +
           ',' + Base::type_names();
  }
  static constexpr int steps = 1;
  void run() { this->solver->sweep(this->space, this->b, this->x); }
  KernelCost cost() const { return this->solver->sweep_cost(); }
  std::string error() const {
    // Several sweeps were made when this is asked.
    this->solver->sweep(this->space, this->b, this->x, SweepDirection::forward, 12);
    return this->error_of(this->x, this->b, 1e-9);
  }
};

/// The two halves of a sweep for all rows at once, as separate kernels: q travels through memory.
template <class Space, class OffDiagonal>
struct Separate : BlockCase<Space, OffDiagonal> {
  using Base = BlockCase<Space, OffDiagonal>;
  explicit Separate(const MeshSize& size)
      : Base(size, BlockInverse::inverse), m_q("Lamina::Perf::q", this->b.layout()) {}
  static std::string name() { return "PointImplicitSolver/separate<inverse," + Base::type_names(); }
  static constexpr int steps = 1;
  void run() {
    this->solver->matrix().subtract_off_diagonal(this->space, this->b, this->solution, m_q);
    this->solver->solve_diagonal(this->space, m_q, this->x);
  }
  KernelCost cost() const { return this->solver->sweep_cost(); }
  std::string error() const { return this->error_of(this->x, this->b, 1e-9); }

 private:
  typename Base::Field m_q;
};

/// y = A x
template <class Space, class OffDiagonal>
struct Apply : BlockCase<Space, OffDiagonal> {
  using Base = BlockCase<Space, OffDiagonal>;
  explicit Apply(const MeshSize& size) : Base(size, BlockInverse::inverse) {}
  static std::string name() { return "BlockSparseMatrix/apply<" + Base::type_names(); }
  static constexpr int steps = 1;
  void run() { this->solver->matrix().apply(this->space, this->solution, this->x); }
  KernelCost cost() const {
    return cost_of(this->solver->matrix().kernel_costs(), "Lamina::BlockSparseMatrix::apply");
  }
  std::string error() const { return this->error_of(this->solution, this->x, 1e-12); }
};

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space)                                              \
  {                                                                         \
    const auto sizes = sizes_for(Impl::runs_on_host<Space>);                \
    register_subject<Sweep<Space, float, BlockInverse::inverse>>(sizes);    \
    register_subject<Sweep<Space, float, BlockInverse::lu>>(sizes);         \
    register_subject<Sweep<Space, float, BlockInverse::lu_pivoted>>(sizes); \
    register_subject<Sweep<Space, double, BlockInverse::inverse>>(sizes);   \
    register_subject<Sweep<Space, Half, BlockInverse::inverse>>(sizes);     \
    register_subject<Separate<Space, float>>(sizes);                        \
    register_subject<Apply<Space, float>>(sizes);                           \
  }
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
