#!/usr/bin/env python3
"""Runs applications with the Spark of this Python and stores their event logs with the History Server's answers.

    /path/spark-3.5.9/bin/python run.py [--out ../../eventlogs] [--only NAME ...] [--list]

Writes <out>/spark-<version>/<application>/: see cases.py. To add a case: a function in applications/*.py.

Logs name the files of code, Spark and data that made them, so everything runs below one neutral folder, where all of it
is linked to: PLANVET_EVENTLOG_DATA, or /tmp/planvet-eventlog. Needs the program zstd and free ports; see
history_server.py.
"""
import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import answers  # noqa: E402
import application  # noqa: E402
import cases  # noqa: E402
import history_server  # noqa: E402
import workers  # noqa: E402


def run_here(place: application.Place, chosen: list[application.Application], conf: dict) -> int:
    """In a process of its own: they share its JVM."""
    status = 0
    for item in chosen:
        begin = time.time()
        try:
            application.run(item, place, conf)
            print(f"{item.name}\t{time.time() - begin:.1f} s", flush=True)
        except Exception:  # one application must not cost the others
            status = 1
            print(f"{item.name}\tFAILED\n{traceback.format_exc()[-3000:]}", flush=True)
    return status


def run_apart(place: application.Place, version: str, names: list[str], conf: dict) -> None:
    subprocess.run([place.python(version), f"{place.code}/run.py", "--here", json.dumps(conf), "--only", *names])


def prepare(place: application.Place, version: str) -> None:
    place.empty()
    place.bring(HERE, version)
    run_apart(place, version, [], {})


def compact(log: str) -> None:
    """Lets a History Server drop what had ended; it leaves the last two parts alone."""
    conf = {"spark.history.fs.eventLog.rolling.maxFilesToRetain": "2",
            "spark.history.fs.cleaner.interval": "1s",
            # That of 4.x compresses what it compacts, under a name that does not say so, and cannot read it again.
            "spark.eventLog.compress": "false"}
    with history_server.HistoryServer(os.path.dirname(log), expected=1, conf=conf):
        deadline = time.time() + 60
        while not any(name.endswith(".compact") for name in os.listdir(log)):
            if time.time() > deadline:
                raise TimeoutError(f"{log} was not compacted in 60 s")
            time.sleep(0.5)
        time.sleep(3)


def store(place: application.Place, item: application.Application, directory: str, version: str) -> None:
    name, = os.listdir(place.logs(item.name))
    log = f"{place.logs(item.name)}/{name}"
    if item.is_compacted:
        compact(log)
    size = cases.store_log(log, directory)
    about = {"application": item.name, "covers": item.covers, "conf": item.conf, "spark_version": version,
             "application_id": cases.application_id(name), "file_name": name, "log_bytes": size}
    with open(f"{directory}/case.json", "w") as file:
        json.dump(about, file, indent=2)
        file.write("\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), "eventlogs"))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--here", help=argparse.SUPPRESS)
    arguments = parser.parse_args()

    import pyspark
    version = pyspark.__version__
    place = application.Place.of_environment()
    all_applications = application.load(os.path.join(HERE, "applications"))
    if arguments.here is not None:
        if not arguments.only:
            application.build_data(place)
        return run_here(place, [item for item in all_applications if item.name in arguments.only],
                        json.loads(arguments.here))
    chosen = [item for item in all_applications
              if item.runs_on(version) and (not arguments.only or item.name in arguments.only)]
    if arguments.list:
        for item in chosen:
            print(f"{item.name}\t{item.covers}")
        return 0
    if not chosen:
        print("no such application", file=sys.stderr)
        return 2

    out = os.path.abspath(arguments.out)
    prepare(place, version)
    together = [item.name for item in chosen if not item.is_alone]
    if together:
        run_apart(place, version, together, {})
    for item in chosen:
        if item.is_alone:
            with workers.Workers() if item.has_workers else contextlib.nullcontext() as master:
                run_apart(place, version, [item.name], {"spark.master": master} if master else {})
    directories, failed = [], []
    for item in chosen:
        directory = f"{out}/spark-{version}/{item.name}"
        try:
            store(place, item, directory, version)
            directories.append(directory)
        except Exception:
            failed.append(item.name)
            print(f"{item.name}\tNOT STORED\n{traceback.format_exc()[-2000:]}", flush=True)
    answers.ask(directories)
    print(f"spark-{version}: {len(directories)} applications, {len(failed)} failed {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
