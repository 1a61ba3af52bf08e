# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The pictures of docs/performance, from the result files of one machine. Needs matplotlib."""

from pathlib import Path

from results import Machine


def draw_pictures(machines: list[Machine], results: Path, output: Path) -> list[Path]:
    """Of the first machine that has the paper's tables, devices first. Returns what it drew."""
    import paper_pictures
    import plot_results
    import poisson_pictures

    def folder_with(file: str) -> tuple[Path, list[str]] | None:
        machine = next((m for m in machines if m.columns(file)), None)
        return (results / machine.name, [machine.columns(file)[0]["name"]]) if machine else None

    output.mkdir(parents=True, exist_ok=True)
    drawn = []
    found = folder_with("paper_helmholtz")
    if found:
        folder, names = found
        path, vendor = folder / "paper_helmholtz.json", folder / "vendor_helmholtz.json"
        plot_results.plot_iterations(path, output / "iterations.png", vendor if vendor.exists() else None,
                                     ["paper CUDA", *names], True)
        paper_pictures.plot_roofline(path, output / "roofline.png", names)
        drawn += ["iterations.png", "roofline.png"]
        if any(column["sizes"] for column in paper_pictures.read(path)["columns"]):
            paper_pictures.plot_sizes(path, output / "sizes.png", names)
            drawn.append("sizes.png")
    found = folder_with("paper_poisson_iterations")
    if found:
        folder, names = found
        poisson_pictures.plot_memories(folder / "paper_poisson_iterations.json", output / "memories.png", names)
        drawn.append("memories.png")
    return [output / name for name in drawn]
