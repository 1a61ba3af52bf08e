// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/ResidentTeams.hpp>
#include <lamina/device/impl/SideInstance.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/poisson/PoissonOperator.hpp>

#include <string>

namespace Lamina {

/// Whether the vectors of `FusedPcg` stay on the chip of a device.
enum class OnChip {
  automatic,  ///< where they fit
  never
};

/// The sweeps of `FusedPcg` for `PoissonOperator`, without a preconditioner. It is a model of
/// `FusedModel` with vectors of its own. An iteration reads or writes 6 fields.
///
/// Fields of either layout are as fast on a square. On other rectangles those of `LayoutLeft` are turned
/// round at both ends of a solve.
///
/// \par On chip
/// On a CUDA device all iterations between two looks of the host may be one kernel, which reads and
/// writes three fields in all (see `FusedModel`). It needs `StencilMemory::automatic`, and
/// fields that fit into the scratch memories of all multiprocessors together: three fields and some
/// lines, a square of n <= 1034 in double precision on an H200. Its iterates are the same, but sums have
/// another order. It starts when all multiprocessors are free of other streams.
///
/// \par Several ranks
/// Fields b and x are those of the operator of a rank: owned columns i, then halo columns, which are
/// not read. An iteration exchanges the halo columns of r once, and adds up its scalars once. Lines
/// beside cuts are advanced first, and sent while the others are computed. Nothing stays on the chip.
/// Each rank forms p = r + beta p on its halo columns itself, from the bits of their owner.
template <FieldScalar Scalar, MemorySpace Memory>
class FusedPoisson {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  /// (i, j). Rows, the lines of the grid, are aligned for vectors and wide accesses. They are not a
  /// multiple of 4 KiB apart, because neighbouring lines would then compete for the same sets of a
  /// cache. The padding behind the values of a line stays 0.
  using vector_type = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>;

  /// Allocates scratch for `space`. Copies share it: one solve runs at a time, on one instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> FusedPoisson(const Space& space,
                                               const PoissonOperator<Scalar, Memory>& op,
                                               OnChip on_chip = OnChip::automatic);
  /// Over several ranks.
  /// \param ranks  the decomposition of the operator's `LocalRectangle`
  /// \throws InvalidArgument where `ranks` is that of another number of columns, and where the
  ///   operator has halo columns and there is one process. So does the other constructor.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> FusedPoisson(const Space& space,
                                               const PoissonOperator<Scalar, Memory>& op,
                                               const Decomposition<Memory>& ranks);

  /// See `FusedModel`.
  const Decomposition<Memory>& decomposition() const { return m_ranks; }
  int num_owned() const { return m_operator.num_owned(); }

  vector_type make_vector(const std::string& label) const;

  /// \throws InvalidArgument where a field is not of the operator's columns and levels.
  template <class FieldType>
  void require_field(const char* function, const char* argument, const FieldType& field) const;

  /// u = x;  r = b - A x.
  template <ExecutionSpace Space, class In>
  void start(const Space& space, const In& b, const In& x, const vector_type& u,
             const vector_type& r) const;

  /// u += along_p p;  r = b - A u.
  template <ExecutionSpace Space, class In>
  void residual(const Space& space, const FusedEnd<Scalar>& end, const In& b, const vector_type& p,
                const vector_type& u, const vector_type& r) const;

  /// Row n: <r, r> twice, <r, A r>.
  template <ExecutionSpace Space>
  void measure(const Space& space, const FusedStep<Memory>& step, const vector_type& r) const;

  /// p' = r + beta p;  r' = r - alpha A p';  row n: <p', A p'>.
  /// With `update` also u += alpha_before p + alpha p'.
  template <ExecutionSpace Space>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const vector_type& r,
               const vector_type& p, const vector_type& new_p, const vector_type& new_r,
               const vector_type& u) const;

  /// Whether `iterate` takes the place of `measure` and `advance`.
  bool in_stretches() const { return m_resident_teams > 0; }

  /// Does the work of `measure` and `advance` in the passes first <= n <= last of `steps`. Pass n
  /// reads residuals[n % 2] and directions[(n + 1) % 2].
  /// \throws std::runtime_error where CUDA refuses the kernel
  template <ExecutionSpace Space>
  requires Impl::has_resident_teams<Space>
  void iterate(const Space& space, const FusedSteps<Memory>& steps, int first, int last,
               const Kokkos::Array<vector_type, 2>& residuals,
               const Kokkos::Array<vector_type, 2>& directions, const vector_type& u) const;

  /// x = u + along_p p + along_z r.
  template <ExecutionSpace Space, class Out>
  void finish(const Space& space, const FusedEnd<Scalar>& end, const vector_type& p,
              const vector_type& r, const vector_type& u, const Out& x) const;

  /// Costs of the kernels, by label. That of `iterate` is for one pass.
  std::vector<KernelCost> kernel_costs() const;

 private:
  /// That of the vectors.
  Impl::Grid grid() const { return m_operator.template grid<Kokkos::LayoutRight>(); }
  /// Whether the lines of a user's field are those of vectors. On a square both directions are alike,
  /// unless it is a part.
  template <class FieldType>
  bool in_lines(const FieldType&) const {
    return Impl::levels_contiguous<typename FieldType::array_layout> ||
           (m_ranks.halo.empty() && m_operator.rectangle().is_square());
  }
  /// Updates the halo columns of a vector: beside `finish` other work may be done.
  template <class Space>
  void start_exchange(const Space& space, const vector_type& vector) const;
  template <class Space>
  void exchange(const Space& space, const vector_type& vector) const;
  /// The cells of a user's field by those of vectors.
  template <class FieldType>
  auto cells(const FieldType& field) const {
    return Impl::cells_of_lines(Impl::lines_of(field), in_lines(field));
  }

  PoissonOperator<Scalar, Memory> m_operator;
  Decomposition<Memory> m_ranks;
  Impl::SideInstance<typename Memory::execution_space> m_side;  // for what is sent
  Impl::TeamParts<Memory> m_parts;                              // of the sums, on a device
  int m_resident_teams = 0;  // most teams of `iterate`; 0: not used
};

}  // namespace Lamina

#include <lamina/poisson/impl/FusedPoisson_Impl.hpp>
