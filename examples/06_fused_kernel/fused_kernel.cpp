// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel of the application's own that calls device-level functions. A step of air chemistry
// solves, implicitly,
//
//   - the reactions of three species in each cell: one 3 x 3 block, solved by one thread,
//   - then the vertical mixing of each species: one tridiagonal line, solved by the whole team.
//
// A team takes a column and keeps it in scratch memory in between, so that the concentrations
// travel from and to memory once. The same step by LineSolver and a separate kernel must agree.
// The functions return the first pivot that is not usable, or -1; these matrices have good pivots.

#include <lamina/Lamina.hpp>

#include <cmath>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Memory>;

constexpr int num_columns = 500, num_levels = 60, num_species = 3, num_steps = 50;
constexpr int num_segments = 8;                   // of a line, for the threads of a team
constexpr double time_step = 0.1, mixing = -4.0;  // -time_step * diffusivity / thickness^2
using Species = Kokkos::Array<Field, num_species>;

/// x = (1 - time_step R)^-1 x: sunlight turns species 0 into 1, which goes back or becomes 2.
KOKKOS_INLINE_FUNCTION void react(int column, int level, double* x) {
  const double sun = (0.2 + 0.8 * column / num_columns) * (0.5 + 0.5 * level / num_levels);
  const double light = time_step * sun, back = time_step * 0.5, loss = time_step * 0.05;
  // Blocks are stored by columns, which here add up to 1: nothing is lost.
  double block[] = {1 + light, -light, 0, -back, 1 + back + loss, -loss, 0, 0, 1};
  Lamina::factor_block(Lamina::SerialGroup{}, num_species, block);
  Lamina::solve_block(Lamina::SerialGroup{}, num_species, block, x);
}

void fused_step(const Space& space, const Species& species) {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = Policy::member_type;
  using Scratch = Kokkos::View<double*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  constexpr int line_size = Lamina::group_tridiagonal_scratch(num_levels, num_segments);
  const auto bytes = Scratch::shmem_size(num_species * num_levels) + Scratch::shmem_size(line_size);
  Kokkos::parallel_for(
      "fused_step",
      Policy(space, num_columns, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(bytes)),
      KOKKOS_LAMBDA(const Member& member) {
        const int column = member.league_rank();
        const Scratch cells(member.team_scratch(0), num_species * num_levels);
        const Scratch line(member.team_scratch(0), line_size);
        const Lamina::TeamGroup<Member> team{member};
        team.for_each(num_levels, [&](int k) {
          double x[num_species];
          for (int s = 0; s < num_species; ++s) x[s] = species[s](column, k);
          react(column, k, x);
          for (int s = 0; s < num_species; ++s) cells(s * num_levels + k) = x[s];
        });
        for (int s = 0; s < num_species; ++s) {
          // Rows as differences: the row sum is 1, and nothing flows through bottom and top.
          const auto row = [](int) { return Lamina::DifferenceRow<double>{mixing, 1, mixing}; };
          const auto x = [&](int k) -> double& { return cells(s * num_levels + k); };
          Lamina::solve_tridiagonal(team, num_levels, num_segments, row, x, x,
                                    [&](int i) -> double& { return line(i); });
          team.for_each(num_levels, [&](int k) { species[s](column, k) = x(k); });
        }
      });
}

/// The reactions alone, for the twin of the step.
void reaction_step(const Space& space, const Species& species) {
  Kokkos::parallel_for(
      "reaction_step",
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {num_columns, num_levels}),
      KOKKOS_LAMBDA(int column, int k) {
        double x[num_species];
        for (int s = 0; s < num_species; ++s) x[s] = species[s](column, k);
        react(column, k, x);
        for (int s = 0; s < num_species; ++s) species[s](column, k) = x[s];
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  const Field row_sum("row_sum", num_columns, num_levels), off("off", num_columns, num_levels);
  Kokkos::deep_copy(space, row_sum, 1.0);
  Kokkos::deep_copy(space, off, mixing);
  const Lamina::LineSolver lines(space, Lamina::DifferenceTridiagonal{off, row_sum, off});

  Species fused, separate;
  for (int s = 0; s < num_species; ++s) {
    fused[s] = Field("fused", num_columns, num_levels);
    separate[s] = Field("separate", num_columns, num_levels);
    Kokkos::deep_copy(space, fused[s], s == 0 ? 1.0 : 0.0);
    Kokkos::deep_copy(space, separate[s], fused[s]);
  }
  for (int step = 0; step < num_steps; ++step) {
    fused_step(space, fused);
    reaction_step(space, separate);
    lines.solve(space, separate, separate);  // all species in one call, in place
  }

  double largest_difference = 0, sum = 0;
  for (int s = 0; s < num_species; ++s) {
    const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), fused[s]);
    const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), separate[s]);
    double mean = 0;
    for (int column = 0; column < num_columns; ++column) {
      for (int k = 0; k < num_levels; ++k) {
        mean += a(column, k) / (num_columns * num_levels);
        largest_difference = std::fmax(largest_difference, std::fabs(a(column, k) - b(column, k)));
      }
    }
    sum += mean;
    std::printf("species %d: %.4f\n", s, mean);
  }
  std::printf("their sum is %s\n", std::fabs(sum - 1) < 1e-12 ? "1" : "not kept");
  std::printf("both ways %s\n", largest_difference < 1e-12 ? "agree" : "differ");
  return 0;
}
