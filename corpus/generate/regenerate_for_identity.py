#!/usr/bin/env python3
"""Runs the core queries of the corpus again in a session of another kind: backwards, so that expression and exchange
ids differ; in a lake elsewhere, whose path stays in the text. tests/identity_test.cpp compares the findings of both.

    PLANVET_LAKE=/elsewhere/warehouse /path/spark-3.5.9/bin/python regenerate_for_identity.py --out FOLDER
        [--partitions 16] [--modes formatted simple] [--only NAME ...]
"""
import argparse
import os
import shutil
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from spark_corpus import capture, lake, neutral, query, session  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--partitions", default="16", help="spark.sql.shuffle.partitions")
    parser.add_argument("--modes", nargs="*", default=["formatted", "simple", "cost"])
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    if neutral.lake_directory() == neutral.NEUTRAL_LAKE:
        print("name another lake by PLANVET_LAKE", file=sys.stderr)
        return 2
    neutral.neutral = lambda text: text  # before capture takes it
    capture.neutral = neutral.neutral

    import pyspark
    version = pyspark.__version__
    capture.stored_modes = set(arguments.modes)
    chosen = [item for item in query.load(os.path.join(HERE, "queries"))
              if "core" in item.kinds and item.runs_on(version) and (not arguments.only or item.name in arguments.only)]
    spark = session.start("core", {"spark.sql.shuffle.partitions": arguments.partitions})
    lake.build(spark)
    out = os.path.join(os.path.abspath(arguments.out), session.set_name("core", version))
    failed = []
    for item in reversed(chosen):
        directory = os.path.join(out, item.name)
        shutil.rmtree(directory, ignore_errors=True)
        begin = time.time()
        try:
            query.run(spark, item, directory)
            print(f"{item.name}\t{time.time() - begin:.1f} s", flush=True)
        except Exception as error:  # one query must not cost the others
            failed.append(item.name)
            shutil.rmtree(directory, ignore_errors=True)
            print(f"{item.name}\tFAILED {str(error)[:500]}", flush=True)
    session.stop(spark)
    print(f"{out}: {len(chosen) - len(failed)} queries, {len(failed)} failed {failed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
