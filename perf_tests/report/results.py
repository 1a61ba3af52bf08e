# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The result files: a folder a machine, as perf_tests/results/README.md describes them."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from benchmark_files import Benchmark, add_entries, is_benchmark_file

HOST_SPACES = ("Serial", "OpenMP", "Threads", "HPX")


@dataclass
class Case:
    """A benchmark and what its name says: STEM/KIND<ARGUMENT,...,SPACE>/KEY:VALUE/..."""

    stem: str
    kind: str
    arguments: list[str]
    space: str
    sizes: dict[str, str]
    benchmark: Benchmark


def case_of(benchmark: Benchmark) -> Case | None:
    """None where the name has another form."""
    head, separator, tail = benchmark.name.partition(">")
    kind, bracket, arguments = head.partition("<")
    stem, slash, kind = kind.partition("/")
    if not (separator and bracket and slash):
        return None
    *arguments, space = arguments.split(",")
    sizes = dict(part.split(":", 1) for part in tail.split("/") if ":" in part)
    return Case(stem, kind, arguments, space, sizes, benchmark)


@dataclass
class Machine:
    """One folder. `info` is machine.json; `transcribed` is transcribed.json."""

    name: str
    info: dict = field(default_factory=dict)
    contents: dict = field(default_factory=dict)
    transcribed: dict = field(default_factory=dict)

    @property
    def is_measured(self) -> bool:
        """Whether it has files that programs wrote."""
        return bool(self.contents)

    @property
    def about(self) -> dict:
        return self.info or self.transcribed.get("machine", {})

    @property
    def device(self) -> str:
        return self.about.get("device", self.name)

    @property
    def on_host(self) -> bool:
        return self.about.get("space", "OpenMP") in HOST_SPACES

    def content(self, name: str):
        """What a program wrote to NAME.json, or None."""
        return self.contents.get(name)

    def benchmarks(self, name: str) -> list[Case]:
        """Those of NAME.json that ran in the space of the machine."""
        content = self.content(name)
        if not is_benchmark_file(content):
            return []
        found: dict[str, Benchmark] = {}
        add_entries(content, found)
        cases = [case_of(benchmark) for benchmark in found.values() if benchmark.times]
        return [case for case in cases
                if case and case.space == self.info.get("space", case.space)]

    def columns(self, name: str) -> list[dict]:
        """The columns of what a program of tables wrote, of the space of the machine."""
        content = self.content(name)
        columns = content.get("columns", []) if isinstance(content, dict) else []
        return [column for column in columns if column["name"] == self.info.get("space", column["name"])]


def read_machine(folder: Path) -> Machine:
    machine = Machine(folder.name)
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        if path.stem == "machine":
            machine.info = content
        elif path.stem == "transcribed":
            machine.transcribed = content
        else:
            machine.contents[path.stem] = content
    return machine


def read_machines(folder: Path) -> list[Machine]:
    """Devices before CPU cores, and what programs wrote before what was copied by hand."""
    machines = [read_machine(child) for child in sorted(folder.iterdir())
                if child.is_dir() and any(child.glob("*.json"))]
    return sorted(machines, key=lambda m: (m.on_host, not m.is_measured, m.name))


def version_text(version) -> str:
    """Of Kokkos: 40699 is 4.6.99."""
    text = str(version)
    if not text.isdigit():
        return text
    number = int(text)
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
