#!/usr/bin/env python3
"""Runs applications with the Spark of this Python and stores their event logs with the History Server's answers.

    /path/spark-3.5.9/bin/python run.py [--out ../../eventlogs] [--only NAME ...] [--list]

Writes <out>/spark-<version>/<application>/:

    eventlog.zst      the event log as Spark wrote it, compressed again by zstd -19
    sql.json.zst      /applications/<id>/sql?details=true&planDescription=true, all executions
    stages.json.zst   /applications/<id>/stages, all attempts
    case.json         what the application is here for, its conf, ids and sizes

To add a case: a function in applications/*.py. Needs the program zstd and a free port; see history_server.py.
Where data and logs stand while it runs: PLANVET_EVENTLOG_DATA, or /tmp/planvet-eventlog.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import application  # noqa: E402
import history_server  # noqa: E402


def compressed(path: str, content: bytes) -> None:
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", path], input=content, check=True)


def store(answers, item: application.Application, log: str, directory: str, version: str) -> None:
    app_id = os.path.basename(log)
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    with open(log, "rb") as file:
        content = file.read()
    sql = answers.get(f"{app_id}/sql?details=true&planDescription=true&length=1000000")
    stages = answers.get(f"{app_id}/stages")
    compressed(f"{directory}/eventlog.zst", content)
    compressed(f"{directory}/sql.json.zst", sql)
    compressed(f"{directory}/stages.json.zst", stages)
    about = {"application": item.name, "covers": item.covers, "conf": item.conf, "spark_version": version,
             "application_id": app_id, "log_bytes": len(content), "executions": len(json.loads(sql)),
             "stage_attempts": len(json.loads(stages))}
    with open(f"{directory}/case.json", "w") as file:
        json.dump(about, file, indent=2)
        file.write("\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), "eventlogs"))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()

    import pyspark
    version = pyspark.__version__
    chosen = [item for item in application.load(os.path.join(HERE, "applications"))
              if item.runs_on(version) and (not arguments.only or item.name in arguments.only)]
    if arguments.list:
        for item in chosen:
            print(f"{item.name}\t{item.covers}")
        return 0
    if not chosen:
        print("no such application", file=sys.stderr)
        return 2

    out = os.path.abspath(arguments.out)
    place = application.Place.empty()
    application.build_data(place)
    logs, failed = {}, []
    for item in chosen:
        begin = time.time()
        try:
            logs[item.name] = application.run(item, place)
            print(f"{item.name}\t{time.time() - begin:.1f} s\t{os.path.getsize(logs[item.name])} bytes", flush=True)
        except Exception:  # one application must not cost the others
            failed.append(item.name)
            print(f"{item.name}\tFAILED\n{traceback.format_exc()[-3000:]}", flush=True)
    with history_server.HistoryServer(place.logs, expected=len(os.listdir(place.logs))) as answers:
        for item in chosen:
            if item.name in logs:
                store(answers, item, logs[item.name], f"{out}/spark-{version}/{item.name}", version)
    print(f"spark-{version}: {len(logs)} applications, {len(failed)} failed {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
