// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time per iteration of GMRES over block systems, preconditioned by a forward sweep, in the mean over
// a cycle of 30; beside it what operator and sweep take alone, and what the orthogonalisation does.

#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/krylov/Gmres.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "../support/BlockSystem.hpp"
#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

struct GmresSize {
  MeshSize mesh;
  int block_size = 5;

  std::string name() const {
    return "nb:" + std::to_string(block_size) + "/rows:" + std::to_string(mesh.num_rows());
  }
};

std::vector<GmresSize> sizes_for(bool on_host) {
  constexpr MeshSize huge{100, 100, 98}, large{59, 59, 58}, medium{36, 36, 36}, small{19, 18, 18};
  if (tiny_run()) return {{MeshSize{6, 5, 4}}};
  if (on_host) return {{medium}, {large}};
  return {{small}, {large}, {huge}};
}

constexpr int restart = 30;

template <class Space>
struct Case {
  using execution_space = Space;
  using System = BlockSystem<Space, float>;
  using Matrix = typename System::Matrix;
  using Preconditioner = PointImplicitPreconditioner<Matrix>;
  static constexpr int steps = restart;

  explicit Case(const GmresSize& size)
      : system(space, ColouredMesh(size.mesh), size.block_size, BlockInverse::inverse),
        preconditioner(system.solver, VectorOrder::colour, SweepDirection::forward),
        x(system.make_field("x")) {}

  /// Of the matrix and of the sweep, once each.
  KernelCost parts_cost() const {
    return sum_of(
        {system.solver.sweep_cost(), cost_of(system.solver.coloured_matrix().kernel_costs(),
                                             "Lamina::BlockSparseMatrix::apply")});
  }

  Space space{};
  System system;
  Preconditioner preconditioner;
  typename System::Field x;
};

/// A cycle from x = 0.
template <class Space>
struct Iterations : Case<Space> {
  using Base = Case<Space>;
  explicit Iterations(const GmresSize& size)
      : Base(size),
        plan(this->space, this->system.solver.coloured_matrix(), this->preconditioner, restart) {}
  static std::string name() { return std::string("Gmres/iteration<float,") + Space::name() + '>'; }
  void prepare() { Kokkos::deep_copy(this->space, this->x, 0.0); }
  void run() {
    report =
        plan.solve(this->space, this->system.b, this->x, StoppingCriteria::iterations(restart));
  }
  KernelCost cost() const {
    KernelCost cycle;
    const auto add = [&](const KernelCost& part, double times) {
      cycle.bytes += times * part.bytes;
      cycle.flops += times * part.flops;
    };
    const auto of = [&](const char* kernel) {
      return cost_of(plan.kernel_costs(), std::string("Lamina::Gmres::") + kernel);
    };
    // The end of the cycle applies both once more, and the initial residual takes the matrix.
    add(this->parts_cost(), restart + 1);
    add(cost_of(this->system.solver.coloured_matrix().kernel_costs(),
                "Lamina::BlockSparseMatrix::apply"),
        1);
    add(of("products"), restart);
    add(of("update"), restart);
    add(of("combination"), 1);
    add(of("solution"), 1);
    add(of("residual"), 2);
    return {"", cycle.bytes / restart, cycle.flops / restart};
  }
  std::string error() const {
    const bool sound = report.status == SolveStatus::completed && report.relative_residual() < 1e-8;
    return sound ? "" : "wrong result: " + std::string(to_string(report.status));
  }

  Gmres<typename Base::Matrix, typename Base::Preconditioner> plan;
  SolveReport report;
};

/// Sweep and matrix alone.
template <class Space>
struct Parts : Case<Space> {
  using Base = Case<Space>;
  explicit Parts(const GmresSize& size) : Base(size), z(this->system.make_field("z")) {}
  static std::string name() {
    return std::string("Gmres/sweep and matrix alone<float,") + Space::name() + '>';
  }
  void prepare() {}
  void run() {
    for (int n = 0; n < restart; ++n) {
      this->preconditioner.solve(this->space, this->system.b, z);
      this->system.solver.coloured_matrix().apply(this->space, z, this->x);
    }
  }
  KernelCost cost() const { return this->parts_cost(); }
  std::string error() const { return ""; }

  typename Base::System::Field z;
};

/// Vector j is 1, and -1 in every (j + 2)nd place.
template <class Scalar, class Memory>
struct FillVectors {
  Kokkos::View<Scalar*, Memory> values;
  std::int64_t size;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t j = n / size, e = n % size;
    values(static_cast<std::size_t>(n)) = e % (j + 2) == 0 ? Scalar(-1) : Scalar(1);
  }
};

/// The orthogonalisation alone, of as many vectors.
template <class Space, class Scalar>
struct Orthogonalisation {
  using execution_space = Space;
  using Memory = typename Space::memory_space;
  static constexpr int steps = restart;

  explicit Orthogonalisation(const GmresSize& size)
      : length(static_cast<std::size_t>(size.mesh.num_rows()) *
               static_cast<std::size_t>(size.block_size) / 32 * 32),
        vectors("Lamina::Perf::vectors", length * (restart + 1)),
        scalars("Lamina::Perf::scalars", (restart + 1) * (restart + 2)),
        lower("Lamina::Perf::lower", restart * restart),
        update("Lamina::Perf::update", restart + 2),
        parts("Lamina::Perf::parts",
              static_cast<std::size_t>(Basis::num_sums(restart)) * Impl::max_basis_parts) {}
  static std::string name() {
    return std::string("Gmres/orthogonalisation<") + scalar_name<Scalar> + ',' + Space::name() +
           '>';
  }
  void prepare() {
    // u_j is 1 but for every (j + 2)nd value
    const auto values = vectors;
    const std::size_t size = length;
    const Space instance = space;
    Kokkos::parallel_for("Lamina::Perf::fill",
                         Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                             instance, 0, static_cast<std::int64_t>(values.extent(0))),
                         FillVectors<Scalar, Memory>{values, static_cast<std::int64_t>(size)});
    const auto norm = std::sqrt(static_cast<double>(size));
    Kokkos::deep_copy(space, scalars, norm);
  }
  void run() {
    for (int j = 0; j < restart; ++j) {
      Impl::BasisKernels<Space, Scalar>::orthogonalise(space, basis(), j);
    }
  }
  KernelCost cost() const {
    const double mean = (restart + 1) / 2.0, size = static_cast<double>(length);
    return {"", size * sizeof(Scalar) * (2 * mean + 3), size * (6 * mean + 5)};
  }
  std::string error() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scalars);
    const double last = host(restart);  // the norm of u_29, to which u_30 was added
    return std::isfinite(last) && last > 0 ? "" : "wrong result: norm " + std::to_string(last);
  }

 private:
  using Basis = Impl::KrylovBasis<Scalar>;
  Basis basis() const {
    return {vectors.data(),
            static_cast<std::int64_t>(length),
            static_cast<std::int64_t>(length),
            restart,
            scalars.data(),
            lower.data(),
            update.data(),
            parts.data()};
  }

 public:
  Space space{};

 private:
  std::size_t length;
  Kokkos::View<Scalar*, Memory> vectors;
  Kokkos::View<double*, Memory> scalars, lower, update, parts;
};

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space)                                 \
  {                                                            \
    const auto sizes = sizes_for(runs_on_host<Space>);         \
    register_subject<Iterations<Space>>(sizes);                \
    register_subject<Parts<Space>>(sizes);                     \
    register_subject<Orthogonalisation<Space, double>>(sizes); \
    register_subject<Orthogonalisation<Space, float>>(sizes);  \
  }
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
