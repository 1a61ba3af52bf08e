// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The vendor baseline: the library form of the point-implicit sweep of Zubair et al. (2016) from
// today's cuSPARSE and cuBLAS, beside Lamina's on the same matrix in the same order and run.
//
// The vendor gets the best of each: both sparse products of cuSPARSE, calls on a stream and one
// launch of a CUDA graph for the whole sweep, and all single precision as in the paper. Lamina's
// calls make a graph by themselves; captured in another one its kernels are launched one by one.

#include "Vendor_PointImplicit.hpp"

#include <cstdio>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../support/Program.hpp"
#include "VendorKernels.hpp"
#include "VendorMeasure.hpp"
#include "VendorSweep.hpp"

namespace Lamina::Perf {
namespace {

using System = BlockSystem<Kokkos::Cuda, float>;

// --- Times ---

/// Of one call of `sweep`; so many make up a run that fences hardly count.
template <class Sweep>
SweepTimes times_of(const VendorContext& context, const Sweep& sweep) {
  constexpr double run_seconds = 2e-3;
  constexpr int most_sweeps = 20;
  sweep();  // loads kernels
  const double once = seconds_of(context.space(), sweep);
  const int count = std::clamp(static_cast<int>(run_seconds / once), 1, most_sweeps);
  const auto seconds = [&](const auto& work) {
    return median_seconds(context.space(),
                          [&] {
                            for (int n = 0; n < count; ++n) work();
                          }) /
           count;
  };
  // On an H200 the first dozens of sweeps take up to 8 % longer, whatever launches them
  constexpr double settling_seconds = 0.1;
  for (const Kokkos::Timer timer; timer.seconds() < settling_seconds;) seconds(sweep);
  SweepTimes times;
  times.stream = seconds(sweep);
  try {
    const VendorGraph graph(context, sweep);
    times.graph = seconds([&] { graph.launch(); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "  not captured: %s\n", error.what());
    (void)cudaGetLastError();  // so that the next call does not find it
  }
  return times;
}

// --- The vendor ---

template <class Scalar>
double tolerance_of(int block_size) {
  return 100 * std::sqrt(block_size) * std::numeric_limits<Scalar>::epsilon();
}

template <class Scalar>
void measure_product(const VendorContext& context, const VendorBlocks<Scalar>& blocks,
                     const ColouredMesh& mesh, const VendorArray<Scalar>& b,
                     const System::Field& expected, VendorSweepResult& result) {
  const auto product =
      result.product == "spmv" ? VendorBlockProduct::spmv : VendorBlockProduct::bsrmv;
  const VendorSweep<Scalar> vendor(context, blocks, mesh.ordering(), mesh.graph().offsets, product);
  for (int n = 0; n < compared_sweeps; ++n) vendor.sweep(b.data());  // from x = 0
  result.difference = relative_difference(context.space(), vendor.x(), expected);
  result.agrees = result.difference <= tolerance_of<Scalar>(blocks.block_size());
  result.times = times_of(context, [&] { vendor.sweep(b.data()); });
}

/// \param expected  x after `compared_sweeps`
template <class Scalar>
void measure_vendor(const VendorContext& context, const ColouredMesh& mesh, const System& system,
                    const System::Field& expected, std::vector<VendorSweepResult>& results) {
  const int size = system.solver.coloured_matrix().block_size();
  std::vector<const char*> products;
  if (size > 1) products.push_back("bsrmv");
  if (size == 1 || vendor_spmv_takes_blocks) products.push_back("spmv");
  std::optional<VendorBlocks<Scalar>> blocks;
  for (const char* product : products) {
    VendorSweepResult result;
    result.precision = std::is_same_v<Scalar, float> ? "single" : "double";
    result.product = product;
    try {
      if (!blocks) blocks.emplace(context, system.solver.coloured_matrix());
      const VendorArray<Scalar> b("Lamina::Perf::b", system.b.size());
      Kokkos::deep_copy(b, VendorArray<const double>(system.b.data(), system.b.size()));
      Kokkos::fence();
      measure_product(context, *blocks, mesh, b, expected, result);
    } catch (const std::exception& error) {
      result.failure = first_line(error.what());
      (void)cudaGetLastError();  // so that the next routine does not find it
    }
    results.push_back(result);
  }
}

// --- One size ---

SweepCase measure_case(const VendorContext& context, const ColouredMesh& mesh, int block_size,
                       bool with_kernels) {
  std::fprintf(stderr, "nb %d, %d rows\n", block_size, mesh.size().num_rows());
  SweepCase result;
  result.block_size = block_size;
  result.mesh = mesh.size();
  result.num_colours = mesh.ordering().num_colours();
  const Kokkos::Timer timer;
  const System system(context.space(), mesh, block_size, BlockInverse::inverse);
  result.setup_seconds = timer.seconds();
  result.num_blocks = system.solver.coloured_matrix().num_blocks();
  result.bytes = system.solver.sweep_cost().bytes;

  const auto x = system.make_field("x");
  Kokkos::fence();  // x was filled on another stream
  const SolveReport report = system.solver.solve_in_colour_order(
      context.space(), system.b, x, StoppingCriteria::iterations(compared_sweeps));
  result.residual = report.relative_residual();
  measure_vendor<float>(context, mesh, system, x, result.vendor);
  measure_vendor<double>(context, mesh, system, x, result.vendor);
  if (with_kernels) {
    result.kernels = measure_kernels(system);
  } else {
    result.kernels.failure = "left out";
  }
  // Last, so that what is captured is no other's start
  result.lamina =
      times_of(context, [&] { system.solver.sweep_in_colour_order(context.space(), system.b, x); });
  return result;
}

/// The sizes of the paper's that fit blocks of a size.
std::vector<MeshSize> default_meshes(int block_size) {
  constexpr MeshSize small{19, 18, 18}, medium{36, 36, 36}, large{59, 59, 58},
      largest{100, 100, 98};
  std::vector<MeshSize> sizes{block_size <= 16 ? largest : block_size <= 32 ? large : medium};
  for (const int nb : {2, 5, 8, 16, 32, 64}) {
    if (nb == block_size) sizes.push_back(small);
  }
  return sizes;
}

struct Work {
  MeshSize mesh;
  int block_size;
};
/// By mesh, the largest first, so that each is made once.
std::vector<Work> work_of(const SweepSettings& settings) {
  std::vector<int> block_sizes = settings.block_sizes;
  if (block_sizes.empty()) block_sizes = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 47, 64};
  std::vector<Work> work;
  for (const int nb : block_sizes) {
    const auto meshes =
        settings.has_mesh ? std::vector<MeshSize>{settings.mesh} : default_meshes(nb);
    for (const MeshSize& mesh : meshes) work.push_back({mesh, nb});
  }
  std::stable_sort(work.begin(), work.end(), [](const Work& left, const Work& right) {
    return left.mesh.num_rows() > right.mesh.num_rows();
  });
  return work;
}

int run(const SweepSettings& settings) {
  const Kokkos::Timer timer;
  const VendorContext context;
  const VendorVersions versions = vendor_versions(context);
  const double copy = copy_gb_per_s(context.space());
  print_sweep_heads(versions, copy);
  std::vector<SweepCase> cases;
  std::optional<ColouredMesh> mesh;
  for (const auto& [size, block_size] : work_of(settings)) {
    if (!mesh || mesh->size() != size) mesh.emplace(size);
    cases.push_back(measure_case(context, *mesh, block_size, settings.with_kernels));
    print_sweep_case(cases.back(), copy);
  }
  std::printf("\n");
  const bool sound = print_sweep_faults(cases);
  if (!settings.json.empty()) write_sweep_json(settings.json, versions, copy, cases);
  std::fprintf(stderr, "%.1f s in all\n", timer.seconds());
  return sound ? 0 : 1;
}

// --- Options ---

void set_mesh(SweepSettings& settings, const std::string& option, OptionValues& values) {
  for (int* extent : {&settings.mesh.num_x, &settings.mesh.num_y, &settings.mesh.num_z}) {
    *extent = values.number(option, 1, 1024);
  }
  settings.has_mesh = true;
}

Setters<SweepSettings> setters() {
  return {{"--generate", set_mesh},
          {"--block-sizes", [](auto& s, const auto& o,
                               auto& v) { s.block_sizes = v.numbers(o, 1, max_block_size); }},
          {"--without-kokkos-kernels", [](auto& s, const auto&, auto&) { s.with_kernels = false; }},
          {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: lamina_vendor_point_implicit [options]\n"
      "  --generate NX NY NZ       vertices of the mesh [several, as they fit the block size]\n"
      "  --block-sizes N,N,...     [1,2,3,4,5,6,7,8,10,12,16,20,24,32,47,64]\n"
      "  --without-kokkos-kernels  cuSPARSE and cuBLAS alone\n"
      "  --json FILE\n");
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_program("lamina_vendor_point_implicit", argc, argv, setters(), print_usage, run);
}
