# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tables of the anisotropic elliptic problem and of its line solves."""

from collections.abc import Callable

from markdown import Table, fraction, number
from results import Case, Machine

PRECISIONS = ("double", "single")
SCALARS = {"double": "double", "float": "single"}
SOLVERS = {"fused": "`FusedPcg`", "mixed": "`FusedPcg`, mixed precision", "fused-stored": "`FusedPcgStored`",
           "plain": "`Pcg`", "csr": "`Pcg`, assembled matrix"}
VALUES = {"fused": "9", "fused-stored": "11", "plain": "18"}
KERNELS = {"fused_advance_twice": "`FusedPcg`: stencil sweeps of two iterations", "fused_precondition": "`FusedPcg`: line solves",
           "fused_measure": "`FusedPcg`: ⟨z, A z⟩", "stored_advance": "`FusedPcgStored`: stencil sweep",
           "stored_precondition": "`FusedPcgStored`: line solves", "apply": "operator, y = A x",
           "precondition": "line preconditioner", "csr_apply": "assembled matrix, y = A x"}
VENDOR_NAMES = {"Lamina FusedPcg": "`FusedPcg`", "Lamina Pcg": "`Pcg`",
                "Lamina csr Pcg": "`Pcg`, assembled matrix (Kokkos Kernels)"}
BLANKS = ["", ""]


def cells_text(case: Case) -> str:
    """Of a panel that is a square, or nearly one."""
    known = {"65536": "256 x 256", "65021": "253 x 257"}
    columns = case.sizes["columns"]
    return f"{known.get(columns, columns + ' columns')} x {case.sizes['levels']}"


def time_and_fraction(case: Case | None) -> list[str]:
    if case is None:
        return BLANKS
    return [number(case.benchmark.milliseconds), fraction(case.benchmark.counter("fraction_of_copy") or None)]


def by_precision(cases: list[Case], label: Callable, extra: Callable = lambda case: [],
                 size: Callable = cells_text) -> list[list[str]]:
    """Rows of label, size and what `extra` adds, with time and fraction in both precisions."""
    found: dict[tuple, dict[str, Case]] = {}
    for case in cases:
        name = label(case)
        if name:
            key = (name, size(case), *extra(case))
            scalar = next(SCALARS[word] for word in case.arguments if word in SCALARS)
            found.setdefault(key, {})[scalar] = case
    return [[*key, *(cell for precision in PRECISIONS for cell in time_and_fraction(both.get(precision)))]
            for key, both in found.items()]


def ordered(rows: list[list[str]], names: list[str]) -> list[list[str]]:
    """By size, the most common first, then in the order of the names."""
    sizes = list(dict.fromkeys(row[1] for row in rows))
    return sorted(rows, key=lambda row: (sizes.index(row[1]), names.index(row[0])))


def iteration(machine: Machine) -> list[Table]:
    cases = [case for case in machine.benchmarks("pcg") if case.kind == "iteration"]
    rows = by_precision(cases, lambda case: SOLVERS.get(case.arguments[0]),
                        lambda case: [VALUES.get(case.arguments[0], "")])
    return [Table("Milliseconds per iteration, in the mean over 20 iterations from the start of a solve.",
                  ["solver", "cells", "counted values", "double", "of copy", "single", "of copy"],
                  ordered(rows, list(SOLVERS.values())), keys=3)]


def kernels(machine: Machine) -> list[Table]:
    rows = by_precision(machine.benchmarks("helmholtz"), lambda case: KERNELS.get(case.kind))
    return [Table("Milliseconds per call.", ["kernel", "cells", "double", "of copy", "single", "of copy"],
                  ordered(rows, list(KERNELS.values())), keys=2)]


def vendor(machine: Machine) -> list[Table]:
    content = machine.content("vendor_helmholtz")
    if not content:
        return []
    times: dict[str, dict[str, float]] = {}
    for precision in content["precisions"]:
        for result in precision["lamina"]:
            times.setdefault(VENDOR_NAMES.get(result["name"], result["name"]), {})[precision["precision"]] = result["iteration_seconds"]
        if precision["fastest_vendor"] >= 0:
            fastest = precision["vendor"][precision["fastest_vendor"]]
            times.setdefault("cuSPARSE and cuBLAS", {})[precision["precision"]] = fastest["iteration_seconds"]
    first = next(iter(times.values()))

    def cells(of: dict[str, float], precision: str) -> list[str]:
        seconds = of.get(precision)
        if seconds is None:
            return BLANKS
        return [number(1e3 * seconds), number(seconds / first[precision], 2) if precision in first else ""]

    size = " x ".join(str(extent) for extent in content["size"])
    return [Table(f"Milliseconds per iteration over {size} cells, and the time over that of the first row:"
                  f" medians of {content['repetitions']} solves of {content['iterations']} iterations.",
                  ["solver", "double", "over first", "single", "over first"],
                  [[name, *(cell for precision in PRECISIONS for cell in cells(of, precision))]
                   for name, of in times.items()])]


def hypre(machine: Machine) -> list[Table]:
    """A table for each run of lamina_hypre_helmholtz."""
    tables = []
    for content in machine.content("hypre_helmholtz") or []:
        first = content["solvers"][0]["solves"]
        heads = ["solver", "set-up"]
        for solve in first:
            heads += ["to " + f"{solve['tolerance']:.0e}".replace("e-0", "e-"), "iterations", "over first"]
        rows = [[result["name"], number(1e3 * result["setup_seconds"]),
                 *(cell for solve, ours in zip(result["solves"], first)
                   for cell in (number(1e3 * solve["seconds"]), str(solve["iterations"]),
                                number(solve["seconds"] / ours["seconds"])))]
                for result in content["solvers"]]
        size = " x ".join(str(extent) for extent in content["size"])
        tables.append(Table(f"Milliseconds of a solve over {size} cells in double precision, set-up apart, in the"
                            f" median of {content['repetitions']}. Lamina with {content['threads']} threads, hypre"
                            f" {content['hypre_version']} with {content['ranks']} ranks.", heads, rows))
    return tables


CYCLES = {("cycle", ""): "one cycle", ("set-up", ""): "set-up of the hierarchy and the levels",
          ("to_1e-5", "multigrid"): "`FusedPcg` with cycles, to 1e-5",
          ("to_1e-5", "single-cycle-multigrid"): "the same with cycles in single precision",
          ("to_1e-5", "mixed-multigrid"): "the same in mixed precision",
          ("to_1e-5", "cycles"): "cycles alone, to 1e-5",
          ("to_1e-10", "multigrid"): "`FusedPcg` with cycles, to 1e-10",
          ("to_1e-10", "single-cycle-multigrid"): "to 1e-10 with cycles in single precision",
          ("to_1e-10", "mixed-multigrid"): "to 1e-10 in mixed precision",
          ("to_1e-5", "fused"): "`FusedPcg` with lines, to 1e-5"}


def cycles(machine: Machine) -> list[Table]:
    def label(case: Case) -> str | None:
        return CYCLES.get((case.kind, "" if case.kind in ("cycle", "set-up") else case.arguments[0]))

    layout = "LayoutRight" if machine.on_host else "LayoutLeft"
    cases = [case for case in machine.benchmarks("multigrid") if layout in case.arguments]
    rows = by_precision(cases, label)
    return [Table("Milliseconds of a cycle and of solves from zero.",
                  ["what", "cells", "double", "of copy", "single", "of copy"],
                  ordered(rows, list(CYCLES.values())), keys=2)]


GRIDS = {"voronoi": "polygons, tensor product", "ocean-stored-float": "ocean on polygons, coefficients stored in single precision"}


def real_grids(machine: Machine) -> list[Table]:
    layout = "LayoutRight" if machine.on_host else "LayoutLeft"
    found: dict[tuple[str, str, str], dict[str, Case]] = {}
    for case in machine.benchmarks("multigrid_columns"):
        precision, grid = case.arguments[0], case.arguments[1]
        if layout in case.arguments and grid in GRIDS:
            found.setdefault((GRIDS[grid], case.sizes["columns"], case.sizes["levels"]), {})[precision] = case
    rows = [[*key, *(cell for kind in ("multigrid", "mixed-multigrid") for cell in time_and_fraction(of.get(kind)))]
            for key, of in found.items()]
    return [Table("Milliseconds of solves from zero to 1e-5, by `FusedPcg` with cycles. In the ocean 45 % of the cells are dry,"
                  " and counted like wet ones.",
                  ["grid", "columns", "levels", "double", "of copy", "mixed", "of copy"], rows, keys=3)]


COEFFICIENTS = {"tensor": "tensor product", "profiles": "profiles and factors", "bottoms": "the same with bottoms",
                "stored-double": "stored", "stored-float": "stored in single precision"}


def coefficients(machine: Machine) -> list[Table]:
    layout = "LayoutRight" if machine.on_host else "LayoutLeft"
    found: dict[tuple[str, str], dict[str, Case]] = {}
    for case in machine.benchmarks("columns"):
        if case.kind != "iteration" or layout not in case.arguments or "double" not in case.arguments:
            continue
        mesh = "polygons" if "voronoi" in case.arguments else "panel"
        found.setdefault((case.arguments[0], case.sizes["levels"]), {})[mesh] = case
    rows = [[COEFFICIENTS[kind], levels, *(cell for mesh in ("panel", "polygons") for cell in time_and_fraction(of.get(mesh)))]
            for (kind, levels), of in found.items() if kind in COEFFICIENTS]
    return [Table("Milliseconds of an iteration of `FusedPcg` on about 65,500 columns, double precision.",
                  ["coefficients", "levels", "panel", "of copy", "polygons", "of copy"], rows, keys=2)]


def counted_values(solve: dict) -> int | None:
    """Per cell and iteration, of solvers that do not assemble the matrix."""
    names = " ".join(kernel["name"] for kernel in solve["kernels"])
    if "FusedHelmholtzStored::" in names:
        return 11
    if "HelmholtzOperator::apply" in names and "LinePreconditioner::" in names:
        return 18
    return 9 if "FusedHelmholtz::advance" in names else None


def solve_fraction(solve: dict) -> float | None:
    values, size = counted_values(solve), {"double": 8, "single": 4}.get(solve["precision"])
    if values is None or size is None:
        return None
    at_copy_speed = values * size * solve["problem"]["unknowns"] / (1e9 * solve["copy_gb_per_s"])
    return at_copy_speed * solve["iterations"] / solve["seconds"]["solve"]


def sizes(machine: Machine) -> list[Table]:
    found: dict[str, dict[str, list[str]]] = {}
    solves = machine.content("sizes") or []
    for solve in solves:
        extents = " x ".join(str(solve["problem"][axis]) for axis in ("nx", "ny", "nz"))
        milliseconds = 1e3 * solve["seconds"]["solve"] / solve["iterations"]
        found.setdefault(extents, {})[solve["precision"]] = [number(milliseconds), fraction(solve_fraction(solve))]
    iterations = solves[0]["iterations"] if solves else 0
    values = counted_values(solves[0]) if solves else 0
    return [Table(f"Milliseconds per iteration of a solve of {iterations} iterations, and the time that"
                  f" {values} values take at copy speed over it.",
                  ["cells", "double", "of copy", "single", "of copy"],
                  [[extents, *(cell for precision in PRECISIONS for cell in of.get(precision, BLANKS))]
                   for extents, of in found.items()])]


def tolerance(machine: Machine) -> list[Table]:
    solves = machine.content("tolerance") or []
    rows = []
    for rhs in dict.fromkeys(solve["problem"]["rhs"] for solve in solves):
        cells = [rhs]
        for precision in ("double", "mixed"):
            solve = next((s for s in solves if s["problem"]["rhs"] == rhs and s["precision"] == precision
                          and s["converged"]), None)
            cells += [str(solve["iterations"]), number(1e3 * solve["seconds"]["solve"])] if solve else BLANKS
        rows.append(cells)
    aim = f"{solves[0]['problem']['tolerance']:.0e}".replace("e-0", "e-") if solves else ""
    return [Table(f"Iterations and milliseconds of a solve to a relative residual of {aim}.",
                  ["right-hand side", "iterations, double", "ms", "iterations, `--precision mixed`", "ms"], rows)]


def spaces(machine: Machine) -> list[Table]:
    solves = machine.content("compare_helmholtz") or []
    rows = []
    for solve in solves:
        milliseconds = 1e3 * solve["seconds"]["solve"] / solve["iterations"]
        rows.append([solve["space"], solve["layout"], f"`{solve['problem']['solver']}`", solve["precision"],
                     str(counted_values(solve) or ""), number(milliseconds), fraction(solve_fraction(solve))])
    size = " x ".join(str(solves[0]["problem"][axis]) for axis in ("nx", "ny", "nz")) if solves else ""
    return [Table(f"Milliseconds per iteration, {size} cells, and the time that the counted values take at copy"
                  " speed over it.", ["space", "layout", "solver", "precision", "counted values", "ms", "of copy"],
                  rows, keys=5)]


def lines(machine: Machine) -> list[Table]:
    def label(case: Case) -> str:
        words = [case.arguments[0]]
        if case.kind == "refresh_and_solve":
            words.append("`refresh` and solve")
        words += [f"{word[4:]} right-hand sides" for word in case.arguments if word.startswith("rhs:")]
        return ", ".join(words)

    cases = [case for case in machine.benchmarks("lines") if case.stem == "LineSolver"]
    rows = by_precision(cases, label, size=lambda case: f"{case.sizes['columns']} x {case.sizes['levels']}")
    return [Table("Milliseconds per call of `LineSolver` with stored coefficients.",
                  ["matrices", "columns x levels", "double", "of copy", "single", "of copy"], rows, keys=2)]
