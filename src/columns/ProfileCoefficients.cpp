// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/PackTables.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina {
namespace {

constexpr const char* function = "ProfileCoefficients";

/// \throws InvalidArgument unless there are `count` values >= 0 that `Scalar` can hold.
template <class Scalar>
void require_values(const char* name, const char* what, std::size_t count,
                    const std::vector<double>& values) {
  Impl::require_extent(function, name, what, static_cast<long long>(count),
                       static_cast<long long>(values.size()));
  for (const double value : values) {
    const bool fits = value >= 0 &&
                      value <= static_cast<double>(std::numeric_limits<Scalar>::max()) &&
                      (value == 0 || static_cast<Scalar>(value) > 0);
    if (fits) continue;
    std::ostringstream got;
    got << value;
    LAMINA_REQUIRE(fits, function,
                   std::string("argument profiles: ") + name +
                       ": expected values >= 0 in the range of the precision, got " + got.str());
  }
}

template <class Scalar, class Memory, class Of>
Kokkos::View<const Scalar*, Memory> make_numbers(const char* name, std::size_t count,
                                                 const Of& of) {
  const Kokkos::View<Scalar*, Memory> view(
      Kokkos::view_alloc(std::string("Lamina::ProfileCoefficients::") + name,
                         Kokkos::WithoutInitializing),
      count);
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < count; ++i) host(i) = static_cast<Scalar>(of(i));
  Kokkos::deep_copy(view, host);
  return view;
}

template <class Value, class Memory, class Of>
Kokkos::View<const Value**, Kokkos::LayoutLeft, Memory> make_table(const char* name,
                                                                   std::size_t rows,
                                                                   std::size_t slots,
                                                                   const Of& of) {
  const Kokkos::View<Value**, Kokkos::LayoutLeft, Memory> view(
      Kokkos::view_alloc(std::string("Lamina::ProfileCoefficients::") + name,
                         Kokkos::WithoutInitializing),
      rows, slots);
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t n = 0; n < slots; ++n) {
    for (std::size_t i = 0; i < rows; ++i) host(i, n) = static_cast<Value>(of(i, n));
  }
  Kokkos::deep_copy(view, host);
  return view;
}

constexpr double no_limit = std::numeric_limits<double>::max();
void require_positive(const char* name, double value, double most) {
  if (value > 0 && value <= most) return;
  std::ostringstream text;
  text << "argument bottoms: " << name << ": expected values > 0";
  if (most < no_limit) text << " and <= " << most;
  text << ", got " << value;
  LAMINA_REQUIRE(false, function, text.str());
}

template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Values of columns in places, which have a value of their own where there is no column.
template <class Memory>
struct InPlaces {
  std::span<const int> columns;  // of each place

  template <class Value>
  void move(const char* name, Kokkos::View<const Value*, Memory>& values, Value padding) const {
    const auto from = on_host(values);
    values = make_numbers<Value, Memory>(name, columns.size(), [&](std::size_t place) {
      return is_filled(place) ? from(columns[place]) : padding;
    });
  }
  template <class Value>
  void move(const char* name, Kokkos::View<const Value**, Kokkos::LayoutLeft, Memory>& values,
            Value padding) const {
    const auto from = on_host(values);
    values = make_table<Value, Memory>(
        name, columns.size(), values.extent(1), [&](std::size_t place, std::size_t slot) {
          return is_filled(place) ? from(columns[place], slot) : padding;
        });
  }

 private:
  bool is_filled(std::size_t place) const {
    return columns[place] != Impl::ColumnOrder<Memory>::no_column;
  }
};

template <class Scalar, class Memory>
Kokkos::View<const Impl::ProfileLevel<Scalar>*, Memory> make_levels(
    const ColumnProfiles& profiles) {
  const std::size_t levels = profiles.mass.size();
  const auto vertical = [&](std::size_t k) { return static_cast<Scalar>(profiles.vertical[k]); };
  const Kokkos::View<Impl::ProfileLevel<Scalar>*, Memory> view(
      "Lamina::ProfileCoefficients::levels", levels);
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t k = 0; k < levels; ++k) {
    host(k) = {static_cast<Scalar>(profiles.mass[k]), k + 1 < levels ? vertical(k) : Scalar(0),
               k > 0 ? vertical(k - 1) : Scalar(0), static_cast<Scalar>(profiles.horizontal[k])};
  }
  Kokkos::deep_copy(view, host);
  return view;
}

/// The same numbers, each kind in a row.
template <class Scalar, class Memory>
Kokkos::View<const Scalar**, Kokkos::LayoutRight, Memory> make_profiles(
    const Kokkos::View<const Impl::ProfileLevel<Scalar>*, Memory>& levels) {
  const auto from = on_host(levels);
  const Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory> view(
      "Lamina::ProfileCoefficients::profiles", 4, levels.extent(0));
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t k = 0; k < levels.extent(0); ++k) {
    host(0, k) = from(k).mass;
    host(1, k) = from(k).above;
    host(2, k) = from(k).below;
    host(3, k) = from(k).horizontal;
  }
  Kokkos::deep_copy(view, host);
  return view;
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms, bool HasPartialCells>
void ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>::set_profiles(
    const ColumnMesh<Memory>& mesh, const ColumnProfiles& profiles) {
  const std::size_t levels = profiles.mass.size();
  LAMINA_REQUIRE(levels >= 1, function, "argument profiles: expected at least 1 level, got 0");
  require_values<Scalar>("mass", "levels", levels, profiles.mass);
  require_values<Scalar>("vertical", "interfaces", levels - 1, profiles.vertical);
  require_values<Scalar>("horizontal", "levels", levels, profiles.horizontal);
  const auto num_columns = static_cast<std::size_t>(mesh.num_columns());
  const auto areas = mesh.on_host().areas();
  const auto factors = [&](const char* name, const std::vector<double>& values) {
    if (!values.empty()) require_values<Scalar>(name, "columns", num_columns, values);
    return make_numbers<Scalar, Memory>(
        name, static_cast<std::size_t>(mesh.num_owned()),
        [&](std::size_t c) { return values.empty() ? areas(c) : values[c]; });
  };
  m_levels = make_levels<Scalar, Memory>(profiles);
  m_profiles = make_profiles<Scalar, Memory>(m_levels);
  m_mass_factors = factors("mass_factors", profiles.mass_factors);
  m_vertical_factors = factors("vertical_factors", profiles.vertical_factors);

  const auto couplings = mesh.on_host().couplings();
  const auto boundary = mesh.on_host().boundary_couplings();
  const std::size_t owned = couplings.extent(0), slots = couplings.extent(1);
  m_couplings = make_table<Scalar, Memory>(
      "couplings", owned, slots, [&](std::size_t c, std::size_t n) { return couplings(c, n); });
  m_boundary =
      make_numbers<Scalar, Memory>("boundary", owned, [&](std::size_t c) { return boundary(c); });
  m_coupling_sums = make_numbers<Scalar, Memory>("coupling_sums", owned, [&](std::size_t c) {
    double sum = boundary(c);
    for (std::size_t n = 0; n < slots; ++n) sum += couplings(c, n);
    return sum;
  });
  set_packs({mesh.on_host().neighbours(), couplings, mesh.is_first()});
}

template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms, bool HasPartialCells>
void ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>::set_packs(
    const Impl::HostNeighbours& neighbours) {
  if constexpr (!HasPartialCells && !std::is_same_v<Memory, Kokkos::HostSpace>) {
    const Impl::PackTables<Scalar, Memory> tables(neighbours);
    this->packs = tables.packs;
    this->edges = tables.edges;
  }
}

template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms, bool HasPartialCells>
ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>
ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>::in_places(
    const Impl::HostColumns& columns, const Impl::HostPlaces& places) const {
  const InPlaces<Memory> all{places.columns};
  const InPlaces<Memory> owned{all.columns.first(static_cast<std::size_t>(places.num_owned))};
  ProfileCoefficients result = *this;
  owned.move("mass_factors", result.m_mass_factors, Scalar(0));
  owned.move("vertical_factors", result.m_vertical_factors, Scalar(0));
  owned.move("boundary", result.m_boundary, Scalar(0));
  owned.move("coupling_sums", result.m_coupling_sums, Scalar(0));
  owned.move("couplings", result.m_couplings, Scalar(0));
  if constexpr (HasBottoms) {
    all.move("bottoms", result.m_bottoms, num_levels());
    owned.move("clear", result.m_clear, num_levels());
    owned.move("first_steps", result.m_first_steps, 0);
    owned.move("open", result.m_open, 0);
  }
  if constexpr (HasPartialCells) {
    owned.move("cut_cells", result.m_cuts.cells, Scalar(1));
    owned.move("cut_faces", result.m_cuts.faces, Scalar(1));
    owned.move("cut_edges", result.m_cuts.edges, Scalar(1));
  }
  result.set_packs(columns.neighbours);
  return result;
}

template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms, bool HasPartialCells>
void ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>::set_bottoms(
    const ColumnMesh<Memory>& mesh, const Kokkos::View<const int*, Memory>& bottoms) {
  Impl::require_extent(function, "bottoms", "columns", mesh.num_columns(),
                       static_cast<long long>(bottoms.extent(0)));
  const auto of_column = on_host(bottoms);
  for (std::size_t c = 0; c < of_column.extent(0); ++c) {
    LAMINA_REQUIRE(of_column(c) >= 0 && of_column(c) <= num_levels(), function,
                   "argument bottoms: expected 0 to " + std::to_string(num_levels()) +
                       " levels, got " + std::to_string(of_column(c)));
  }
  const auto neighbours = mesh.on_host().neighbours();
  const auto couplings = mesh.on_host().couplings();
  m_bottoms = make_numbers<int, Memory>("bottoms", of_column.extent(0),
                                        [&](std::size_t c) { return of_column(c); });
  m_open = make_table<int, Memory>(
      "open", couplings.extent(0), couplings.extent(1), [&](std::size_t c, std::size_t n) {
        return couplings(c, n) > 0 ? std::min(of_column(c), of_column(neighbours(c, n))) : 0;
      });
}

template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms, bool HasPartialCells>
void ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>::set_cuts(
    const ColumnMesh<Memory>& mesh, const PartialBottoms<Memory>& bottoms) {
  if constexpr (HasPartialCells) {
    const std::vector<double>& h = bottoms.thicknesses;
    Impl::require_extent(function, "bottoms.thicknesses", "levels", num_levels(),
                         static_cast<long long>(h.size()));
    Impl::require_extent(function, "bottoms.fractions", "columns", mesh.num_columns(),
                         static_cast<long long>(bottoms.fractions.extent(0)));
    const auto levels = on_host(bottoms.levels);
    const auto fractions = on_host(bottoms.fractions);
    const bool has_volumes = bottoms.volumes.extent(0) > 0;
    if (has_volumes) {
      Impl::require_extent(function, "bottoms.volumes", "columns", mesh.num_columns(),
                           static_cast<long long>(bottoms.volumes.extent(0)));
    }
    const auto volumes = has_volumes ? on_host(bottoms.volumes) : fractions;
    for (const double thickness : h) require_positive("thicknesses", thickness, no_limit);
    for (std::size_t c = 0; c < fractions.extent(0); ++c) {
      if (levels(c) == 0) continue;
      require_positive("fractions", fractions(c), 1);
      require_positive("volumes", volumes(c), 1);
    }
    const auto neighbours = mesh.on_host().neighbours();
    const std::size_t owned = neighbours.extent(0), slots = neighbours.extent(1);
    m_cuts.cells = make_numbers<Scalar, Memory>(
        "cut_cells", owned, [&](std::size_t c) { return levels(c) > 0 ? volumes(c) : 1.0; });
    m_cuts.faces = make_numbers<Scalar, Memory>("cut_faces", owned, [&](std::size_t c) {
      if (levels(c) < 2) return 1.0;
      const auto last = static_cast<std::size_t>(levels(c)) - 1;
      return (h[last - 1] + h[last]) / (h[last - 1] + fractions(c) * h[last]);
    });
    m_cuts.edges =
        make_table<Scalar, Memory>("cut_edges", owned, slots, [&](std::size_t c, std::size_t slot) {
          const auto n = static_cast<std::size_t>(neighbours(c, slot));
          const int open = std::min(levels(c), levels(n));
          if (open == 0) return 1.0;  // what is told of land has no effect
          return std::min(levels(c) == open ? volumes(c) : 1.0,
                          levels(n) == open ? volumes(n) : 1.0);
        });
  }
}

/// Edges to land are closed at all levels: sums leave them out.
template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms, bool HasPartialCells>
void ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>::set_steps() {
  const auto bottoms = on_host(m_bottoms);
  const auto open = on_host(m_open);
  const auto couplings = on_host(m_couplings);
  const auto boundary = on_host(m_boundary);
  const auto cuts = [&](const auto& get) {
    if constexpr (HasPartialCells)
      return on_host(get(m_cuts));
    else
      return 0;
  };
  const auto cells = cuts([](const auto& all) { return all.cells; });
  const auto edges = cuts([](const auto& all) { return all.edges; });
  const std::size_t owned = open.extent(0), slots = open.extent(1);
  std::vector<int> clear(owned), first_step(owned);
  std::vector<double> sums(owned), steps;
  for (std::size_t c = 0; c < owned; ++c) {
    int level = bottoms(c);
    sums[c] = boundary(c);
    for (std::size_t n = 0; n < slots; ++n) {
      if (open(c, n) == 0) continue;
      level = std::min(level, open(c, n));
      sums[c] += couplings(c, n);
    }
    if (HasPartialCells) level = std::max(level - 1, 0);
    clear[c] = level;
    LAMINA_REQUIRE(steps.size() + static_cast<std::size_t>(bottoms(c)) <
                       static_cast<std::size_t>(std::numeric_limits<int>::max()),
                   function, "argument bottoms: expected fewer than 2^31 cells beside steps");
    first_step[c] = static_cast<int>(steps.size()) - level;
    for (; level < bottoms(c); ++level) {
      double sum = boundary(c);
      if constexpr (HasPartialCells) {
        if (level + 1 == bottoms(c)) sum *= cells(c);
      }
      for (std::size_t n = 0; n < slots; ++n) {
        if (level >= open(c, n)) continue;
        double part = 1;
        if constexpr (HasPartialCells) {
          if (level + 1 == open(c, n)) part = edges(c, n);
        }
        sum += part * couplings(c, n);
      }
      steps.push_back(sum);
    }
  }
  const auto numbers = [&](const char* name, const auto& values) {
    using Number = std::conditional_t<std::is_same_v<std::remove_cvref_t<decltype(values[0])>, int>,
                                      int, Scalar>;
    return make_numbers<Number, Memory>(name, values.size(),
                                        [&](std::size_t i) { return values[i]; });
  };
  m_clear = numbers("clear", clear);
  m_first_steps = numbers("first_steps", first_step);
  m_steps = numbers("steps", steps);
  m_coupling_sums = numbers("coupling_sums", sums);
}

#define LAMINA_INSTANTIATE(Scalar, Memory)                   \
  template class ProfileCoefficients<Scalar, Memory, false>; \
  template class ProfileCoefficients<Scalar, Memory, true>;  \
  template class ProfileCoefficients<Scalar, Memory, true, true>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
