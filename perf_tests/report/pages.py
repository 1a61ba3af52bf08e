# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The files that the pages of docs/performance include."""

from pathlib import Path

import tables_blocks as blocks
import tables_helmholtz as helmholtz
import tables_papers as papers
import tables_ranks as ranks
import tables_squares as squares
from markdown import Table, number
from results import Machine, version_text

# Of each file the tables in it, a function of a machine each.
INCLUDES = {
    "helmholtz-iteration": [helmholtz.iteration],
    "helmholtz-vendor": [helmholtz.vendor],
    "helmholtz-multigrid": [helmholtz.hypre],
    "helmholtz-cycles": [helmholtz.cycles, helmholtz.real_grids],
    "helmholtz-coefficients": [helmholtz.coefficients],
    "helmholtz-sizes": [helmholtz.sizes],
    "helmholtz-tolerance": [helmholtz.tolerance],
    "helmholtz-kernels": [helmholtz.kernels],
    "helmholtz-spaces": [helmholtz.spaces],
    "lines": [helmholtz.lines],
    "blocks-sweep": [blocks.sweep, blocks.small],
    "blocks-kinds": [blocks.kinds],
    "blocks-vendor": [blocks.vendor],
    "blocks-solves": [blocks.defect_correction, blocks.gmres],
    "poisson-iteration": [squares.poisson_iteration],
    "poisson-multigrid": [squares.poisson_multigrid],
    "poisson-vendor": [squares.poisson_vendor],
    "poisson-memory": [squares.poisson_memory],
    "shallow-water-step": [squares.water_step],
    "shallow-water-parts": [squares.water_parts],
    "ranks-scaling": [ranks.scaling],
    "ranks-transport": [ranks.transport],
    "papers-helmholtz": [papers.helmholtz],
    "papers-point-implicit": [papers.point_implicit],
    "papers-poisson": [papers.poisson],
    "papers-shallow-water": [papers.water_time_steps, papers.water_runs, papers.water_accuracy],
}


def heading(machine: Machine) -> str:
    return f"**{machine.device}**"


def transcribed_tables(machine: Machine, include: str) -> list[str]:
    """Those that no file has replaced yet, with the state at which they were measured."""
    texts = []
    for table in machine.transcribed.get("tables", []):
        if table["include"] != include or machine.content(table.get("replaced_by", "")):
            continue
        rows = [["" if cell is None else str(cell) for cell in row] for row in table["rows"]]
        about = machine.transcribed["machine"]
        kokkos = f", Kokkos {version_text(about['kokkos_version'])}" if "kokkos_version" in about else ""
        state = f"*Copied by hand: Lamina {table['state']}{kokkos}.*"
        texts.append(Table(f"**{about['device']}**. {table['caption']}", table["columns"], rows,
                           note="\n\n".join(part for part in (table.get("note", ""), state) if part)).text())
    return texts


def include_text(machines: list[Machine], include: str) -> str:
    """The tables of all machines; empty where there is none."""
    texts = []
    for machine in machines:
        for function in INCLUDES[include]:
            for table in function(machine):
                if table:
                    table.caption = f"{heading(machine)}. {table.caption}"
                    texts.append(table.text())
        texts += transcribed_tables(machine, include)
    return "\n".join(texts)


# --- The machines ---

def stream_cells(machine: Machine) -> list[str]:
    """GB/s of copy, read, update and triad."""
    speeds = {"copy": 0.0}
    for case in machine.benchmarks("stream"):
        speed = case.benchmark.counter("GB/s") or 0.0
        speeds[case.kind] = max(speed, speeds.get(case.kind, 0.0))
    return [number(speeds[kind]) if speeds.get(kind) else "" for kind in ("copy", "read", "update", "triad")]


def machines_text(machines: list[Machine]) -> str:
    rows = []
    for machine in machines:
        about = machine.about
        lamina = about.get("lamina_version", "")
        if about.get("lamina_state"):
            lamina += f" ({about['lamina_state']})"
        rows.append([machine.device, f"{about['cores']} cores" if about.get("cores") and machine.on_host else
                     about.get("cpu", ""), about.get("compiler", ""), version_text(about.get("kokkos_version", "")),
                     about.get("kokkos_kernels_version", ""), lamina, about.get("date", "")])
    speeds = [[machine.device, *stream_cells(machine)] for machine in machines]
    return "\n".join(table.text() for table in (
        Table("", ["machine", "CPU", "compiler", "Kokkos", "Kokkos Kernels", "Lamina", "measured"], rows),
        Table("Bandwidth of `PerfTest_Stream`, GB/s.", ["machine", "copy", "read", "update", "triad"], speeds))
        if table)


def commands_text(machines: list[Machine]) -> str:
    texts = []
    for machine in machines:
        files = machine.info.get("files", {})
        if files:
            lines = [f"{name}: {files[name]['command']}" for name in sorted(files)]
            texts.append(f"{heading(machine)}:\n\n```text\n" + "\n".join(lines) + "\n```\n")
    return "\n".join(texts)


# --- Pictures ---

PICTURES = {"picture-iterations": ("iterations.png", "Time per iteration of each solver, with the bound at copy speed"),
            "picture-sizes": ("sizes.png", "Time per unknown and iteration over the number of unknowns"),
            "picture-roofline": ("roofline.png", "Kernels between flops per byte and GFLOP/s, under the copy bandwidth"),
            "picture-memories": ("memories.png", "Time per iteration over N through every memory, plain and fused")}


def picture_text(pictures: Path, name: str) -> str:
    """Of a page in docs/performance; empty where nobody has drawn it."""
    file, text = PICTURES[name]
    return f"![{text}](../pictures/{file})\n" if (pictures / file).exists() else ""


def write_pages(machines: list[Machine], pictures: Path, output: Path) -> int:
    """Returns the number of files."""
    texts = {name: include_text(machines, name) for name in INCLUDES}
    texts |= {name: picture_text(pictures, name) for name in PICTURES}
    texts |= {"machines": machines_text(machines), "commands": commands_text(machines)}
    output.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (output / f"{name}.md").write_text(text, encoding="utf-8")
    return len(texts)
