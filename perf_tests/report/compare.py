# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Compares two runs of the benchmarks, before and after a change."""

from pathlib import Path

from benchmark_files import Benchmark, read_benchmarks


def change_of(before: Benchmark, after: Benchmark) -> float:
    """Of the median time, as a fraction: positive is slower."""
    return after.milliseconds / before.milliseconds - 1


def verdict(before: Benchmark, after: Benchmark, limit: float) -> str:
    """`limit` is doubled where repetitions of one run differ by more than it."""
    noisy = max(before.spread, after.spread) > limit
    change, allowed = change_of(before, after), (2 if noisy else 1) * limit
    return "SLOWER" if change > allowed else "faster" if change < -allowed else ""


def compare(before_path: Path, after_path: Path, limit: float, only_flagged: bool = False,
            out=print) -> int:
    """Prints a line a benchmark; returns how many are slower, failed or missing after."""
    before, after = read_benchmarks(before_path), read_benchmarks(after_path)
    names = [name for name in before if name in after]
    width = max((len(name) for name in names), default=4)
    out(f"{'benchmark':{width}} {'before ms':>10} {'after ms':>10} {'change %':>9}"
        f" {'spread %':>9} {'runs':>5}")
    bad = 0
    for name in names:
        b, a = before[name], after[name]
        if b.error or a.error or not b.times or not a.times:
            bad += bool(a.error and not b.error)
            out(f"{name:{width}} failed: before '{b.error}', after '{a.error}'")
            continue
        word = verdict(b, a, limit)
        bad += word == "SLOWER"
        if word or not only_flagged:
            runs = f"{len(b.times)},{len(a.times)}"
            out(f"{name:{width}} {b.milliseconds:10.4g} {a.milliseconds:10.4g}"
                f" {100 * change_of(b, a):+9.2f} {100 * max(b.spread, a.spread):9.2f} {runs:>5}"
                f" {word}".rstrip())
    for name in before:
        if name not in after:
            bad += 1
            out(f"{name}: only before")
    for name in after:
        if name not in before:
            out(f"{name}: only after")
    out(f"{len(names)} compared, {bad} slower by more than {100 * limit:g} %"
        f" ({200 * limit:g} % where the spread is larger), failed or missing")
    return bad
