#!/usr/bin/env python3
"""Asks the History Server of this Spark about stored logs again, and stores its answers.

    /path/spark-3.5.9/bin/python answers.py [--out ../../eventlogs] [--only NAME ...]
"""
import argparse
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases  # noqa: E402
import history_server  # noqa: E402


def ask(directories: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="planvet-answers-") as logs:
        for directory in directories:
            with open(f"{directory}/case.json") as file:
                about = json.load(file)
            cases.restore_log(directory, about.get("file_name", about["application_id"]), logs)
        with history_server.HistoryServer(logs, expected=len(os.listdir(logs))) as answers:
            for directory in directories:
                cases.store_answers(answers, directory)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), "eventlogs"))
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()

    import pyspark
    version = f"{os.path.abspath(arguments.out)}/spark-{pyspark.__version__}"
    names = sorted(arguments.only or os.listdir(version))
    ask([f"{version}/{name}" for name in names])
    print(f"spark-{pyspark.__version__}: {len(names)} logs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
