# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Reads what Google Benchmark writes with --benchmark_out_format=json."""

import json
import statistics
from dataclasses import dataclass, field
from pathlib import Path

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
COUNTERS = ("bytes", "GB/s", "GFLOP/s", "fraction_of_copy")


@dataclass
class Benchmark:
    """One benchmark with all its repetitions; times in milliseconds."""

    name: str
    times: list[float] = field(default_factory=list)
    counters: dict[str, list[float]] = field(default_factory=dict)
    error: str = ""

    @property
    def milliseconds(self) -> float:
        return statistics.median(self.times)

    @property
    def spread(self) -> float:
        """From the fastest to the slowest repetition, as a fraction of the median."""
        return (max(self.times) - min(self.times)) / self.milliseconds

    def counter(self, name: str) -> float | None:
        values = self.counters.get(name)
        return statistics.median(values) if values else None

    @property
    def copy_gb_per_s(self) -> float | None:
        """The copy bandwidth of the run: the rate of the kernel over its fraction of it."""
        rate, fraction = self.counter("GB/s"), self.counter("fraction_of_copy")
        return rate / fraction if rate and fraction else None


def is_benchmark_file(content) -> bool:
    return isinstance(content, dict) and "benchmarks" in content and "context" in content


def plain_name(entry: dict) -> str:
    """The name without what Google Benchmark appends for its own use."""
    parts = entry.get("run_name", entry["name"]).split("/")
    own = ("manual_time", "real_time", "process_time")
    return "/".join(p for p in parts
                    if p not in own and not p.startswith(("iterations:", "repeats:")))


def add_entries(content: dict, benchmarks: dict[str, Benchmark]) -> None:
    """Adds the runs of one file to those that are there, as more repetitions."""
    for entry in content["benchmarks"]:
        if entry.get("run_type", "iteration") != "iteration":
            continue  # a mean or median that Google Benchmark worked out: repetitions are here too
        benchmark = benchmarks.setdefault(plain_name(entry), Benchmark(plain_name(entry)))
        if entry.get("error_occurred"):
            benchmark.error = entry.get("error_message", "failed")
            continue
        milliseconds = entry["real_time"] * NANOSECONDS[entry.get("time_unit", "ns")] * 1e-6
        benchmark.times.append(milliseconds)
        for counter in COUNTERS:
            if counter in entry:
                benchmark.counters.setdefault(counter, []).append(entry[counter])


def read_benchmarks(path: Path) -> dict[str, Benchmark]:
    """Of a file, or of all files of a folder: what several of them hold counts as repetitions."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    benchmarks: dict[str, Benchmark] = {}
    for file in files:
        content = json.loads(file.read_text())
        if is_benchmark_file(content):
            add_entries(content, benchmarks)
        elif not path.is_dir():
            raise ValueError(f"{file} is not a file of Google Benchmark")
    return benchmarks
