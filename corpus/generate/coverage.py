#!/usr/bin/env python3
"""Writes corpus/coverage.tsv: which operator, and which type and build side of a join, which queries show.

    coverage.py [CORPUS]     reads every *.planinfo.json below it; prints a line of counts for each set
"""
import collections
import glob
import json
import os
import re
import sys

SHOWN = 20  # queries named for one operator

KINDS = (
    (r"^WholeStageCodegen \(\d+\)$", "WholeStageCodegen"),
    (r"^(Scan (?:parquet|orc|csv|json|text|binaryFile|hive|avro)) .*", r"\1 <table>"),
    (r"^(Scan|CometScan|CometNativeScan)(.*?) (parquet|orc|csv) .*", r"\1\2 \3 <table>"),
    (r"^(Comet)?BatchScan .*", r"\1BatchScan <table>"),
    (r"^Scan JDBCRelation\(.*", "Scan JDBCRelation(..)"),
    (r"^Scan JDBC .*", "Scan JDBC <table>"),
    (r"^Scan In-memory table .*", "Scan In-memory table <name>"),
    (r"^(Scan .*)@[0-9a-f]+ *$", r"\1@<address>"),
    (r"^(Scan ExistingRDD) .*", r"\1 <name>"),
)
JOIN = re.compile(r"\b(Inner|Cross|LeftOuter|RightOuter|FullOuter|LeftSemi|LeftAnti|LeftSingle|ExistenceJoin)\b")
SIDE = re.compile(r"\b(BuildLeft|BuildRight)\b")


def operators(node, found):
    name = node["nodeName"].replace("\n", " ")
    for pattern, replacement in KINDS:
        name, changed = re.subn(pattern, replacement, name)
        if changed:
            break
    found.add(name)
    if "Join" in name or name == "CartesianProduct":
        words = [match.group(1) for match in (JOIN.search(node["simpleString"]), SIDE.search(node["simpleString"])) if match]
        if words:
            found.add(" ".join([name, *words]))
    for child in node["children"]:
        operators(child, found)


def main() -> int:
    corpus = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    seen = collections.defaultdict(lambda: (set(), set()))
    counts = collections.defaultdict(lambda: [set(), 0, 0])
    for path in glob.glob(f"{corpus}/*/**/*.planinfo.json", recursive=True):
        parts = os.path.relpath(path, corpus).split("/")
        if "-" not in parts[0]:
            continue
        found: set[str] = set()
        with open(path, encoding="utf-8") as file:
            operators(json.load(file), found)
        for name in found:
            seen[name][0].add(parts[0])
            seen[name][1].add(parts[1])
        counts[parts[0]][0].add(parts[1])
        counts[parts[0]][1] += 1
    with open(f"{corpus}/coverage.tsv", "w", encoding="utf-8") as out:
        out.write("operator\tsets\tqueries\tnames\n")
        for name, (sets, queries) in sorted(seen.items()):
            names = sorted(queries)
            more = f" .. {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            out.write(f"{name}\t{' '.join(sorted(sets))}\t{len(names)}\t{' '.join(names[:SHOWN])}{more}\n")
    for name in sorted(counts):
        files = [file for file in glob.glob(f"{corpus}/{name}/**", recursive=True) if os.path.isfile(file)]
        texts = sum(file.endswith(".txt") for file in files)
        size = sum(os.path.getsize(file) for file in files)
        print(f"| {name} | {len(counts[name][0])} | {texts} | {counts[name][1]} | {size / 1e6:.1f} MB |")
    print(f"{len(set().union(*(value[0] for value in counts.values())))} queries, {len(seen)} operators and join forms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
