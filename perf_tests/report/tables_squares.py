# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tables of the Poisson equation and of shallow water, both on squares."""

from collections.abc import Callable

from markdown import Table, fraction, number
from results import Case, Machine

SCALARS = {"double": "double", "float": "single"}
SOLVERS = {"fused-cg": "`FusedPcg`", "fused-cg-swept": "`FusedPcg`, two sweeps an iteration", "cg": "`Pcg`"}
SCHEMES = {"leapfrog": "`Leapfrog`", "rk3": "`RungeKutta3`", "leapfrog-cg3": "`Leapfrog`, 3 CG iterations a mass solve",
           "semi-implicit": "`SemiImplicit`"}
PARTS = {"tendency,fused": "tendencies, one sweep", "tendency,two-kernels": "tendencies, two kernels",
         "mass,u": "mass solve of u", "mass,v": "mass solve of v"}


def over_sizes(cases: list[Case], label: Callable, names: dict, scale: float) -> tuple[list[str], list[list[str]]]:
    """A row a side length, a pair of time and fraction for each name that there is."""
    found: dict[int, dict[str, Case]] = {}
    for case in cases:
        found.setdefault(int(case.sizes["n"]), {})[label(case)] = case
    present = [name for name in names if any(name in of for of in found.values())]
    rows = []
    for n in sorted(found):
        cells = [str(n)]
        for name in present:
            case = found[n].get(name)
            cells += [number(scale * case.benchmark.milliseconds),
                      fraction(case.benchmark.counter("fraction_of_copy"))] if case else ["", ""]
        rows.append(cells)
    return [word for name in present for word in (names[name], "of copy")], rows


def poisson_iteration(machine: Machine) -> list[Table]:
    tables = []
    for scalar, precision in SCALARS.items():
        cases = [case for case in machine.benchmarks("poisson")
                 if case.kind == "iteration" and case.arguments[1:] == ["auto", scalar]]
        columns, rows = over_sizes(cases, lambda case: case.arguments[0], SOLVERS, 1e3)
        tables.append(Table(f"Microseconds per iteration, {precision} precision, N x N points.",
                            ["N", *columns], rows))
    return tables


MULTIGRID = {"cycle": "a cycle", "full_multigrid": "full multigrid", "multigrid": "cycles to 1e-6",
             "multigrid-cg": "`MultigridPoisson` to 1e-6",
             "full-multigrid,multigrid-cg": "the same after full multigrid", "fused-cg": "`FusedPcg` to 1e-6"}


def poisson_multigrid(machine: Machine) -> list[Table]:
    tables = []
    for scalar, precision in SCALARS.items():
        for steps, has_three in (("two", False), ("three", True)):
            cases = [case for case in machine.benchmarks("multigrid_poisson")
                     if scalar in case.arguments and ("steps=3" in case.arguments) == has_three]
            columns, rows = over_sizes(
                cases, lambda case: ",".join(case.arguments[:case.arguments.index(scalar)])
                if case.kind.startswith("to_") else case.kind, MULTIGRID, 1)
            if rows:
                tables.append(Table(f"Milliseconds, {precision} precision, {steps} smoothing steps, N x N points.",
                                    ["N", *columns], rows))
    return tables


def poisson_vendor(machine: Machine) -> list[Table]:
    content = machine.content("vendor_poisson")
    if not content:
        return []
    tables = []
    for precision in content["precisions"]:
        names = list(precision["sizes"][0]["solvers"])
        fused = next(name for name in names if "Fused" in name)
        rows = []
        for size in precision["sizes"]:
            times = {name: 1e6 * of["iteration_seconds"] for name, of in size["solvers"].items()
                     if "iteration_seconds" in of}
            ratio = times["vendor graph"] / times[fused] if {"vendor graph", fused} <= times.keys() else None
            rows.append([str(size["size"]), *(number(times.get(name)) for name in names),
                         number(ratio, 2), fraction(size.get("fused_fraction_of_copy"))])
        tables.append(Table(
            f"Microseconds per iteration, {precision['precision']} precision, N x N points: medians of"
            f" {content['repetitions']} solves of {content['iterations']} iterations.",
            ["N", *(name.replace("Lamina ", "") for name in names), "graph over fused", "fused, of copy"], rows))
    return tables


def poisson_memory(machine: Machine) -> list[Table]:
    tables = []
    for column in machine.columns("paper_poisson_iterations"):
        points = [point for point in column["points"] if "iteration" in point and point["precision"] == "double"]
        for solver in dict.fromkeys(point["solver"] for point in points):
            memories = list(dict.fromkeys(point["memory"] for point in points))
            rows = []
            for n in dict.fromkeys(point["n"] for point in points):
                times = {point["memory"]: point["iteration"]["seconds"]["minimum"] for point in points
                         if point["n"] == n and point["solver"] == solver}
                rows.append([str(n), *(number(1e6 * times[m]) if m in times else "" for m in memories)])
            tables.append(Table(f"Microseconds per iteration of `{solver}` by `--memory`, double precision.",
                                ["N", *memories], rows))
    return tables


def water_step(machine: Machine) -> list[Table]:
    tables = []
    for scalar, precision in SCALARS.items():
        cases = [case for case in machine.benchmarks("shallow_water")
                 if case.kind == "step" and case.arguments[-1] == scalar]
        columns, rows = over_sizes(cases, lambda case: case.arguments[0], SCHEMES, 1)
        tables.append(Table(f"Milliseconds per step, {precision} precision, n x n cells.", ["n", *columns], rows))
    return tables


def water_parts(machine: Machine) -> list[Table]:
    rows = []
    for case in machine.benchmarks("shallow_water"):
        name = PARTS.get(f"{case.kind},{case.arguments[0]}")
        if name and case.arguments[-1] == "double":
            rows.append([name, case.sizes["n"], number(case.benchmark.milliseconds),
                         fraction(case.benchmark.counter("fraction_of_copy"))])
    return [Table("Parts of an explicit step, double precision: milliseconds, and the fraction of copy that the"
                  " least traffic of the fused form reaches.", ["what", "n", "ms", "of copy"], rows, keys=2)]
