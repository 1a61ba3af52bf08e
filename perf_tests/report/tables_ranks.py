# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tables of solvers over several ranks."""

from markdown import Table, number
from results import HOST_SPACES, Machine

SOLVERS = {"fused": "`FusedPcg`", "plain": "`Pcg`", "multigrid": "`FusedPcg` of `MultigridHelmholtz`"}
SYSTEMS = {"poisson": "`FusedPcg`, Poisson", "poisson-multigrid": "`FusedPcg` of `MultigridPoisson`",
           "leapfrog": "`Leapfrog`", "runge-kutta": "`RungeKutta3`", "semi-implicit": "`SemiImplicit`"}


def milliseconds(run: dict) -> float:
    return next(value for key, value in run.items() if key.startswith("milliseconds"))


def problem(run: dict) -> str:
    """What runs on different numbers of ranks have in common."""
    if run["program"] == "lamina_scaling_helmholtz":
        size = " x ".join(str(n) for n in [*run["columns"], run["levels"]])
        return f"{SOLVERS[run['solver']]}, Helmholtz, {size}"
    if run["program"] == "lamina_scaling_grids":
        return f"{SYSTEMS[run['system']]}, {' x '.join(str(n) for n in run['cells'])}"
    rows = run["mesh"][0] * run["mesh"][1] * run["mesh"][2]
    exchange = ", one exchange a sweep" if run["halo_update"] == "sweep" else ""
    return f"sweep of {rows} block rows of {run['block_size']}{exchange}"


def resources(run: dict) -> int:
    """Devices, or cores of a host."""
    return run["ranks"] * (run.get("threads", 1) if run.get("space") in HOST_SPACES else 1)


def efficiency(one: dict, run: dict) -> float:
    """Work a time and device, or core, over that of the first run."""
    work = run["ranks"] / one["ranks"] if run.get("weak") else 1
    return work * milliseconds(one) * resources(one) / (milliseconds(run) * resources(run))


def rows_of(runs: list[dict]) -> tuple[list[int], list[list[str]]]:
    """A row a problem: the time on each number of ranks, and beyond the first the efficiency."""
    counts = sorted({run["ranks"] for run in runs})
    found: dict[str, dict[int, dict]] = {}
    for run in runs:
        found.setdefault(problem(run), {})[run["ranks"]] = run
    rows = []
    for name, by_ranks in found.items():
        cells = [name]
        one = by_ranks.get(counts[0])
        for count in counts:
            run = by_ranks.get(count)
            cells.append(number(milliseconds(run)) if run else "")
            if count != counts[0]:
                cells.append(f"{100 * efficiency(one, run):.0f} %" if run and one else "")
        rows.append(cells)
    return counts, rows


def scaling(machine: Machine) -> list[Table]:
    runs = [run for run in machine.content("scaling") or [] if run.get("precision", "double") == "double"]
    tables = []
    for weak, caption in ((False, "The same problem on any number of ranks"),
                          (True, "A problem of this size on each rank")):
        chosen = [run for run in runs if bool(run.get("weak")) == weak]
        if not chosen:
            continue
        counts, rows = rows_of(chosen)
        columns = ["problem", *(word for count in counts
                                for word in ([f"{count}"] if count == counts[0] else [f"{count}", "efficiency"]))]
        transports = ", ".join(sorted({run["transport"] for run in chosen if run["ranks"] > 1}))
        tables.append(Table(f"{caption}, ms an iteration, step or sweep, double precision, transport `{transports}`.",
                            columns, rows))
    return tables


def transport(machine: Machine) -> list[Table]:
    tables = []
    for name in sorted(machine.contents):
        if not name.startswith("transport"):
            continue
        content = machine.content(name)
        usable = [of for of in content["transports"] if of["usable"]]
        sizes = [int(exchange["bytes"]) for exchange in usable[0]["exchanges"]] if usable else []
        rows = [[f"`{of['name']}`", number(of["reduction_us"]),
                 *(number(exchange["us"]) for exchange in of["exchanges"])] for of in usable]
        tables.append(Table(f"Microseconds of a sum of four values, and of an exchange of so many bytes with each"
                            f" neighbour, {content['ranks']} ranks.",
                            ["transport", "sum", *(f"{size} B" for size in sizes)], rows))
    return tables
