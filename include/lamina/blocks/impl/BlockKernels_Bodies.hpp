// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/blocks/impl/rows/BlockRows_Device.hpp>
#include <lamina/blocks/impl/rows/BlockRows_Host.hpp>
#include <lamina/blocks/impl/rows/ManyRhs.hpp>
#include <lamina/blocks/impl/slices/BlockSlices_Device.hpp>
#include <lamina/blocks/impl/slices/FillSlices_Device.hpp>
#include <lamina/blocks/impl/values/LostValues.hpp>
#include <lamina/blocks/impl/values/PrepareBlocks.hpp>
#include <lamina/blocks/impl/values/RoundRows.hpp>
#include <lamina/blocks/impl/values/UpdateRows.hpp>
#include <lamina/core/impl/SafeNorm.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// The rows of a task, shared by workers.
template <class Scalar, class OffDiagonal, int Bytes, int Vectors, int Size>
struct HostRowsKernel {
  using value_type = double;

  BlockRows<Scalar, OffDiagonal> matrix;
  RowTask<Scalar> task;
  int workers;

  void operator()(int worker) const { run(worker); }
  void operator()(int worker, double& sum) const { sum += run(worker); }

 private:
  double run(int worker) const {
#if LAMINA_DEVICE_PASS
    return worker;  // never called
#else
    const WorkRange share = share_of(worker, workers, task.last - task.first);
    const std::int64_t first = task.first + share.begin, last = task.first + share.end;
    if (task.num_rhs == 1) return run_sides<1>(task, first, last);
    // Some rows at a time: their blocks stay in cache for all right-hand sides.
    const std::int64_t stretch = rows_in_cache();
    for (std::int64_t i = first; i < last; i += stretch) {
      for (int r = 0; r < task.num_rhs;) {
        r += run_some_sides<most_sides>(r, i, std::min(i + stretch, last));
      }
    }
    return 0;
#endif
  }
#if !LAMINA_DEVICE_PASS
  /// Processors with vectors of 64 bytes have 32 vector registers.
  static constexpr int most_sides =
      BlockHostTuning::most_sides(Vectors, vector_bytes == 64 ? 32 : 16);

  template <int Sides>
  double run_sides(const RowTask<Scalar>& some, std::int64_t first, std::int64_t last) const {
    using Rows = HostBlockRows<Scalar, OffDiagonal, Bytes, Vectors, Size, Sides>;
    alignas(vector_bytes) Scalar scratch[Rows::scratch_values];
    return Rows(matrix, some, scratch).run(first, last);
  }
  /// \return how many right-hand sides from r on were done, a power of two of at most `Sides`
  template <int Sides>
  int run_some_sides(int r, std::int64_t first, std::int64_t last) const {
    if constexpr (Sides > 1) {
      if (task.num_rhs - r < Sides) return run_some_sides<Sides / 2>(r, first, last);
    }
    RowTask<Scalar> some = task;
    const std::int64_t component = std::int64_t{r} * matrix.size;
    some.b = from_component(task.b, component);
    some.x = from_component(task.x, component);
    some.y = from_component(task.y, component);
    run_sides<Sides>(some, first, last);
    return Sides;
  }
#endif
  /// Rows of the mean length that fill the share of the cache.
  std::int64_t rows_in_cache() const {
    constexpr double cache_bytes = BlockHostTuning::cache_bytes;
    const double blocks = static_cast<double>(matrix.num_blocks) / matrix.num_rows,
                 bytes = (blocks * sizeof(OffDiagonal) + sizeof(Scalar)) *
                         static_cast<double>(matrix.block_values());
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(cache_bytes / bytes));
  }
};

/// Calls launch(kernel) with the kernel that is compiled for the size of the blocks.
template <class Scalar, class OffDiagonal, class Launch>
void with_host_kernel(const BlockRows<Scalar, OffDiagonal>& matrix, const RowTask<Scalar>& task,
                      int workers, const Launch& launch) {
  using std::integral_constant;
  const auto with = [&](auto bytes, auto vectors, auto size) {
    launch(HostRowsKernel<Scalar, OffDiagonal, bytes, vectors, size>{matrix, task, workers});
  };
  const auto with_size = [&](auto size) {
    constexpr int bytes = row_vector_bytes<Scalar>(size), lanes = bytes / int{sizeof(Scalar)};
    with(integral_constant<int, bytes>{}, integral_constant<int, (size + lanes - 1) / lanes>{},
         size);
  };
  // Common small sizes: their loops over columns are too short to hide the cost of the loop.
  switch (matrix.size) {
    case 1: return with_size(integral_constant<int, 1>{});
    case 2: return with_size(integral_constant<int, 2>{});
    case 3: return with_size(integral_constant<int, 3>{});
    case 4: return with_size(integral_constant<int, 4>{});
    case 5: return with_size(integral_constant<int, 5>{});
    case 6: return with_size(integral_constant<int, 6>{});
    case 7: return with_size(integral_constant<int, 7>{});
    case 8: return with_size(integral_constant<int, 8>{});
    case 9: return with_size(integral_constant<int, 9>{});
    case 10: return with_size(integral_constant<int, 10>{});
    case 11: return with_size(integral_constant<int, 11>{});
    case 12: return with_size(integral_constant<int, 12>{});
    case 13: return with_size(integral_constant<int, 13>{});
    case 14: return with_size(integral_constant<int, 14>{});
    case 15: return with_size(integral_constant<int, 15>{});
    case 16: return with_size(integral_constant<int, 16>{});
    default: break;
  }
  constexpr int bytes = row_vector_bytes<Scalar>(max_block_size),
                lanes = bytes / int{sizeof(Scalar)};
  const auto with_vectors = [&](auto vectors) {
    with(integral_constant<int, bytes>{}, vectors, integral_constant<int, 0>{});
  };
  const int rest = (matrix.size - 1) % (BlockHostTuning::stripe_vectors * lanes) + 1;
  switch ((rest + lanes - 1) / lanes) {
    case 1: return with_vectors(integral_constant<int, 1>{});
    case 2: return with_vectors(integral_constant<int, 2>{});
    case 3: return with_vectors(integral_constant<int, 3>{});
    case 4: return with_vectors(integral_constant<int, 4>{});
    case 5: return with_vectors(integral_constant<int, 5>{});
    case 6: return with_vectors(integral_constant<int, 6>{});
    case 7: return with_vectors(integral_constant<int, 7>{});
    default: return with_vectors(integral_constant<int, 8>{});
  }
}

}  // namespace LAMINA_LANES

/// Workers for `rows` block rows. Few rows are not worth waking all workers.
template <class Space>
int row_workers(const Space& space, int rows) {
  const auto most = static_cast<int>(ceil_divide(rows, BlockHostTuning::least_rows));
  return std::max(1, std::min(static_cast<int>(space.concurrency()), most));
}

template <class Space, class Scalar, class OffDiagonal>
void BlockKernels<Space, Scalar, OffDiagonal>::run(const char* label, const Space& space,
                                                   const Matrix& matrix,
                                                   const RowTask<Scalar>& task,
                                                   LaunchGraph<Space>* graph) {
  const int rows = task.last - task.first;
  if (rows == 0) return;
  if constexpr (runs_on_host<Space>) {
    const int workers = row_workers(space, rows);
    with_host_kernel(matrix, task, workers, [&](const auto& kernel) {
      Kokkos::parallel_for(label, range_of(space, workers), kernel);
    });
  } else if (task.num_rhs > 1) {
    run_many_rhs(label, space, matrix, task);
  } else {
    const KernelStart start = task.follows ? KernelStart::overlapped : KernelStart::in_turn;
    with_device_rows<true>(
        space, matrix, task,
        [&]<unsigned MaxThreads, unsigned MinTeams, class Kernel>(
            int teams, int team_size, std::size_t scratch_bytes, const Kernel& kernel) {
          launch_teams<MaxThreads, MinTeams>(label, space, teams, team_size, scratch_bytes, kernel,
                                             start, graph);
        });
  }
}

template <class Space, class Scalar, class OffDiagonal>
double BlockKernels<Space, Scalar, OffDiagonal>::norm(const char* label, const Space& space,
                                                      const Matrix& matrix, RowTask<Scalar> task) {
  return safe_norm([&](double factor) {
    task.sum_factor = factor;
    return sum_of_squares(label, space, matrix, task);
  });
}

template <class Space, class Scalar, class OffDiagonal>
double BlockKernels<Space, Scalar, OffDiagonal>::sum_of_squares(const char* label,
                                                                const Space& space,
                                                                const Matrix& matrix,
                                                                const RowTask<Scalar>& task) {
  const int rows = task.last - task.first;
  double sum = 0;
  if (rows == 0) return sum;
  if constexpr (runs_on_host<Space>) {
    const int workers = row_workers(space, rows);
    with_host_kernel(matrix, task, workers, [&](const auto& kernel) {
      Kokkos::parallel_reduce(label, range_of(space, workers), kernel, sum);
    });
  } else {
    with_device_rows<false>(
        space, matrix, task,
        [&]<unsigned MaxThreads, unsigned MinTeams, class Kernel>(
            int teams, int team_size, std::size_t scratch_bytes, const Kernel& kernel) {
          Kokkos::parallel_reduce(
              label, kokkos_teams<MaxThreads, MinTeams>(space, teams, team_size, scratch_bytes),
              KokkosTeamKernel<Kernel>{kernel, scratch_bytes}, sum);
        });
  }
  return sum;
}

template <class Space, class Scalar, class OffDiagonal>
void SliceKernels<Space, Scalar, OffDiagonal>::fill(const Space& space,
                                                    const BlockRows<Scalar, OffDiagonal>& matrix,
                                                    const BlockUpdate<Scalar, OffDiagonal>& update,
                                                    const Scalar* inverses, const Rows& slices) {
  fill_slices(space, matrix, update, inverses, slices);
}

template <class Space, class Scalar, class OffDiagonal>
void SliceKernels<Space, Scalar, OffDiagonal>::sweep(const char* label, const Space& space,
                                                     const Rows& slices, int first, int last,
                                                     int splits, const BlockVector<const Scalar>& b,
                                                     const BlockVector<Scalar>& x, int num_rhs,
                                                     LaunchGraph<Space>* graph) {
  launch_slices(label, space, slices, first, last, splits, b, x, num_rhs, graph);
}

template <class Space, class Scalar, class OffDiagonal>
void SliceKernels<Space, Scalar, OffDiagonal>::sweep_of_rank(const char* label, const Space& space,
                                                             const Rows& slices, int first,
                                                             int others, int last, int splits,
                                                             const BlockVector<const Scalar>& b,
                                                             const BlockVector<Scalar>& x,
                                                             const RemoteRows<Scalar>& remote) {
  launch_slices_of_rank(label, space, slices, first, others, last, splits, b, x, remote);
}

template <class From, class To>
struct GatherBlocks {
  int block_values;
  const std::int64_t* sources;
  const From* from;
  To* to;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t block = n / block_values;
    to[n] = static_cast<To>(from[sources[block] * block_values + n % block_values]);
  }
};

template <class Space, class From, class To>
void GatherKernels<Space, From, To>::gather(const Space& space, std::int64_t count,
                                            int block_values, const std::int64_t* sources,
                                            const From* from, To* to) {
  Kokkos::parallel_for(
      "Lamina::BlockSparseMatrix::gather",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count * block_values),
      GatherBlocks<From, To>{block_values, sources, from, to});
}

template <class Scalar>
struct AddCorrection {
  int size;
  BlockVector<Scalar> x;
  Scalar* d;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    x.row(n / size)[n % size] += d[n];
    d[n] = Scalar(0);
  }
};

template <class Space, class Scalar>
void CorrectionKernels<Space, Scalar>::add(const Space& space, std::int64_t count, int size,
                                           const BlockVector<Scalar>& x, Scalar* d) {
  Kokkos::parallel_for("Lamina::DefectCorrection::add",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count),
                       AddCorrection<Scalar>{size, x, d});
}

#define LAMINA_EXTERN_BLOCKS(Space)                                    \
  extern template struct BlockKernels<Space, double, Half>;            \
  extern template struct BlockKernels<Space, double, float>;           \
  extern template struct BlockKernels<Space, double, double>;          \
  extern template struct CorrectionKernels<Space, double>;             \
  extern template struct FactorKernels<Space, double>;                 \
  extern template struct GatherKernels<Space, Half, Half>;             \
  extern template struct GatherKernels<Space, float, float>;           \
  extern template struct GatherKernels<Space, double, float>;          \
  extern template struct GatherKernels<Space, double, double>;         \
  extern template struct ListKernels<Space, int>;                      \
  extern template struct ListKernels<Space, std::int64_t>;             \
  extern template struct UpdateKernels<Space, double, Half, Half>;     \
  extern template struct UpdateKernels<Space, double, float, float>;   \
  extern template struct UpdateKernels<Space, double, double, Half>;   \
  extern template struct UpdateKernels<Space, double, double, float>;  \
  extern template struct UpdateKernels<Space, double, double, double>; \
  extern template struct RangeKernels<Space>;                          \
  extern template struct RoundKernels<Space, float>;                   \
  extern template struct RoundKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_BLOCKS)
#undef LAMINA_EXTERN_BLOCKS
#define LAMINA_EXTERN_SLICES(Space)                          \
  extern template struct SliceKernels<Space, double, Half>;  \
  extern template struct SliceKernels<Space, double, float>; \
  extern template struct SliceKernels<Space, double, double>;
LAMINA_IF_DEVICE(LAMINA_EXTERN_SLICES)
#undef LAMINA_EXTERN_SLICES

}  // namespace Lamina::Impl
