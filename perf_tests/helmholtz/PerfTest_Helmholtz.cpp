// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The kernels of the anisotropic elliptic problem: operator, line preconditioner and the two fused
// sweeps, and the assembled matrix beside them.

#include <lamina/core/impl/Instantiate.hpp>
#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>

#include "../support/PanelCase.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// The paper's panel, and one of awkward extents.
const std::vector<PanelSize> sizes{{256, 256, 128}, {253, 257, 127}};

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

  double volume(std::size_t column, std::size_t k) const {
    const int num_y = this->panel.num_y(), c = static_cast<int>(column);
    return this->panel.area(c / num_y, c % num_y) * this->grid.volume(static_cast<int>(k));
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
      return this->grid.volume(k) * (this->panel.area(i, j) + this->parameters.omega2 * total);
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
  void run() { lines.solve(this->space, r, z); }
  KernelCost cost() const {
    return cost_of(lines.kernel_costs(), "Lamina::LinePreconditioner::solve");
  }
  std::string error() const { return this->error_of_ones(z); }
  LinePreconditioner<typename Case::Scalar, typename Case::Memory> lines;
  typename Case::Field r, z;
};

/// A step whose alpha and beta are too small to change anything, so that a sweep can be repeated.
template <class Case>
struct FusedSubject : KernelSubject<Case> {
  explicit FusedSubject(const PanelSize& size)
      : KernelSubject<Case>(size), model(this->space, this->op) {
    const auto host = Kokkos::create_mirror_view(rows);
    const double values[] = {1, tiny, 1, 1, tiny * tiny, 0};
    for (std::size_t i = 0; i < host.extent(0); ++i) host(i) = values[i];
    Kokkos::deep_copy(rows, host);
  }
  FusedStep<typename Case::Memory> step() const {
    return {.first = rows.data(),
            .before = rows.data(),
            .now = rows.data() + 3,
            .is_first = false,
            .is_last = false,
            .tolerance2 = 0,
            .absolute2 = 0};
  }
  KernelCost cost_of_sweep(const char* label) const { return cost_of(model.kernel_costs(), label); }

  static constexpr double tiny = 1e-25;
  FusedHelmholtz<typename Case::Scalar, typename Case::Memory> model;
  Kokkos::View<double*, typename Case::Memory> rows{"Lamina::Perf::rows", 6};
};

template <class Case>
struct FusedPrecondition : FusedSubject<Case> {
  explicit FusedPrecondition(const PanelSize& size)
      : FusedSubject<Case>(size), q(this->ones()), r(this->row_sums()), z(this->zeros()) {}
  static std::string name() { return "Helmholtz/fused_precondition<" + Case::type_names() + '>'; }
  void run() {
    this->model.precondition(this->space, this->step(), Impl::as_const_field(q), Impl::as_field(r),
                             Impl::as_field(z));
  }
  KernelCost cost() const { return this->cost_of_sweep("Lamina::FusedHelmholtz::precondition"); }
  std::string error() const { return this->error_of_ones(z); }
  typename Case::Field q, r, z;
};

template <class Case>
struct FusedAdvance : FusedSubject<Case> {
  explicit FusedAdvance(const PanelSize& size)
      : FusedSubject<Case>(size),
        z(this->ones()),
        u(this->zeros()),
        p(this->zeros()),
        q(this->zeros()) {}
  static std::string name() { return "Helmholtz/fused_advance<" + Case::type_names() + '>'; }
  void run() {
    this->model.advance(this->space, this->step(), Impl::as_const_field(z), Impl::as_field(u),
                        Impl::as_field(p), Impl::as_field(q));
  }
  KernelCost cost() const { return this->cost_of_sweep("Lamina::FusedHelmholtz::advance"); }
  std::string error() const {
    return this->error_of_image(q, allowed_error<typename Case::Scalar>);
  }
  typename Case::Field z, u, p, q;
};

template <class Case>
void register_case() {
  register_subject<Apply<Case>>(sizes);
  register_subject<CsrApply<Case>>(sizes);
  register_subject<Precondition<Case>>(sizes);
  register_subject<FusedPrecondition<Case>>(sizes);
  register_subject<FusedAdvance<Case>>(sizes);
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space, Scalar, Layout) register_case<PanelCase<Space, Scalar, Layout>>();
  LAMINA_FOR_EACH_FIELD(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
