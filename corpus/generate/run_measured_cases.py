#!/usr/bin/env python3
"""Runs the labelled cases of rules that judge by measurements, and stores the event logs with what is expected of them.

    /path/spark-3.5.9/bin/python run_measured_cases.py [--out ../rules/measured] [--application NAME ..] [--rule NAME ..]

Few applications run all cases (labelled.py lists them); each case is a query, or a few, whose description is
"<rule>/<kind>-<name>". Writes, of the application `measured` without its name,

    <out>/spark-<version>-<application>.zst   the event log as Spark wrote it, compressed by zstd -19
    <out>/spark-<version>-<application>.tsv   rule, case, severity (`-`: silence), kind of operator, reasons, why

To add a case: measured_cases/*.py. What is expected is written there, by hand, before it runs. Needs the program zstd.
Code, Spark, data and logs stand at PLANVET_EVENTLOG_DATA, or /tmp/planvet-eventlog, while it runs: a neutral folder, since
logs name those files.
"""
import argparse
import importlib
import os
import pkgutil
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "eventlog"))
import application  # noqa: E402
from measured_cases import labelled  # noqa: E402

COLUMNS = "rule\tcase\tseverity\tkind\treasons\twhy"


def rows_of(item) -> list:
    if not item.expected:
        return [f"{item.rule}\t{item.label}\t-\t\t\t{item.why}"]
    return [f"{item.rule}\t{item.label}\t{severity}\t{kind}\t{reasons}\t{item.why}" for severity, kind, reasons in item.expected]


def run_case(spark, item, place) -> None:
    before = {key: spark.conf.get(key, None) for key in item.conf}
    for key, value in item.conf.items():
        spark.conf.set(key, value)
    spark.sparkContext.setJobDescription(f"{item.rule}/{item.label}")
    try:
        if callable(item.query):
            item.query(spark, place)
        else:
            spark.sql(item.query).write.format("noop").mode("overwrite").save()
    finally:
        spark.sparkContext.setJobDescription(None)
        for key, value in before.items():
            spark.conf.unset(key) if value is None else spark.conf.set(key, value)
        spark.catalog.clearCache()


def run_here(place: application.Place, name: str, items: list) -> int:
    """In a process of its own: an application's jars and memory are those of its JVM."""
    import pyspark
    about = labelled.APPLICATIONS[name]
    jars = [place.bring_jar(application.find_jar(prefix, pyspark.__version__)) for prefix in about["jars"]]
    os.makedirs(place.logs(name))
    spark = application.start(name, place, {"spark.eventLog.logStageExecutorMetrics": "false", **about["conf"]}, jars)
    labelled.tables(spark, place)
    failed = []
    for item in items:
        begin = time.time()
        try:
            run_case(spark, item, place)
        except Exception:  # one case must not cost the others
            failed.append(item.label)
            traceback.print_exc()
        print(f"{item.rule}/{item.label}\t{time.time() - begin:.1f} s", flush=True)
    spark.stop()
    print(f"{name}: {len(items)} cases, failed: {failed}", flush=True)
    return 1 if failed else 0


def run_apart(place: application.Place, name: str, arguments) -> int:
    import pyspark
    rules = ["--rule", *arguments.rule] if arguments.rule else []
    return subprocess.run([place.python(pyspark.__version__), f"{place.code}/run_measured_cases.py", "--here", "--application",
                           name, *rules]).returncode


def store(place: application.Place, name: str, items: list, out: str) -> None:
    import pyspark
    (log,) = [log for log in os.listdir(place.logs(name)) if not log.startswith(".")]
    path = f"{out}/spark-{pyspark.__version__}" + ("" if name == "measured" else f"-{name}")
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", f"{path}.zst", f"{place.logs(name)}/{log}"], check=True)
    os.chmod(f"{path}.zst", 0o644)
    with open(f"{path}.tsv", "w", encoding="utf-8") as file:
        file.write(COLUMNS + "\n" + "".join(line + "\n" for item in items for line in rows_of(item)))
    print(f"{path}.zst: {os.path.getsize(f'{path}.zst')} bytes", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(HERE), "rules", "measured"))
    parser.add_argument("--application", nargs="*", default=[])
    parser.add_argument("--rule", nargs="*", default=[])
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    import pyspark
    for module in sorted(name for _, name, _ in pkgutil.iter_modules([os.path.join(HERE, "measured_cases")])):
        importlib.import_module(f"measured_cases.{module}")
    version = pyspark.__version__.rsplit(".", 1)[0]
    chosen = {}
    for name, about in labelled.APPLICATIONS.items():
        items = [item for item in labelled.cases()
                 if item.application == name and (not arguments.rule or item.rule in arguments.rule)]
        if items and (not arguments.application or name in arguments.application) and \
                (not about["versions"] or version in about["versions"]):
            chosen[name] = items
    if not chosen:
        print("no such case", file=sys.stderr)
        return 2
    place = application.Place.of_environment()
    if arguments.here:
        ((name, items),) = chosen.items()
        return run_here(place, name, items)
    out = os.path.abspath(arguments.out)
    os.makedirs(out, exist_ok=True)
    place.empty()
    place.bring(HERE, pyspark.__version__)
    spark = application.start("data", place, {"spark.eventLog.enabled": "false"}, [])
    labelled.build_data(spark, place)
    spark.stop()
    status = 0
    for name, items in chosen.items():
        status |= run_apart(place, name, arguments)
        store(place, name, items, out)
    return status


if __name__ == "__main__":
    sys.exit(main())
