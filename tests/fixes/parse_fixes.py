#!/usr/bin/env python3
"""Reads what planvet proposes as real Spark would: SQL by Spark's own parser, Python by Python's.

    parse_fixes.py FILE        lines of `language<TAB>code`, as tests/fixes_test.cpp writes them

Prints one line for each piece of code that does not parse, and how many did. Exit status 1 if one did not, 3 if there is
no pyspark here. Needs a Python with pyspark and Java.
"""
import ast
import collections
import os
import sys
import tomllib

# Clauses in a statement of their own. The others stand behind FROM t.
FRAMES = {"ON": "SELECT * FROM t JOIN u {}", "PARTITION": "SELECT count(1) OVER ({}) FROM t",
          "OVER": "SELECT count(1) {} FROM t"}
NOT_SPARKS = ("OPTIMIZE",)  # statements of a table format's extension, which is not loaded here


def read_sql(parser, text: str) -> None:
    if not text.startswith(NOT_SPARKS):
        parser.parsePlan(text)


def read_clause(parser, text: str) -> None:
    parser.parsePlan(FRAMES.get(text.split(" ")[0], "SELECT * FROM t {}").format(text))


def read_python(text: str) -> None:
    ast.parse("df" + text if text.startswith(".") else text)


def main() -> int:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        return 3
    spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
             .config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    parser = spark._jsparkSession.sessionState().sqlParser()

    def read_conf(text: str) -> None:
        key = text[len("SET "):].split("=")[0]
        if key.startswith("spark.sql.") and not key.startswith("spark.sql.extendedExplain"):  # Comet sets that one
            spark.conf.get(key)  # its default, or an error where Spark has no such key

    readers = {"sql": lambda text: read_sql(parser, text), "clause": lambda text: read_clause(parser, text),
               "hint": lambda text: parser.parsePlan(f"SELECT {text} * FROM t"),
               "expression": lambda text: parser.parseExpression(text), "python": read_python, "toml": tomllib.loads}
    counts, failed = collections.Counter(), 0
    for line in open(sys.argv[1], encoding="utf-8"):
        language, text = line.rstrip("\n").split("\t", 1)
        counts[language] += 1
        try:
            readers[language](text)
            if language == "sql" and text.startswith("SET "):
                read_conf(text)
        except Exception as error:  # whatever the parser throws
            failed += 1
            print(f"{language}: {text}\n    {str(error).strip().splitlines()[0]}")
    print(", ".join(f"{counts[language]} {language}" for language in sorted(counts)), f"by Spark {spark.version}")
    spark.stop()
    sys.stdout.flush()
    os._exit(1 if failed else 0)  # the JVM's last words would only disturb


if __name__ == "__main__":
    sys.exit(main())
