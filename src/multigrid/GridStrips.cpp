// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/impl/poisson/GridStrips.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace Lamina::Impl {
namespace {

/// visit(line) for the lines of a field that are not owned.
template <class Visit>
void for_each_ghost(const GridSpan& field, const GridSpan& owned, const Visit& visit) {
  for (int line = field.begin; line < field.end; ++line) {
    if (line == owned.begin && !owned.empty()) line = owned.end;
    if (line < field.end) visit(line);
  }
}

}  // namespace

GridStrips::GridStrips(const Transport& transport, const LocalRectangle& local, int ghosts)
    : count(local.whole.nx),
      owned(gather_values(transport, GridSpan{local.first, local.first + local.owned.nx})) {
  int end = 0;
  std::vector<GridSpan> by_line(owned);
  std::sort(by_line.begin(), by_line.end(), [](const GridSpan& a, const GridSpan& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  for (const GridSpan& lines : by_line) {
    if (lines.empty()) continue;
    LAMINA_REQUIRE(lines.begin == end, "PoissonMultigrid",
                   "local: expected strips of one rectangle, got none that begins with column " +
                       std::to_string(end));
    end = lines.end;
  }
  require_extent("PoissonMultigrid", "local", "columns of all ranks", count, end);
  for (const GridSpan& lines : owned) {
    fields.push_back(lines.empty() ? GridSpan() : widened(lines, ghosts));
  }
}

GridStrips GridStrips::cells(const Transport& transport, const GridSpan& mine, int count,
                             bool periodic, int ghosts) {
  GridStrips strips;
  strips.count = count;
  strips.of_cells = true;
  strips.periodic = periodic;
  strips.owned = gather_values(transport, mine);
  for (const GridSpan& lines : strips.owned) {
    strips.fields.push_back(lines.empty() ? GridSpan() : strips.widened(lines, ghosts));
  }
  return strips;
}

GridSpan GridStrips::widened(const GridSpan& lines, int ghosts) const {
  if (of_cells) return {lines.begin - ghosts, lines.end + ghosts};
  return lines.widened(ghosts, count);
}

GridSpan GridStrips::coarse(const GridSpan& lines, bool halves) const {
  if (!of_cells || !halves) return lines.coarse(halves);
  // The last one of an odd number begins no coarser line.
  return {std::min((lines.begin + 1) / 2, count / 2), std::min((lines.end + 1) / 2, count / 2)};
}

GridStrips GridStrips::gathered() const {
  GridStrips strips = *this;
  strips.kind = Kind::gathered;
  strips.fields.assign(owned.size(), all_lines());
  return strips;
}

GridStrips GridStrips::coarser(Kind coarser_kind, bool halves, int ghosts) const {
  GridStrips strips = *this;
  strips.kind = coarser_kind;
  strips.count = halves ? count / 2 : count;
  for (std::size_t rank = 0; rank < owned.size(); ++rank) {
    const GridSpan lines = coarse(owned[rank], halves);
    strips.owned[rank] = kind == Kind::shared ? lines : GridSpan{0, strips.count};
    // A rank that has no line here may still interpolate from those around.
    const bool takes_part = !fields[rank].empty();
    strips.fields[rank] = coarser_kind != Kind::shared ? strips.all_lines()
                          : takes_part                 ? strips.widened(lines, ghosts)
                                                       : GridSpan();
  }
  return strips;
}

GridSpan GridStrips::smoothed(int rank) const {
  return kind == Kind::shared ? owned[static_cast<std::size_t>(rank)] : GridSpan{0, count};
}

HaloPattern GridStrips::pattern(int rank) const {
  const auto here = static_cast<std::size_t>(rank);
  const auto owned_number = [this](int line) {
    return periodic ? (line % count + count) % count : line;
  };
  HaloPattern pattern;
  pattern.num_owned = pattern.num_local = fields[here].size();
  for (std::size_t other = 0; other < owned.size(); ++other) {
    HaloPattern::Peer peer{.rank = static_cast<int>(other), .send = {}, .receive = {}};
    for_each_ghost(fields[other], owned[other], [&](int line) {
      const int owner_line = owned_number(line);
      if (owned[here].contains(owner_line)) peer.send.push_back(owner_line - fields[here].begin);
    });
    for_each_ghost(fields[here], owned[here], [&](int line) {
      if (owned[other].contains(owned_number(line))) {
        peer.receive.push_back(line - fields[here].begin);
      }
    });
    if (!peer.send.empty() || !peer.receive.empty()) pattern.peers.push_back(std::move(peer));
  }
  return pattern;
}

}  // namespace Lamina::Impl
