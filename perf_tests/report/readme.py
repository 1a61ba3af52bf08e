# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The one table of README.md: a row a solver, of one device and one CPU."""

import textwrap
from pathlib import Path

from markdown import Table, fraction, number
from results import Case, Machine, version_text

BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"

# Key, what is measured, result file, and how the benchmark is called: kind, arguments, sizes.
ROWS = (
    ("fused-pcg", "`FusedPcg`, an iteration, 256 x 256 x 128 cells", "pcg",
     "iteration", ("fused", "double"), {"columns": "65536", "levels": "128"}),
    ("fused-pcg-stored", "`FusedPcgStored`, the same", "pcg",
     "iteration", ("fused-stored", "double"), {"columns": "65536", "levels": "128"}),
    ("pcg", "`Pcg`, the same", "pcg", "iteration", ("plain", "double"), {"columns": "65536", "levels": "128"}),
    ("lines", "`LineSolver`, 65536 columns of 128 levels", "lines",
     "solve", ("general", "double"), {"columns": "65536", "levels": "128"}),
    ("blocks-980000", "`PointImplicitSolver`, a sweep, 980000 blocks of 5 rows", "blocks",
     "sweep", ("inverse", "float"), {"nb": "5", "rows": "980000"}),
    ("blocks-201898", "`PointImplicitSolver`, a sweep, 201898 blocks of 5 rows", "blocks",
     "sweep", ("inverse", "float"), {"nb": "5", "rows": "201898"}),
    ("fused-cg", "`FusedPcg` without preconditioner, an iteration, 4096 x 4096 points", "poisson",
     "iteration", ("fused-cg", "auto", "double"), {"n": "4096"}),
    ("leapfrog", "`Leapfrog`, a step, 2048 x 2048 cells", "shallow_water",
     "step", ("leapfrog", "double"), {"n": "2048"}),
    ("rk3", "`RungeKutta3`, the same", "shallow_water", "step", ("rk3", "double"), {"n": "2048"}),
    ("semi-implicit", "`SemiImplicit`, the same", "shallow_water",
     "step", ("semi-implicit", "double"), {"n": "2048"}),
)


def is_it(case: Case, kind: str, arguments: tuple, sizes: dict) -> bool:
    """Layouts may stand behind the arguments."""
    return case.kind == kind and case.sizes == sizes and tuple(case.arguments[:len(arguments)]) == arguments


def libraries_over_ours(machine: Machine) -> dict[str, float]:
    """How much longer the vendor's libraries take in double precision, measured in one run with ours."""
    ratios = {}
    content = machine.content("vendor_helmholtz") or {}
    for precision in content.get("precisions", []):
        for result in precision["lamina"]:
            if precision["precision"] == "double" and result["name"].endswith("FusedPcg"):
                ratios["fused-pcg"] = result.get("vendor_over_lamina")
    for case in (machine.content("vendor_point_implicit") or {}).get("cases", []):
        if case["block_size"] == 5:
            ratios[f"blocks-{case['rows']}"] = case.get("vendor_over_lamina", {}).get("double")
    for precision in (machine.content("vendor_poisson") or {}).get("precisions", []):
        for size in precision["sizes"]:
            if (precision["precision"], size["size"]) == ("double", 4096):
                ratios["fused-cg"] = size["solvers"]["vendor graph"].get("over_fused")
    return ratios


def measured(machine: Machine) -> dict[str, dict]:
    """Of each row that result files of the machine have: ms, fraction_of_copy and libraries."""
    found = {}
    ratios = libraries_over_ours(machine)
    for key, _, file, kind, arguments, sizes in ROWS:
        for case in machine.benchmarks(file):
            if is_it(case, kind, arguments, sizes):
                found[key] = {"ms": case.benchmark.milliseconds, "libraries": ratios.get(key),
                              "fraction_of_copy": case.benchmark.counter("fraction_of_copy")}
    return found


def headline(machine: Machine) -> dict[str, dict]:
    return measured(machine) or machine.transcribed.get("headline", {})


def num_values(rows: dict[str, dict]) -> int:
    return sum(value is not None for row in rows.values() for value in row.values())


def chosen(machines: list[Machine]) -> list[tuple[Machine, dict]]:
    """The device and the CPU of which most is known, by number of values."""
    result = []
    for on_host in (False, True):
        candidates = [(m, headline(m)) for m in machines if m.on_host == on_host]
        known = sorted((c for c in candidates if c[1]), key=lambda c: -num_values(c[1]))
        result += known[:1]
    return result


def state_of(machine: Machine) -> str:
    about = machine.about if measured(machine) else machine.transcribed["machine"]
    lamina = about.get("lamina_version", "")
    return f"{machine.device}: Lamina {lamina}, Kokkos {version_text(about.get('kokkos_version', ''))}"


def results_text(machines: list[Machine]) -> str:
    columns = chosen(machines)
    heads, rows = ["double precision"], []
    for machine, _ in columns:
        heads += [f"{machine.device}: ms", "of copy", "libraries"]
    for key, what, *_ in ROWS:
        cells = [what]
        for _, values in columns:
            of = values.get(key, {})
            ratio = of.get("libraries")
            milliseconds = of.get("ms")  # text where copied by hand, with the digits that were known
            cells += [milliseconds if isinstance(milliseconds, str) else number(milliseconds), fraction(of.get("fraction_of_copy")),
                      f"{number(ratio, 2)} x" if ratio else ""]
        rows.append(cells)
    note = ("*of copy*: the time that the least traffic takes at the speed of a copy, over the time measured."
            + (" *libraries*: how many times longer cuSPARSE and cuBLAS take, in a run of both. "
               if any(row[n] for row in rows for n, head in enumerate(heads) if head == "libraries") else " ")
            + "; ".join(state_of(machine) for machine, _ in columns) + ".")
    return Table("", heads, rows, note=textwrap.fill(note, 120)).text()


def with_table(text: str, table: str) -> str:
    """README with the table between the markers."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README has no {BEGIN} ... {END}")
    return f"{before}{BEGIN}\n{table}{END}{after}"


def update_readme(path: Path, machines: list[Machine], check: bool) -> bool:
    """Whether README was right; without `check` it is afterwards."""
    text = path.read_text(encoding="utf-8")
    wanted = with_table(text, results_text(machines))
    if text != wanted and not check:
        path.write_text(wanted, encoding="utf-8")
    return text == wanted
