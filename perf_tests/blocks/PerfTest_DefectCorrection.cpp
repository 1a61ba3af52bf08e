// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Solves of a system in double precision to a relative residual of 1e-10: by sweeps over it, and by
// sweeps over blocks rounded to float and half, which correct the solution; with a look at the
// residual after each sweep. Decides what `lamina point-implicit` stores blocks in.

#include <lamina/blocks/DefectCorrection.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/BlockSystem.hpp"
#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

struct SolveSize {
  int block_size;
  MeshSize mesh;

  std::string name() const {
    return "nb:" + std::to_string(block_size) + "/rows:" + std::to_string(mesh.num_rows());
  }
};

std::vector<SolveSize> solve_sizes() {
  const MeshSize mesh = tiny_run() ? MeshSize{6, 5, 4} : MeshSize{59, 59, 58};
  std::vector<SolveSize> sizes;
  for (const int nb : {1, 2, 3, 4, 5, 6, 7, 8}) sizes.push_back({nb, mesh});
  return sizes;
}

/// The mesh of a size; the last one is kept.
const ColouredMesh& mesh_of(const MeshSize& size) {
  static std::optional<ColouredMesh> mesh;
  if (!mesh || mesh->size() != size) mesh.emplace(size);
  return *mesh;
}

/// Off the diagonal the values of the closed form in thirds, which no other type holds.
struct Thirds {
  const double* from;
  double* to;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const { to[n] = from[n] / 3; }
};

template <class Memory>
using UserMatrix = BlockSparseMatrix<double, double, Memory>;

template <class Space>
UserMatrix<typename Space::memory_space> user_matrix(
    const Space& space, const ClosedFormSystem<typename Space::memory_space>& system) {
  using Memory = typename Space::memory_space;
  const auto form = system.template matrix<double>(space);
  const auto& values = form.off_diagonal();
  const Kokkos::View<double***, Kokkos::LayoutLeft, Memory> thirds(
      Kokkos::view_alloc("Lamina::Perf::thirds", Kokkos::WithoutInitializing), values.extent(0),
      values.extent(1), values.extent(2));
  Kokkos::parallel_for("Lamina::Perf::thirds",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                           space, 0, static_cast<std::int64_t>(values.size())),
                       Thirds{values.data(), thirds.data()});
  return {space, form.row_offsets(), form.columns(), form.diagonal(), thirds};
}

template <class Space, class Stored>
class Solve {
 public:
  using execution_space = Space;

  explicit Solve(const SolveSize& size)
      : Solve(mesh_of(size.mesh),
              ClosedFormSystem<Memory>(mesh_of(size.mesh).graph(), mesh_of(size.mesh).lattice_ids(),
                                       size.block_size)) {}
  static std::string name() {
    const char* stored = std::is_same_v<Stored, double>  ? "double"
                         : std::is_same_v<Stored, float> ? "float"
                                                         : "half";
    return std::string("DefectCorrection/solve<") + stored + ',' + Space::name() + '>';
  }
  static constexpr int steps = 1;

  void prepare() { Kokkos::deep_copy(space, m_x, 0.0); }
  void run() {
    StoppingCriteria criteria;
    criteria.tolerance = 1e-10;
    m_report = m_correction ? m_correction->solve_in_colour_order(space, m_b, m_x, criteria)
                            : m_solver.solve_in_colour_order(space, m_b, m_x, criteria);
  }
  /// Sweeps, each with a look, and the first look.
  KernelCost cost() const {
    const KernelCost sweep = m_solver.sweep_cost();
    const KernelCost look =
        m_correction ? m_correction->correction_cost() : m_solver.residual_cost();
    const double sweeps = m_report.iterations;
    return {sweep.label, sweeps * sweep.bytes + (sweeps + 1) * look.bytes,
            sweeps * sweep.flops + (sweeps + 1) * look.flops};
  }
  std::string error() const { return m_report.converged() ? "" : "not converged"; }

  Space space{};

 private:
  using Memory = typename Space::memory_space;
  using Matrix = BlockSparseMatrix<double, Stored, Memory>;
  using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

  Solve(const ColouredMesh& mesh, const ClosedFormSystem<Memory>& system)
      : Solve(mesh, system, user_matrix(Space(), system)) {}
  Solve(const ColouredMesh& mesh, const ClosedFormSystem<Memory>& system,
        const UserMatrix<Memory>& matrix)
      : m_solver(space, stored(matrix), mesh.ordering()),
        m_b("Lamina::Perf::b", static_cast<std::size_t>(matrix.num_rows()),
            static_cast<std::size_t>(matrix.block_size())),
        m_x("Lamina::Perf::x", m_b.extent(0), m_b.extent(1)) {
    if constexpr (!std::is_same_v<Stored, double>) m_correction.emplace(space, matrix, m_solver);
    Kokkos::fence();
    system.fill_solution(space, m_x);
    matrix.apply(space, m_x, m_b);  // nothing moves: the mesh is in the order of its colours
    space.fence();
  }
  Matrix stored(const UserMatrix<Memory>& matrix) const {
    if constexpr (std::is_same_v<Stored, double>) {
      return matrix;
    } else if constexpr (std::is_same_v<Stored, float>) {
      return matrix.rounded_to_float(space);
    } else {
      return matrix.rounded_to_half(space);
    }
  }

  PointImplicitSolver<Matrix> m_solver;
  std::optional<DefectCorrection<UserMatrix<Memory>, Matrix>> m_correction;
  Field m_b, m_x;
  SolveReport m_report;
};

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space)                             \
  {                                                        \
    register_subject<Solve<Space, double>>(solve_sizes()); \
    register_subject<Solve<Space, float>>(solve_sizes());  \
    register_subject<Solve<Space, Half>>(solve_sizes());   \
  }
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
