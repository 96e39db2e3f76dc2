#!/usr/bin/env python3
"""Runs the corpus queries of one session kind with the Spark of this Python, and writes corpus/<set>/.

    /path/spark-3.5.9/bin/python run.py [--kind core] [--out ../] [--only NAME ...] [--subject FILE ...]
                                    [--modes MODE ...] [--list]
"""
import argparse
import os
import shutil
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from spark_corpus import capture, events, lake, query, session  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", default="core", choices=sorted(session.KINDS))
    parser.add_argument("--out", default=os.path.dirname(HERE))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--subject", nargs="*", default=[])
    parser.add_argument("--modes", nargs="*", default=capture.MODES, help="explain modes to store (default: all)")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    out = os.path.abspath(arguments.out)

    import pyspark
    version = pyspark.__version__
    chosen = [item for item in query.load(os.path.join(HERE, "queries"))
              if arguments.kind in item.kinds and item.runs_on(version)
              and (not arguments.only and not arguments.subject
                   or item.name in arguments.only or item.subject in arguments.subject)]
    if arguments.list:
        for item in chosen:
            print(f"{item.name}\t{item.subject}\t{item.covers}")
        return 0
    if not chosen:
        print("no such query", file=sys.stderr)
        return 2

    capture.stored_modes = set(arguments.modes)
    started = time.time()
    spark = session.start(arguments.kind)
    lake.build(spark)
    name = session.set_name(arguments.kind, version)
    print(f"{name}: session and lake after {time.time() - started:.0f} s", flush=True)
    failed = []
    for item in chosen:
        directory = os.path.join(out, name, item.name)
        shutil.rmtree(directory, ignore_errors=True)
        begin = time.time()
        try:
            query.run(spark, item, directory)
            print(f"{item.name}\t{time.time() - begin:.1f} s", flush=True)
        except Exception as error:  # one query must not cost the others
            failed.append(item.name)
            shutil.rmtree(directory, ignore_errors=True)
            print(f"{item.name}\tFAILED {str(error)[:3000]}\n{traceback.format_exc()[-1200:]}", flush=True)
    log = session.stop(spark)
    events.store(log, {item.name: item for item in chosen if item.name not in failed}, os.path.join(out, name),
                 whole=set(arguments.modes) == set(capture.MODES))
    print(f"{name}: {len(chosen) - len(failed)} queries, {len(failed)} failed {failed}, {time.time() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
