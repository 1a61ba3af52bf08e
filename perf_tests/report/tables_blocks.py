# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tables of block-sparse systems."""

from markdown import Table, fraction, number
from results import Case, Machine

KINDS = {"inverse,float": "float", "inverse,half": "half", "inverse,double": "double", "lu,float": "float, LU"}


def of_kind(machine: Machine, files: tuple[str, ...]) -> dict[str, dict[int, Case]]:
    """Sweeps by diagonal and storage, then by the rows of a block."""
    found: dict[str, dict[int, Case]] = {}
    for file in files:
        for case in machine.benchmarks(file):
            if case.kind == "sweep" and case.stem == "PointImplicitSolver":
                found.setdefault(",".join(case.arguments), {})[int(case.sizes["nb"])] = case
    return found


def block_rows(found: dict[str, dict[int, Case]]) -> str:
    return next((next(iter(cases.values())).sizes["rows"] for cases in found.values()), "")


def sweep(machine: Machine) -> list[Table]:
    found = of_kind(machine, ("blocks",))
    rows = [[str(nb), number(case.benchmark.milliseconds), number(case.benchmark.counter("GB/s")),
             fraction(case.benchmark.counter("fraction_of_copy"))]
            for nb, case in found.get("inverse,float", {}).items()]
    return [Table(f"One forward sweep over {block_rows(found)} block rows: blocks off the diagonal in float,"
                  " all else in double, explicit inverses.",
                  ["rows of a block", "ms", "GB/s", "of copy"], rows)]


def kinds(machine: Machine) -> list[Table]:
    found = of_kind(machine, ("blocks", "blocks_kinds"))
    sizes = sorted({nb for kind, cases in found.items() if kind != "inverse,float" for nb in cases})

    def cells(nb: int) -> list[str]:
        cases = [found.get(kind, {}).get(nb) for kind in KINDS]
        return [text for case in cases for text in
                ((number(case.benchmark.milliseconds), fraction(case.benchmark.counter("fraction_of_copy")))
                 if case else ("", ""))]

    columns = [word for name in KINDS.values() for word in (name, "of copy")]
    return [Table(f"Milliseconds of a sweep over {block_rows(found)} block rows by what blocks off the diagonal"
                  " are stored in, with explicit inverses or with LU factors.",
                  ["rows of a block", *columns], [[str(nb), *cells(nb)] for nb in sizes])]


def small(machine: Machine) -> list[Table]:
    found = of_kind(machine, ("blocks_small",))
    cases = found.get("inverse,float", {})
    return [Table(f"Microseconds of a sweep over {block_rows(found)} block rows, where launches count.",
                  ["rows of a block", *map(str, cases)],
                  [["µs", *(number(1e3 * case.benchmark.milliseconds) for case in cases.values())]])]


def fastest(case: dict, precision: str) -> float | None:
    """Milliseconds of the libraries, on a stream or as a graph."""
    times = [time for result in case["vendor"] if result["precision"] == precision and "seconds" in result
             for time in result["seconds"].values()]
    return 1e3 * min(times) if times else None


def vendor(machine: Machine) -> list[Table]:
    content = machine.content("vendor_point_implicit")
    if not content:
        return []
    tables = []
    for block_rows_here in dict.fromkeys(case["rows"] for case in content["cases"]):
        rows = []
        for case in content["cases"]:
            if case["rows"] != block_rows_here:
                continue
            ours = 1e3 * case["seconds"]["stream"]
            cells = [str(case["block_size"]), number(ours), fraction(case["fraction_of_copy"])]
            for precision in ("single", "double"):
                theirs = fastest(case, precision)
                cells += [number(theirs), number(theirs / ours, 2) if theirs else ""]
            rows.append(cells)
        tables.append(Table(
            f"Milliseconds of a forward sweep over {block_rows_here} block rows. Libraries: the fastest of"
            " cuSPARSE with cuBLAS on a stream or as a CUDA graph, all in single or all in double precision.",
            ["rows of a block", "Lamina", "of copy", "libraries, single", "over Lamina", "libraries, double",
             "over Lamina"], rows))
    return tables


def by_storage(machine: Machine, name: str, caption: str) -> list[Table]:
    cases = [case for case in machine.benchmarks(name) if case.kind == "solve"]
    storages = list(dict.fromkeys(case.arguments[0] for case in cases))
    rows: dict[str, dict[str, Case]] = {}
    for case in cases:
        rows.setdefault(case.sizes["nb"], {})[case.arguments[0]] = case
    return [Table(caption, ["rows of a block", *storages],
                  [[nb, *(number(of[s].benchmark.milliseconds) if s in of else "" for s in storages)]
                   for nb, of in rows.items()])]


def defect_correction(machine: Machine) -> list[Table]:
    return by_storage(machine, "defect_correction",
                      "Milliseconds of a solve to 1e-10 by what sweeps read, 201898 block rows, a look at the"
                      " residual after each sweep.")


def gmres(machine: Machine) -> list[Table]:
    names = {"iteration": "an iteration of `Gmres`", "sweep and matrix alone": "sweep and product alone",
             "orthogonalisation": "orthogonalisation alone"}
    rows = []
    for case in machine.benchmarks("gmres"):
        if case.arguments == ["float"] and case.kind == "orthogonalisation":
            continue  # of a solve in single precision, whose other parts are not measured
        rows.append([names.get(case.kind, case.kind), case.sizes["rows"], number(case.benchmark.milliseconds),
                     fraction(case.benchmark.counter("fraction_of_copy"))])
    return [Table("Milliseconds per iteration in the mean over a cycle of 30: blocks of 5 rows, a forward sweep"
                  " as preconditioner.", ["what", "block rows", "ms", "of copy"], rows, keys=2)]
