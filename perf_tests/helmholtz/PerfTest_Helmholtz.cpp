// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The kernels of the anisotropic elliptic problem: operator, line preconditioner and the sweeps of
// both fused solvers, and the assembled matrix beside them.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>

#include <array>
#include <cmath>
#include <cstddef>

#include "../support/MeasuredSpaces.hpp"
#include "../support/PanelCase.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// Rounding that is allowed in a field that should be known: of float, or double.
template <class Scalar>
inline constexpr double allowed_error = std::is_same_v<Scalar, float> ? 1e-3 : 1e-9;

/// Fields of which A and M^-1 make known ones: A 1 are the volumes of the cells, and M^-1 of
/// `row_sums` is 1.
template <class Case>
struct KernelSubject : Case {
  using Case::Case;
  static constexpr int steps = 1;
  void prepare() {}

  std::vector<double> areas{this->panel.areas()};

  double volume(std::size_t column, std::size_t k) const {
    return areas[column] * this->grid.volume(static_cast<int>(k));
  }
  double total_volume() const {
    double total = 0;
    for (std::size_t column = 0; column < static_cast<std::size_t>(this->panel.num_columns());
         ++column) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(this->grid.num_levels()); ++k) {
        total += volume(column, k);
      }
    }
    return total;
  }
  typename Case::Field ones() const {
    return this->filled_field("Lamina::Perf::ones", [](int, int, int) { return 1.0; });
  }
  typename Case::Field zeros() const { return this->make_field("Lamina::Perf::zeros"); }
  /// M 1 = |T| V_k + omega^2 V_k sum_n alpha_n
  typename Case::Field row_sums() const {
    const auto couplings =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), this->mesh.couplings());
    return this->filled_field("Lamina::Perf::row_sums", [&](int i, int j, int k) {
      const int column = this->panel.column(i, j);
      double total = 0;
      for (std::size_t n = 0; n < couplings.extent(1); ++n) total += couplings(column, n);
      return this->grid.volume(k) *
             (areas[static_cast<std::size_t>(column)] + this->parameters.omega2 * total);
    });
  }
  template <class Field>
  std::string error_of_image(const Field& y, double allowed) const {
    return error_above(allowed, worst_ratio(y, [&](auto c, auto k) { return volume(c, k); }));
  }
  template <class Field>
  std::string error_of_ones(const Field& z) const {
    const double allowed = allowed_error<typename Case::Scalar>;
    return error_above(allowed, worst_ratio(z, [](auto, auto) { return 1.0; }));
  }
};

template <class Case>
struct Apply : KernelSubject<Case> {
  explicit Apply(const PanelSize& size)
      : KernelSubject<Case>(size), x(this->ones()), y(this->zeros()) {}
  static std::string name() { return "Helmholtz/apply<" + Case::type_names() + '>'; }
  void run() { this->op.apply(this->space, x, y); }
  KernelCost cost() const {
    return cost_of(this->op.kernel_costs(), "Lamina::HelmholtzOperator::apply");
  }
  std::string error() const {
    return this->error_of_image(y, allowed_error<typename Case::Scalar>);
  }
  typename Case::Field x, y;
};

template <class Case>
struct CsrApply : KernelSubject<Case> {
  explicit CsrApply(const PanelSize& size)
      : KernelSubject<Case>(size),
        matrix(this->space, this->mesh, this->grid, this->parameters),
        x(this->ones()),
        y(this->zeros()) {}
  static std::string name() { return "Helmholtz/csr_apply<" + Case::type_names() + '>'; }
  void run() { matrix.apply(this->space, x, y); }
  KernelCost cost() const { return cost_of(matrix.kernel_costs(), "Lamina::CsrHelmholtz::apply"); }
  std::string error() const {
    // The assembled diagonal keeps few digits of the row sum, in single precision none
    return std::is_same_v<typename Case::Scalar, float> ? "" : this->error_of_image(y, 1e-4);
  }
  CsrHelmholtz<typename Case::Scalar, typename Case::Layout, typename Case::execution_space> matrix;
  typename Case::Field x, y;
};

template <class Case>
struct Precondition : KernelSubject<Case> {
  explicit Precondition(const PanelSize& size)
      : KernelSubject<Case>(size),
        lines(this->space, this->op),
        r(this->row_sums()),
        z(this->zeros()) {}
  static std::string name() { return "Helmholtz/precondition<" + Case::type_names() + '>'; }
  static constexpr int steps = solves_together<typename Case::execution_space>;
  void run() {
    for (int n = 0; n < steps; ++n) lines.solve(this->space, r, z);
  }
  KernelCost cost() const {
    return cost_of(lines.kernel_costs(), "Lamina::LinePreconditioner::solve");
  }
  std::string error() const { return this->error_of_ones(z); }
  LinePreconditioner<typename Case::Scalar, typename Case::Memory> lines;
  typename Case::Field r, z;
};

/// A pass whose alpha and beta are too small to change anything, so that a sweep can be repeated. Its
/// energy suits fields of ones: kernels scale what they square by it.
template <class Case, template <class, class> class Model>
struct SweepSubject : KernelSubject<Case> {
  using Step = FusedStep<typename Case::Memory>;
  /// Fields as solvers hand them to models.
  using In = FieldView<const typename Case::Scalar, typename Case::Layout, typename Case::Memory>;
  using Out = FieldView<typename Case::Scalar, typename Case::Layout, typename Case::Memory>;

  explicit SweepSubject(const PanelSize& size)
      : KernelSubject<Case>(size), model(this->space, this->op) {
    const auto host = Kokkos::create_mirror_view(rows);
    // Every sweep finds what it needs in the row before and leaves its sums in the row after.
    using Row = std::array<double, Step::row_length>;
    Row before{}, now{};
    before[Step::residual2] = now[Step::residual2] = 1;
    before[Step::energy] = 1 / tiny;
    before[Step::curvature] = 1 / (tiny * tiny);
    now[Step::energy] = 1;
    now[Step::line_curvature] = 1 / tiny;
    for (std::size_t i = 0; i < Step::row_length; ++i) {
      host(i) = before[i];
      host(Step::row_length + i) = now[i];
    }
    Kokkos::deep_copy(rows, host);
  }
  Step step() const {
    return {.reference = rows.data(),
            .before = rows.data(),
            .now = rows.data() + Step::row_length,
            .next = rows.data() + 2 * Step::row_length,
            .is_first = false,
            .is_last = false,
            .tolerance2 = 0,
            .absolute2 = 0};
  }
  KernelCost cost_of_sweep(const char* label) const { return cost_of(model.kernel_costs(), label); }

  static constexpr double tiny = 1e-25;
  Model<typename Case::Scalar, typename Case::Memory> model;
  Kokkos::View<double*, typename Case::Memory> rows{"Lamina::Perf::rows", 3 * Step::row_length};
};

template <class Case>
struct FusedPrecondition : SweepSubject<Case, FusedHelmholtz> {
  using typename SweepSubject<Case, FusedHelmholtz>::In,
      typename SweepSubject<Case, FusedHelmholtz>::Out;
  explicit FusedPrecondition(const PanelSize& size)
      : SweepSubject<Case, FusedHelmholtz>(size), r(this->row_sums()), z(this->zeros()) {}
  static std::string name() { return "Helmholtz/fused_precondition<" + Case::type_names() + '>'; }
  static constexpr int steps = solves_together<typename Case::execution_space>;
  void run() {
    for (int n = 0; n < steps; ++n) {
      this->model.precondition(this->space, this->step(), In(r), Out(z));
    }
  }
  KernelCost cost() const { return this->cost_of_sweep("Lamina::FusedHelmholtz::precondition"); }
  std::string error() const { return this->error_of_ones(z); }
  typename Case::Field r, z;
};

template <class Case>
struct FusedMeasure : SweepSubject<Case, FusedHelmholtz> {
  using typename SweepSubject<Case, FusedHelmholtz>::In;
  using Step = FusedStep<typename Case::Memory>;

  explicit FusedMeasure(const PanelSize& size)
      : SweepSubject<Case, FusedHelmholtz>(size), z(this->ones()) {}
  static std::string name() { return "Helmholtz/fused_measure<" + Case::type_names() + '>'; }
  void run() { this->model.measure(this->space, this->step(), In(z)); }
  KernelCost cost() const { return this->cost_of_sweep("Lamina::FusedHelmholtz::measure"); }
  std::string error() const {
    // A maps 1 to the cell volumes: <1, A 1> is their sum.
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), this->rows);
    const double measured = host(Step::row_length + Step::line_curvature);
    return error_above(allowed_error<typename Case::Scalar>,
                       std::abs(measured / this->total_volume() - 1));
  }
  typename Case::Field z;
};

/// The sweep with and without the update of the solution, in turn, as two iterations do it.
template <class Case>
struct FusedAdvance : SweepSubject<Case, FusedHelmholtz> {
  using typename SweepSubject<Case, FusedHelmholtz>::In,
      typename SweepSubject<Case, FusedHelmholtz>::Out;
  explicit FusedAdvance(const PanelSize& size)
      : SweepSubject<Case, FusedHelmholtz>(size),
        z(this->ones()),
        p(this->zeros()),
        new_p(this->zeros()),
        r(this->row_sums()),
        u(this->zeros()) {}
  static std::string name() { return "Helmholtz/fused_advance_twice<" + Case::type_names() + '>'; }
  void run() {
    for (const bool update : {false, true}) {
      this->model.advance(this->space, this->step(), update, In(z), In(p), Out(new_p), Out(r),
                          Out(u));
    }
  }
  KernelCost cost() const {
    return sum_of({this->cost_of_sweep("Lamina::FusedHelmholtz::advance"),
                   this->cost_of_sweep("Lamina::FusedHelmholtz::advance_and_update")});
  }
  std::string error() const { return this->error_of_ones(new_p); }
  typename Case::Field z, p, new_p, r, u;
};

template <class Case>
struct StoredPrecondition : SweepSubject<Case, FusedHelmholtzStored> {
  using typename SweepSubject<Case, FusedHelmholtzStored>::In,
      typename SweepSubject<Case, FusedHelmholtzStored>::Out;
  explicit StoredPrecondition(const PanelSize& size)
      : SweepSubject<Case, FusedHelmholtzStored>(size),
        q(this->ones()),
        r(this->row_sums()),
        z(this->zeros()) {}
  static std::string name() { return "Helmholtz/stored_precondition<" + Case::type_names() + '>'; }
  void run() { this->model.precondition(this->space, this->step(), In(q), Out(r), Out(z)); }
  KernelCost cost() const {
    return this->cost_of_sweep("Lamina::FusedHelmholtzStored::precondition");
  }
  std::string error() const { return this->error_of_ones(z); }
  typename Case::Field q, r, z;
};

template <class Case>
struct StoredAdvance : SweepSubject<Case, FusedHelmholtzStored> {
  using typename SweepSubject<Case, FusedHelmholtzStored>::In,
      typename SweepSubject<Case, FusedHelmholtzStored>::Out;
  explicit StoredAdvance(const PanelSize& size)
      : SweepSubject<Case, FusedHelmholtzStored>(size),
        z(this->ones()),
        u(this->zeros()),
        p(this->zeros()),
        q(this->zeros()) {}
  static std::string name() { return "Helmholtz/stored_advance<" + Case::type_names() + '>'; }
  void run() { this->model.advance(this->space, this->step(), In(z), Out(u), Out(p), Out(q)); }
  KernelCost cost() const { return this->cost_of_sweep("Lamina::FusedHelmholtzStored::advance"); }
  std::string error() const {
    return this->error_of_image(q, allowed_error<typename Case::Scalar>);
  }
  typename Case::Field z, u, p, q;
};

template <class Case>
void register_case() {
  const auto sizes = panel_sizes();
  register_subject<Apply<Case>>(sizes);
  register_subject<CsrApply<Case>>(sizes);
  register_subject<Precondition<Case>>(sizes);
  register_subject<FusedPrecondition<Case>>(sizes);
  register_subject<FusedMeasure<Case>>(sizes);
  register_subject<FusedAdvance<Case>>(sizes);
  register_subject<StoredPrecondition<Case>>(sizes);
  register_subject<StoredAdvance<Case>>(sizes);
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space, Scalar, Layout) register_case<PanelCase<Space, Scalar, Layout>>();
  LAMINA_FOR_EACH_FIELD(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
