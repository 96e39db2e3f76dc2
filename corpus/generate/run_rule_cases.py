#!/usr/bin/env python3
"""Writes corpus/rules/: the plans of the labelled cases (rule_cases/*.py) with the Spark of this Python, and
expected.tsv beside them. Cases of a version after the first get its number behind their names.

    /path/spark-3.5.9/bin/python run_rule_cases.py [--out ../rules] [--kind core] [--suffix _4.3] [--rule NAME ...] [--only NAME ...]
"""
import argparse
import importlib
import os
import pkgutil
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from spark_corpus import lake, neutral, rule_case, session  # noqa: E402

COLUMNS = "case\tseverity\tkind\toperator\treasons\tcomment"


def rows_of(item) -> list:
    if not item.expected:
        return [f"{item.file}\t-\t\t\t\t{item.why}"]
    return [f"{item.file}\t{severity}\t{kind}\t\t{reasons}\t{item.why}" for severity, kind, reasons in item.expected]


def write_expected(out: str, items: list) -> None:
    """Rows of cases that are not run now stay as they are."""
    for rule in sorted({item.rule for item in items}):
        path = os.path.join(out, rule, "expected.tsv")
        rows = {}
        if os.path.exists(path):
            for line in open(path, encoding="utf-8").read().splitlines()[1:]:
                rows.setdefault(line.split("\t")[0], []).append(line)
        for item in items:
            if item.rule == rule:
                rows[item.file] = rows_of(item)
        with open(path, "w", encoding="utf-8") as file:
            file.write(COLUMNS + "\n" + "".join(line + "\n" for name in sorted(rows) for line in rows[name]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(HERE), "rules"))
    parser.add_argument("--kind", default="core", choices=sorted(session.KINDS), help="kind of session, and its cases")
    parser.add_argument("--suffix", default="")
    parser.add_argument("--rule", nargs="*", default=[])
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    import pyspark
    out = os.path.abspath(arguments.out)
    for module in pkgutil.iter_modules([os.path.join(HERE, "rule_cases")]):
        importlib.import_module(f"rule_cases.{module.name}")
    items = [item for item in rule_case.cases() if item.session == arguments.kind and item.runs_on(pyspark.__version__)
             and (not arguments.rule or item.rule in arguments.rule) and (not arguments.only or item.name in arguments.only)]
    if not items:
        print("no such case", file=sys.stderr)
        return 2
    spark = session.start(arguments.kind)
    lake.build(spark)
    done, failed = [], []
    for item in items:
        item.name += arguments.suffix
        if item.sql is not None:
            item.sql = item.sql.replace("LAKE", neutral.lake_directory())
        try:
            rule_case.capture_case(spark, item, out)
            done.append(item)
        except Exception:  # one case must not cost the others
            failed.append(item.file)
            traceback.print_exc()
    write_expected(out, done)
    print(f"{len(done)} cases written, failed: {failed}", flush=True)
    session.stop(spark)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
