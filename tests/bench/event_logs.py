#!/usr/bin/env python3
"""Speed and memory of reading event logs: planvet beside simdjson, zstd beside plain, small logs beside large ones, and
the real History Server on the same log. Logs are made of stored ones (long_log.py), and nothing of them is kept.

    cmake --preset bench && ninja -C build/bench planvet planvet_bench
    tests/bench/event_logs.py --history-server /path/python-with-pyspark

Needs zstd and GNU time, and 8 GB of room in --folder. Only ratios within one run mean anything.
"""
import argparse
import glob
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import long_log

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TASKS = sorted(glob.glob(f"{ROOT}/corpus/eventlogs/spark-3.5.9/rolled/*/events_*"))   # 100 tasks a stage
PLANS = [f"{ROOT}/corpus/eventlogs/spark-4.1.4/static_joins/eventlog.zst"]            # 3 tasks a stage
ROUNDS = 3
WIDE = 100_000


class Run:
    def __init__(self, wall: float, cpu: float, megabytes: int):
        self.wall, self.cpu, self.megabytes = wall, cpu, megabytes


def best(runs: list[Run]) -> Run:
    return Run(min(run.wall for run in runs), min(run.cpu for run in runs), max(run.megabytes for run in runs))


class Bench:
    def __init__(self, options: argparse.Namespace, folder: str):
        self.options, self.folder = options, folder
        self.prefix = shlex.split(options.prefix)

    def make(self, name: str, write, *arguments) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            write(*arguments, out)
        return path

    def once(self, log: str) -> Run:
        report = os.path.join(self.folder, "time")
        subprocess.run([*self.prefix, "time", "-f", "%e %U %S %M", "-o", report, f"{self.options.build}/planvet",
                        "annotate", log, "--list"], stdout=subprocess.DEVNULL, check=True)
        with open(report) as text:
            wall, user, system, kilobytes = map(float, text.read().split())
        return Run(wall, user + system, round(kilobytes / 1024))

    def run(self, *logs: str) -> list[Run]:
        """The logs in turn, so that a machine that is busy for a while slows all of them."""
        runs: list[list[Run]] = [[] for _ in logs]
        for _ in range(ROUNDS):
            for log, done in zip(logs, runs):
                done.append(self.once(log))
        return [best(done) for done in runs]

    def against_simdjson(self, name: str, log: str) -> None:
        output = subprocess.run(
            [*self.prefix, f"{self.options.build}/tests/planvet_bench", "--benchmark_filter=(visit|fold).*log",
             "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
             f"--benchmark_repetitions={2 * ROUNDS}"],
            env={**os.environ, "PLANVET_BENCH_LOG": log}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        seconds: dict[str, float] = {}
        for row in json.loads(output.stdout)["benchmarks"]:
            if row["run_type"] == "iteration":
                seconds[row["run_name"]] = min(row["cpu_time"] / 1000, seconds.get(row["run_name"], 1e9))
        visit, fold = seconds["visit_every_value_of_log"], seconds["fold_log"]
        gigabytes = os.path.getsize(log) / 1e9
        print(f"{name:22} {fold / gigabytes:5.2f} CPU s/GB   simdjson visiting every value {visit / gigabytes:5.2f}   "
              f"throughput {visit / fold:4.2f}x of it")

    def history_server(self, log: str) -> tuple[float, float]:
        """CPU seconds until /sql answers, and the megabytes that it took; what it takes without a log is left out."""
        logs = os.path.join(self.folder, "history")
        os.makedirs(logs)
        idle, _ = self.served(logs, None)
        os.link(log, os.path.join(logs, "local-1"))
        cpu, megabytes = self.served(logs, 1)
        return cpu - idle, megabytes

    def served(self, logs: str, applications: int | None) -> tuple[float, float]:
        python = self.options.history_server
        home = subprocess.run([python, "-c", "import os, pyspark; print(os.path.dirname(pyspark.__file__))"],
                              stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        settings = f"-Dspark.history.fs.logDirectory=file:{logs} -Dspark.history.ui.port=18481"
        server = subprocess.Popen([f"{home}/bin/spark-class", "org.apache.spark.deploy.history.HistoryServer"],
                                  env={**os.environ, "SPARK_HOME": home, "SPARK_DAEMON_MEMORY": "6g",
                                       "SPARK_HISTORY_OPTS": settings},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        address = "http://127.0.0.1:18481/api/v1/applications"
        try:
            while True:
                time.sleep(0.5)
                if server.poll() is not None:
                    sys.exit("the History Server ended")
                try:
                    with urllib.request.urlopen(address) as answer:
                        found = json.load(answer)
                    if applications is None:
                        break
                    if found:
                        with urllib.request.urlopen(f"{address}/{found[0]['id']}/sql?length=1&details=false") as answer:
                            json.load(answer)
                        break
                except (urllib.error.URLError, ConnectionError):
                    pass
            with open(f"/proc/{server.pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            with open(f"/proc/{server.pid}/status") as status:
                peak = next(line for line in status if line.startswith("VmHWM"))
            ticks = int(fields[11]) + int(fields[12])
            return ticks / os.sysconf("SC_CLK_TCK"), int(peak.split()[1]) / 1024
        finally:
            server.terminate()
            server.wait()


def measure(bench: Bench, sizes: list[int]) -> None:
    print(f"{os.cpu_count()} cores; the best of {ROUNDS} runs; `planvet annotate LOG --list` unless it says otherwise")
    logs = {size: bench.make(f"tasks-{size}", long_log.write_long_log, size, TASKS) for size in sizes}
    main_size = 1000 if 1000 in logs else sizes[0]
    main_log = logs[main_size]
    plans = bench.make("plans", long_log.write_long_log, main_size, PLANS)
    print("\nThe fold alone, one thread (planvet_bench)")
    bench.against_simdjson("many tasks a stage", main_log)
    bench.against_simdjson("three tasks a stage", plans)

    print("\nThe whole program")
    for size, log in logs.items():
        run, = bench.run(log)
        print(f"{os.path.getsize(log) / 1e6:8.0f} MB of many tasks a stage    {run.cpu:6.2f} CPU s {run.wall:6.2f} s "
              f"{run.megabytes:5} MB peak")
    run, = bench.run(plans)
    print(f"{os.path.getsize(plans) / 1e6:8.0f} MB of three tasks a stage   {run.cpu:6.2f} CPU s {run.wall:6.2f} s "
          f"{run.megabytes:5} MB peak")
    small, wide = (bench.make(f"wide-{tasks}", long_log.write_wide_stage, tasks, TASKS)
                   for tasks in (WIDE // 100, WIDE))
    few, many = bench.run(small, wide)
    print(f"{os.path.getsize(wide) / 1e6:8.0f} MB, one stage of {WIDE:,} tasks "
          f"{many.cpu:5.2f} CPU s {many.wall:6.2f} s "
          f"{many.megabytes:5} MB peak ({few.megabytes} MB with {WIDE // 100:,})")
    os.remove(wide)

    compressed = main_log + ".zst"
    subprocess.run(["zstd", "-q", "-1", main_log, "-o", compressed], check=True)
    plain, zstd = bench.run(main_log, compressed)
    print(f"\nzstd beside plain, {os.path.getsize(compressed) / 1e6:.0f} of {os.path.getsize(main_log) / 1e6:.0f} MB")
    print(f"plain {plain.wall:.2f} s, zstd {zstd.wall:.2f} s: {100 * (zstd.wall / plain.wall - 1):+.0f} %; "
          f"{zstd.cpu / zstd.wall:.1f} cores busy")

    if not bench.options.history_server:
        print("\nThe real History Server was left out: --history-server PYTHON, one that has pyspark")
        return
    cpu, megabytes = bench.history_server(main_log)
    print(f"\nThe real History Server: {cpu:.1f} CPU s until /sql answers, {megabytes:.0f} MB; "
          f"planvet {plain.cpu:.2f} CPU s: {cpu / plain.cpu:.0f}x fewer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default=f"{ROOT}/build/bench")
    parser.add_argument("--sizes", default="100,1000,5000", help="megabytes")
    parser.add_argument("--folder", help="for the logs; a temporary one otherwise")
    parser.add_argument("--prefix", default="", help="in front of what is measured; 'chrt -f 50' where others work")
    parser.add_argument("--history-server", metavar="PYTHON", help="a Python that has pyspark")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="planvet-bench-", dir=options.folder) as folder:
        measure(Bench(options, folder), [int(size) for size in options.sizes.split(",")])


if __name__ == "__main__":
    main()
