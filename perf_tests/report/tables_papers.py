# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""What the papers printed beside what the same programs do here."""

import math

from markdown import Table, fraction, number, power
from results import Machine

# Rows of Mueller et al.: what, implementation, part (None: the iteration).
PARTS = (("fused sweep with the operator", "interleaved", "SpMV"),
         ("fused sweep with the line solve", "interleaved", "preconditioner"),
         ("iteration, matrix-explicit", "matrix-explicit", None),
         ("iteration, matrix-free", "matrix-free", None),
         ("iteration, fused, as published", "interleaved", None),
         ("iteration, fused, A p recomputed", "recomputed", None))
COLUMNS = {"paper C": "paper, C, one core (2012)", "paper CUDA": "paper, CUDA, M2090", "C here": "C, here"}


def milliseconds_of(column: dict, precision: str, implementation: str, part: str | None) -> float | None:
    for row in column["rows"]:
        if (row["precision"], row["implementation"]) != (precision, implementation):
            continue
        if part is None:
            return 1e3 * row["iteration"]["seconds"]["minimum"]
        return next((1e3 * kernel["seconds"]["minimum"] for kernel in row["kernels"] if kernel["name"] == part),
                    None)
    return None


def cell_of(column: dict, milliseconds: float | None) -> str:
    """The paper's numbers with the digits that it prints."""
    if milliseconds is not None and column["name"].startswith("paper"):
        return f"{milliseconds:.6g}"
    return number(milliseconds)


def helmholtz(machine: Machine) -> list[Table]:
    content = machine.content("paper_helmholtz")
    if not content:
        return []
    columns = content["columns"]
    size = " x ".join(str(extent) for extent in content["size"])
    tables = []
    for precision in ("double", "single"):
        rows = [[what, *(cell_of(column, milliseconds_of(column, precision, implementation, part))
                         for column in columns)] for what, implementation, part in PARTS]
        totals = [next((1e3 * row["total_seconds"] for row in column["rows"] if row["precision"] == precision
                        and row["implementation"] == "interleaved"), None) for column in columns]
        rows.append(["100 iterations as published, with transfers", *map(cell_of, columns, totals)])
        tables.append(Table(f"Müller et al. (2013), Tables 3 to 6: milliseconds, {precision} precision, {size}"
                            " cells. Iterations here hold their share of the start of a solve.",
                            ["what", *(COLUMNS.get(c["name"], c["name"]) for c in columns)], rows))
    return tables + helmholtz_multigrid(machine) + helmholtz_sizes(machine)


def helmholtz_multigrid(machine: Machine) -> list[Table]:
    content = machine.content("paper_helmholtz")
    factor = content["paper_figures"].get("multigrid_factor")
    tables = []
    for column in machine.columns("paper_helmholtz"):
        rows = []
        for row in column.get("to_tolerance", []):
            lines, cycles = row["seconds_with_lines"], row["seconds_with_cycles"]
            rows.append([row["precision"], number(1e3 * lines), str(row["iterations_with_lines"]),
                         number(1e3 * cycles), str(row["iterations_with_cycles"]), number(lines / cycles)])
        if rows:
            tables.append(Table("Section 7.4.1: milliseconds of `FusedPcg` to a residual of 1e-5 with its set-up, by lines"
                                f" and by cycles of multigrid. The paper tells of a factor of around {factor:g} on its CPU.",
                                ["precision", "lines", "iterations", "cycles", "iterations", "factor"], rows))
    return tables


def helmholtz_sizes(machine: Machine) -> list[Table]:
    tables = []
    for column in machine.columns("paper_helmholtz"):
        points = [point for point in column["sizes"]
                  if point["implementation"] == "recomputed" and point.get("ns_per_unknown", 0) > 0]
        rows = []
        for unknowns in dict.fromkeys(point["unknowns"] for point in points):
            cells = [power(unknowns)]
            for precision in ("double", "single"):
                point = next((p for p in points if p["unknowns"] == unknowns and p["precision"] == precision), None)
                cells += [number(point["ns_per_unknown"]), fraction(point["iteration"]["fraction_of_copy"])] \
                    if point else ["", ""]
            rows.append(cells)
        tables.append(Table("Figures 6 and 7: nanoseconds per unknown and iteration of `FusedPcg`, without the"
                            " start of a solve.", ["unknowns", "double", "of copy", "single", "of copy"], rows))
    return tables


def point_implicit(machine: Machine) -> list[Table]:
    content = machine.content("paper_point_implicit")
    if not content:
        return []
    published = {matrix["rows"]: matrix for matrix in content["published"]["matrices"]}
    tables = []
    for column in machine.columns("paper_point_implicit"):
        for matrix in column["matrices"]:
            paper = published[matrix["paper_rows"]]
            rows = []
            for sweep in matrix["sweeps"]:
                nb = sweep["block_size"]
                theirs = [f"{paper[name][nb - 1]:g}" if nb <= len(paper[name]) else ""
                          for name in ("baseline_ms", "optimized_ms")]
                ours = ["", ""] if "skipped" in sweep else [number(1e3 * sweep["seconds"]["minimum"]),
                                                            fraction(sweep["fraction_of_copy"])]
                rows.append([str(nb), *theirs, *ours])
            tables.append(Table(
                f"Zubair et al. (2016), Tables III and IV: milliseconds of a sweep. Theirs: {matrix['paper_rows']}"
                f" rows on a Tesla K40 (288 GB/s); here: {matrix['rows']} rows of a generated mesh.",
                ["rows of a block", "paper, libraries", "paper, their kernels", "here", "of copy"], rows))
    return tables


def poisson(machine: Machine) -> list[Table]:
    content = machine.content("paper_poisson")
    if not content:
        return []
    tables = []
    for column in machine.columns("paper_poisson"):
        points = [p for p in column["points"] if p["precision"] == "double" and p["memory"] == "auto"
                  and "skipped" not in p]
        rows = []
        for solve in content["published"]["solves"]:
            cells = [str(solve["n"]), str(solve["iterations"]), power(solve["linf"], 4), f"{solve['seconds']:g}"]
            here = {p["solver"]: p for p in points if p["n"] == solve["n"]}
            fused, plain = here.get("fused-cg"), here.get("cg")
            cells += [str(fused["iterations"]), power(fused["error"]["linf"], 4)] if fused else ["", ""]
            cells += [number(p["solve"]["minimum"]) if p else "" for p in (plain, fused)]
            if here:
                rows.append(cells)
        tables.append(Table(
            "Wang et al. (2012), Table 1: solves to 1e-6 in double precision, theirs on a Tesla C2070.",
            ["N", "iterations, paper", "largest error, paper", "s, paper", "iterations", "largest error",
             "s, `Pcg`", "s, `FusedPcg`"], rows))
    return tables


def water_time_steps(machine: Machine) -> list[Table]:
    content = machine.content("paper_shallow_water_convergence")
    if not content:
        return []
    paper = {step["scheme"]: step["time_step"] for step in content["published"]["time_steps"]}
    size = content["sizes"]["convergence"]
    return [Table(f"Saunders (2014), Table 3: time step that leaves an error of the height of 2⁻²⁵ at t = 0.03,"
                  f" {size} x {size} cells.", ["scheme", "paper", "here", "order of the errors"],
                  [[step["scheme"], power(paper[step["scheme"]]), power(step["time_step"]), f"{step['order']:.2f}"]
                   for step in column["time_steps"]])
            for column in machine.columns("paper_shallow_water_convergence")]


def water_runs(machine: Machine) -> list[Table]:
    content = machine.content("paper_shallow_water")
    if not content:
        return []
    schemes = ("leapfrog", "rk3", "semi-implicit")
    paper = {(run["scheme"], run["cfl"]): run["seconds"] for run in content["published"]["runs"]}
    size = content["sizes"]["runs"]
    tables = []
    for column in machine.columns("paper_shallow_water"):
        ours: dict[tuple, float] = {}
        for run in column["runs"]:  # the faster of both mass solvers
            key = (run["scheme"], run["cfl"])
            if run["sound"]:
                ours[key] = min(run["seconds"], ours.get(key, math.inf))
        rows = [[f"{cfl:g}", *(text for scheme in schemes for text in
                                 (number(ours.get((scheme, cfl))), f"{paper[scheme, cfl]:g}"
                                  if (scheme, cfl) in paper else ""))]
                for cfl in dict.fromkeys(cfl for _, cfl in ours)]
        tables.append(Table(f"Section 7: seconds to t = 0.01 on {size} x {size} cells with the paper's tolerances;"
                            " the paper's on 5120 x 5120 cells with four Tesla M2090.",
                            ["time step over cell width", *(word for s in schemes for word in (s, "paper"))], rows))
    return tables


def seconds_to(points: list[dict], scheme: str, error: float) -> float | None:
    """The shortest time to an error, between the runs of one tolerance: as the program prints it."""
    shortest, before = None, None
    for point in points:
        if point["scheme"] != scheme or point["error"] is None or not math.isfinite(point["error"]):
            continue
        if before and before["newton_tolerance"] != point["newton_tolerance"]:
            before = None
        if point["error"] <= error and (before is None or before["error"] > error):
            seconds = point["seconds"]
            if before:
                part = math.log(error / before["error"]) / math.log(point["error"] / before["error"])
                seconds = before["seconds"] * (point["seconds"] / before["seconds"]) ** part
            shortest = seconds if shortest is None else min(shortest, seconds)
        before = point
    return shortest


def water_accuracy(machine: Machine) -> list[Table]:
    content = machine.content("paper_shallow_water_accuracy")
    if not content:
        return []
    errors = [10.0 ** -n for n in range(4, 9)]
    size = content["sizes"]["accuracy"]
    return [Table(f"Seconds until a scheme has an error in time: L2 of the height of a depression in a flow at"
                  f" t = 0.1, {size} x {size} cells, each scheme with the fastest of its time steps and tolerances.",
                  ["error", *(power(error, 0).replace("1·", "") for error in errors)],
                  [[scheme, *(number(seconds_to(column["accuracy"], scheme, error)) for error in errors)]
                   for scheme in ("leapfrog", "rk3", "semi-implicit")])
            for column in machine.columns("paper_shallow_water_accuracy")]
