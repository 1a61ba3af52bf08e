# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tests of the report and of perf_tests/measure; seconds."""

import io
import json
import re
import subprocess
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path

import pages
import readme
import report
import tables_papers
from benchmark_files import read_benchmarks
from compare import compare
from markdown import Table, fraction, number, power
from results import Machine, case_of, read_machines, version_text

ROOT = Path(__file__).resolve().parents[2]


def benchmark(name: str, milliseconds: list[float], speed: float = 100.0) -> list[dict]:
    """What Google Benchmark writes of some repetitions, and of their median."""
    runs = [{"name": name + "/manual_time", "run_name": name + "/manual_time", "run_type": "iteration",
             "real_time": time, "time_unit": "ms", "bytes": 1e6, "GB/s": speed, "fraction_of_copy": speed / 200}
            for time in milliseconds]
    return [*runs, {**runs[0], "run_type": "aggregate", "real_time": 1e9, "name": name + "_median"}]


def file_of(*entries: list[dict]) -> dict:
    return {"context": {}, "benchmarks": [run for runs in entries for run in runs]}


class Folder(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def write(self, name: str, content) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
        return path


class Benchmarks(Folder):
    def test_repetitions_are_read_and_aggregates_left_out(self):
        path = self.write("a.json", file_of(benchmark("A/run<double,Cuda>/n:4/iterations:1", [2.0, 1.0, 4.0])))
        found = read_benchmarks(path)["A/run<double,Cuda>/n:4"]
        self.assertEqual(found.milliseconds, 2.0)
        self.assertEqual(found.spread, 1.5)
        self.assertEqual(found.copy_gb_per_s, 200)

    def test_times_of_all_units_are_milliseconds(self):
        entry = benchmark("A/run<Cuda>/n:4", [3.0])[0]
        path = self.write("a.json", file_of([{**entry, "time_unit": "us"}]))
        self.assertAlmostEqual(read_benchmarks(path)["A/run<Cuda>/n:4"].milliseconds, 3e-3)

    def test_files_of_a_folder_are_repetitions(self):
        for n in (1.0, 3.0):
            self.write(f"{n}.json", file_of(benchmark("A/run<Cuda>/n:4", [n])))
        self.assertEqual(read_benchmarks(self.folder)["A/run<Cuda>/n:4"].milliseconds, 2.0)

    def test_names_are_taken_apart(self):
        path = self.write("a.json", file_of(benchmark("Pcg/iteration<fused,double,Cuda>/columns:64/levels:8", [1.0])))
        case = case_of(next(iter(read_benchmarks(path).values())))
        self.assertEqual((case.stem, case.kind, case.arguments, case.space),
                         ("Pcg", "iteration", ["fused", "double"], "Cuda"))
        self.assertEqual(case.sizes, {"columns": "64", "levels": "8"})


class Comparison(Folder):
    def compared(self, before: dict, after: dict) -> tuple[int, str]:
        lines: list[str] = []
        bad = compare(self.write("before.json", before), self.write("after.json", after), 0.01, out=lines.append)
        return bad, "\n".join(lines)

    def test_slower_benchmarks_are_flagged(self):
        bad, text = self.compared(file_of(benchmark("slow", [1.0]), benchmark("same", [1.0])),
                                  file_of(benchmark("slow", [1.02]), benchmark("same", [1.005])))
        self.assertEqual(bad, 1)
        self.assertRegex(text, r"slow .* \+2\.00 .* SLOWER")
        self.assertNotRegex(text, r"same .*(SLOWER|faster)")

    def test_where_the_spread_is_large_twice_the_change_is_allowed(self):
        noisy = [0.95, 1.0, 1.05]
        self.assertEqual(self.compared(file_of(benchmark("a", noisy)), file_of(benchmark("a", [1.015])))[0], 0)
        self.assertEqual(self.compared(file_of(benchmark("a", noisy)), file_of(benchmark("a", [1.03])))[0], 1)

    def test_faster_benchmarks_are_no_fault(self):
        bad, text = self.compared(file_of(benchmark("a", [1.0])), file_of(benchmark("a", [0.5])))
        self.assertEqual((bad, "faster" in text), (0, True))

    def test_missing_and_failed_benchmarks_are_faults(self):
        failed = [{**benchmark("b", [1.0])[0], "error_occurred": True, "error_message": "wrong result"}]
        bad, text = self.compared(file_of(benchmark("a", [1.0]), benchmark("b", [1.0])), file_of(failed))
        self.assertEqual(bad, 2)
        self.assertIn("only before", text)
        self.assertIn("wrong result", text)


class Markdown(unittest.TestCase):
    def test_numbers_have_three_digits(self):
        self.assertEqual([number(x) for x in (0.17349, 15.04, 99.96, 2507.4, 1.0, 0.0, None)],
                         ["0.173", "15.0", "100", "2507", "1.00", "0", ""])
        self.assertEqual((fraction(0.825), fraction(None)), ("0.82", ""))
        self.assertEqual(power(4.65e-5), "4.65·10⁻⁵")

    def test_rows_and_columns_without_values_are_left_out(self):
        table = Table("Caption.", ["what", "a", "b"], [["x", "1", ""], ["y", "", ""]])
        self.assertEqual(table.text(), "Caption.\n\n| what | a |\n| --- | --- |\n| x | 1 |\n")
        self.assertFalse(Table("", ["what", "a"], [["x", ""]]))

    def test_versions_of_kokkos_are_text(self):
        self.assertEqual([version_text(v) for v in (40699, "30401", "4.7.1")], ["4.6.99", "3.4.1", "4.7.1"])


class Tables(Folder):
    def machine(self) -> Machine:
        self.write("gpu/machine.json", {"device": "a GPU", "space": "Cuda", "lamina_version": "0.1.0",
                                        "kokkos_version": "4.6.99", "files": {"pcg.json": {"command": "PerfTest_Pcg"}}})
        self.write("gpu/pcg.json", file_of(
            benchmark("Pcg/iteration<fused,double,LayoutLeft,Cuda>/columns:65536/levels:128", [0.2], 150),
            benchmark("Pcg/iteration<fused,float,LayoutLeft,Cuda>/columns:65536/levels:128", [0.1], 140)))
        return read_machines(self.folder)[0]

    def test_an_iteration_has_a_row_with_both_precisions(self):
        self.machine()
        text = pages.include_text(read_machines(self.folder), "helmholtz-iteration")
        self.assertIn("| `FusedPcg` | 256 x 256 x 128 | 9 | 0.200 | 0.75 | 0.100 | 0.70 |", text)
        self.assertIn("**a GPU**", text)

    def test_hypre_is_compared_with_the_first_solver_to_each_tolerance(self):
        def solver(name: str, times: list[float]) -> dict:
            return {"name": name, "setup_seconds": 0.5,
                    "solves": [{"tolerance": tolerance, "seconds": seconds, "iterations": 4}
                               for tolerance, seconds in zip((1e-5, 1e-10), times)]}
        self.write("cpu/hypre_helmholtz.json",
                   [{"size": [8, 8, 4], "threads": 2, "ranks": 2, "hypre_version": "2.26.0", "repetitions": 3,
                     "solvers": [solver("ours", [0.1, 0.2]), solver("SMG", [0.3, 0.9])]}])
        text = pages.include_text(read_machines(self.folder), "helmholtz-multigrid")
        self.assertIn("8 x 8 x 4 cells", text)
        self.assertIn("| solver | set-up | to 1e-5 | iterations | over first | to 1e-10 |", text)
        self.assertIn("| SMG | 500 | 300 | 4 | 3.00 | 900 | 4 | 4.50 |", text)

    def test_pages_without_files_are_empty(self):
        self.machine()
        machines = read_machines(self.folder)
        for include in pages.INCLUDES:
            if include != "helmholtz-iteration":
                self.assertEqual(pages.include_text(machines, include), "", include)

    def test_transcribed_tables_go_where_a_file_replaces_them(self):
        table = {"include": "lines", "caption": "C.", "columns": ["a", "b"], "rows": [["x", "1"]], "state": "0.1.0"}
        machine = Machine("old", transcribed={"machine": {"device": "an old GPU"}, "tables": [table]})
        self.assertIn("| x | 1 |", pages.include_text([machine], "lines"))
        table["replaced_by"] = "lines"
        machine.contents["lines"] = file_of(benchmark("LineSolver/other", [1.0]))
        self.assertEqual(pages.include_text([machine], "lines"), "")

    def test_time_to_an_accuracy_lies_between_runs(self):
        points = [{"scheme": "rk3", "newton_tolerance": 0, "seconds": s, "error": e} for s, e in ((1, 1e-2), (4, 1e-4))]
        self.assertAlmostEqual(tables_papers.seconds_to(points, "rk3", 1e-3), 2)
        self.assertIsNone(tables_papers.seconds_to(points, "rk3", 1e-5))

    def test_readme_is_written_and_checked(self):
        self.machine()
        path = self.folder / "README.md"
        path.write_text(f"before\n{readme.BEGIN}\nold\n{readme.END}\nafter\n")
        arguments = ["readme", "--results", str(self.folder), "--readme", str(path)]
        with redirect_stderr(io.StringIO()):
            self.assertEqual(report.main([*arguments, "--check"]), 1)
        self.assertEqual(report.main(arguments), 0)
        self.assertEqual(report.main([*arguments, "--check"]), 0)
        text = path.read_text()
        self.assertIn("| `FusedPcg`, an iteration, 256 x 256 x 128 cells | 0.200 | 0.75 |", text)
        self.assertTrue(text.startswith("before\n") and text.endswith("\nafter\n"))

    def test_files_without_a_row_of_readme_leave_what_was_copied_by_hand(self):
        rows = {"fused-pcg": {"ms": "0.173"}}
        machine = Machine("old", transcribed={"machine": {"device": "an old GPU"}, "headline": rows})
        self.assertEqual(readme.headline(machine), rows)
        machine.contents["transport"] = {"program": "PerfTest_Transport"}
        self.assertEqual(readme.headline(machine), rows)


class Repository(Folder):
    def test_all_result_files_make_tables(self):
        pages.write_pages(read_machines(ROOT / "perf_tests" / "results"), ROOT / "docs" / "pictures", self.folder)
        included = set()
        for page in (ROOT / "docs" / "performance").glob("*.md"):
            included |= set(re.findall(r"\{include\} \S*/performance/(\S+)", page.read_text()))
        self.assertEqual(included, {path.name for path in self.folder.glob("*.md")})

    def test_transcribed_tables_are_whole(self):
        for machine in read_machines(ROOT / "perf_tests" / "results"):
            for table in machine.transcribed.get("tables", []):
                self.assertIn(table["include"], pages.INCLUDES)
                for row in table["rows"]:
                    self.assertEqual(len(row), len(table["columns"]), table["caption"])


FAKE = """#!/usr/bin/env bash
case $1 in
  info) printf 'Lamina 0.1.0\\n\\n  Kokkos      4.6.99, Kokkos Kernels 4.7.99\\n  compiler    gcc 12\\n\\n  cuda        a "GPU"\\n'; exit ;;
  --benchmark_list_tests) printf 'A/run<double,Serial>/n:1\\nA/run<double,Cuda>/n:1\\n'; exit ;;
esac
[[ $0 != *Stream ]] || exit 1
while (($#)); do
  case $1 in
    --json) echo '{"host_name": "secret"}' >"$2" ;;
    --benchmark_out=*) echo '{"context": {"host_name": "secret"}, "benchmarks": []}' >"${1#*=}" ;;
  esac
  shift
done
"""


class Measure(Folder):
    """perf_tests/measure with programs that measure nothing."""

    def setUp(self):
        super().setUp()
        self.bin, self.output = self.folder / "bin", self.folder / "out"
        self.bin.mkdir()
        for name in ("lamina", "PerfTest_Stream", "PerfTest_Pcg", "PerfTest_LineSolver", "lamina_vendor_helmholtz"):
            (self.bin / name).write_text(FAKE)
            (self.bin / name).chmod(0o755)

    def measure(self, *arguments: str) -> str:
        return subprocess.run([ROOT / "perf_tests" / "measure", *arguments[:-1], self.bin, self.output,
                               *arguments[-1].split()], check=True, text=True, capture_output=True).stdout

    def test_files_and_their_command_lines_are_kept(self):
        printed = self.measure("")
        self.assertIn("skipped, there is no PerfTest_Poisson", printed)
        info = json.loads((self.output / "machine.json").read_text())
        self.assertEqual((info["device"], info["space"], info["kokkos_version"], info["kokkos_kernels_version"]),
                         ('a "GPU"', "Cuda", "4.6.99", "4.7.99"))
        written = {path.name for path in self.output.glob("*.json")} - {"machine.json"}
        self.assertEqual(written, set(info["files"]))
        self.assertEqual(written, {"pcg.json", "lines.json", "vendor_helmholtz.json", "sizes.json", "tolerance.json"})
        self.assertIn("LayoutLeft,Cuda>", info["files"]["pcg.json"]["command"])
        for name in written:
            self.assertNotIn("secret", (self.output / name).read_text())

    def test_some_files_can_be_measured_again(self):
        self.measure("")
        self.assertEqual(len(self.measure("pcg").splitlines()), 2)
        self.assertEqual(len(json.loads((self.output / "machine.json").read_text())["files"]), 5)

    def test_what_is_beyond_the_time_is_left_out(self):
        self.assertIn("left out", self.measure("--seconds", "0", "pcg"))


if __name__ == "__main__":
    unittest.main()
