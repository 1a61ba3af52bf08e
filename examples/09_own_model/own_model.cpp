// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A model of the application's own for FusedPcg: an implicit step of diffusion whose coefficient
// kappa varies from cell to cell, u - dt div (kappa grad u) = b, periodic to the sides. Coefficients
// are a class with two functions, the preconditioner is a kernel, all other sweeps are Lamina's.

#include <lamina/Lamina.hpp>

#include <cstdio>
#include <string>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Memory>;
using Step = Lamina::FusedStep<Memory>;
constexpr int nx = 48, ny = 40, nz = 24;

/// Row and couplings of a cell; kappa on a face is the harmonic mean of its two cells.
struct Diffusion {
  using scalar_type = double;
  using memory_space = Memory;
  static constexpr double fields = 1;  // kappa
  Lamina::ColumnTopology<Memory> topology;
  Kokkos::View<const double**, Memory> kappa;
  double side, vertical;  // dt / (distance of cells)^2

  KOKKOS_FUNCTION double face(int column, int k, int other, int l) const {
    return 2 / (1 / kappa(column, k) + 1 / kappa(other, l));
  }
  KOKKOS_FUNCTION Lamina::CellRow<double> row(int c, int k) const {
    return {1, k + 1 < nz ? vertical * face(c, k, c, k + 1) : 0,
            k > 0 ? vertical * face(c, k, c, k - 1) : 0};
  }
  KOKKOS_FUNCTION double coupling(int c, int slot, int k) const {
    return side * face(c, k, topology.neighbours(c, slot), k);
  }
};

/// The sweeps of FusedPcg, with the diagonal as preconditioner.
struct DiffusionModel {
  using scalar_type = double;
  using memory_space = Memory;
  Lamina::ColumnSystem<Diffusion> system;
  Lamina::SweepScratch<Memory> scratch{"scratch"};

  int num_owned() const { return nx * ny; }
  int num_columns() const { return nx * ny; }
  int num_levels() const { return nz; }
  template <class In, class Out>
  void residual(const Space& space, const Step& step, In b, In x, Out r) const {
    using Sweep = Lamina::ResidualSweep<double, typename In::array_layout, Memory>;
    Lamina::run_sweep("residual", space, system, Sweep{step, b, x, r}, scratch);
  }
  template <class In, class Out>
  void precondition(const Space& space, const Step& step, In r, Out z) const {
    const auto a = system.coefficients;
    using Sum = Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::parallel_reduce(
        "precondition", Kokkos::RangePolicy<Space>(space, 0, nx * ny * nz),
        KOKKOS_LAMBDA(int n, double& energy) {
          if (!step.preconditions()) return;
          const int c = n % (nx * ny), k = n / (nx * ny);
          const auto row = a.row(c, k);
          double diagonal = row.mass + row.above + row.below;
          for (int slot = 0; slot < 4; ++slot) diagonal += a.coupling(c, slot, k);
          z(c, k) = r(c, k) / diagonal;
          energy += r(c, k) * z(c, k);
        },
        Sum(step.now + Step::energy));
  }
  template <class In>
  void measure(const Space& space, const Step& step, In z) const {
    using Sweep = Lamina::MeasureSweep<double, typename In::array_layout, Memory>;
    Lamina::run_sweep("measure", space, system, Sweep{step, z}, scratch);
  }
  template <class In, class Out>
  void advance(const Space& space, const Step& step, bool update, In z, In p, Out new_p, Out r,
               Out u) const {
    using Plain = Lamina::AdvanceSweep<double, typename In::array_layout, Memory, false>;
    using Updating = Lamina::AdvanceSweep<double, typename In::array_layout, Memory, true>;
    if (update) {
      Lamina::run_sweep("advance", space, system, Updating{step, z, p, new_p, r, u}, scratch);
    } else {
      Lamina::run_sweep("advance", space, system, Plain{step, z, p, new_p, r, u}, scratch);
    }
  }
};

void fill(const Space& space, const Field& kappa, const Field& b) {
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(space, 0, nx * ny), KOKKOS_LAMBDA(int c) {
        for (int k = 0; k < nz; ++k) {
          kappa(c, k) = c / ny < nx / 2 ? 1 : 0.01 * (1 + k);  // rock in one half, layers
          b(c, k) = c == ny / 2 && k == 0 ? 1 : 0;             // all heat in one cell
        }
      });
}

double total(const Space& space, const Field& x) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "total", Kokkos::RangePolicy<Space>(space, 0, nx * ny * nz),
      KOKKOS_LAMBDA(int n, double& part) { part += x(n % (nx * ny), n / (nx * ny)); }, sum);
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  const Lamina::ColumnMesh<Memory> mesh(Lamina::plane(nx, ny));
  const auto topology = Lamina::column_topology(mesh, nz);
  const Field kappa("kappa", nx * ny, nz), b("b", nx * ny, nz), x("x", nx * ny, nz);
  fill(space, kappa, b);
  Lamina::FusedPcg solver(space, DiffusionModel{{topology, {topology, kappa, 2.0, 20.0}}});
  const auto report = solver.solve(space, b, x, {.tolerance = 1e-10});
  std::printf("%s, heat %.6f of %.6f\n", std::string(to_string(report.status)).c_str(),
              total(space, x), total(space, b));
}
