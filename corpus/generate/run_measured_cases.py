#!/usr/bin/env python3
"""Runs the labelled cases of rules that judge by measurements, and stores the event logs with what is expected of them.

    /path/spark-3.5.9/bin/python run_measured_cases.py [--out ../rules/measured] [--rule NAME ...]

One application runs all cases; each is a query whose description is "<rule>/<kind>-<name>". Writes

    <out>/spark-<version>.zst   the event log as Spark wrote it, compressed by zstd -19
    <out>/spark-<version>.tsv   rule, case, severity (`-`: silence), kind of operator, reasons, why

To add a case: measured_cases/*.py. What is expected is written there, by hand, before it runs. Needs the program zstd;
data and logs stand at PLANVET_EVENTLOG_DATA, or /tmp/planvet-eventlog, while it runs.
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

APPLICATION = "measured"
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(HERE), "rules", "measured"))
    parser.add_argument("--rule", nargs="*", default=[])
    arguments = parser.parse_args()
    import pyspark
    for module in sorted(name for _, name, _ in pkgutil.iter_modules([os.path.join(HERE, "measured_cases")])):
        importlib.import_module(f"measured_cases.{module}")
    items = [item for item in labelled.cases() if not arguments.rule or item.rule in arguments.rule]
    if not items:
        print("no such case", file=sys.stderr)
        return 2
    out = os.path.abspath(arguments.out)
    os.makedirs(out, exist_ok=True)
    place = application.Place.of_environment()
    place.empty()
    spark = application.start("data", place, {"spark.eventLog.enabled": "false"}, [])
    labelled.build_data(spark, place)
    spark.stop()
    os.makedirs(place.logs(APPLICATION))
    spark = application.start(APPLICATION, place, {"spark.eventLog.logStageExecutorMetrics": "false"}, [])
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
    (log,) = [name for name in os.listdir(place.logs(APPLICATION)) if not name.startswith(".")]
    name = f"{out}/spark-{pyspark.__version__}"
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", f"{name}.zst", f"{place.logs(APPLICATION)}/{log}"], check=True)
    os.chmod(f"{name}.zst", 0o644)
    with open(f"{name}.tsv", "w", encoding="utf-8") as file:
        file.write(COLUMNS + "\n" + "".join(line + "\n" for item in items for line in rows_of(item)))
    print(f"{len(items)} cases, {os.path.getsize(f'{name}.zst')} bytes, failed: {failed}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
