#!/usr/bin/env python3
"""Makes a large event log out of a stored one: its application again and again, with all ids moved on.

    large_log.py ../../eventlogs/spark-3.5.9/static_joins 1000 >/tmp/large.log     about 1000 MB

Execution, job, stage, task, RDD and accumulator ids are new in each round, so it is one long application with many
queries. For measuring speed and memory; nothing of it is stored.
"""
import re
import subprocess
import sys

STEP = 1_000_000  # larger than any id in a stored log

NUMBER = re.compile(
    rb'("(?:executionId|rootExecutionId|accumulatorId|Job ID|Stage ID|Task ID|RDD ID|ID|id)":)(\d+)'
    rb'|("spark\.sql\.execution\.(?:id|root\.id)":")(\d+)')
LIST = re.compile(rb'("(?:Stage IDs|Parent IDs)":\[)([\d,]*)')
DRIVER = re.compile(rb'"accumUpdates":\[.*\]')
HEADER = (b"SparkListenerLogStart", b"SparkListenerResourceProfileAdded", b"SparkListenerApplicationStart",
          b"SparkListenerEnvironmentUpdate", b"SparkListenerExecutorAdded", b"SparkListenerBlockManagerAdded")


def moved(line: bytes, by: int) -> bytes:
    def number(match):
        return (match[1] or match[3]) + str(int(match[2] or match[4]) + by).encode()

    def numbers(match):
        return match[1] + b",".join(str(int(one) + by).encode() for one in match[2].split(b",") if one)

    def pairs(match):
        return re.sub(rb"\[(\d+),", lambda pair: b"[%d," % (int(pair[1]) + by), match[0])

    line = LIST.sub(numbers, NUMBER.sub(number, line))
    return DRIVER.sub(pairs, line) if b"DriverAccumUpdates" in line[:80] else line


def main() -> int:
    case, megabytes = sys.argv[1], int(sys.argv[2])
    plain = subprocess.run(["zstd", "-dcq", f"{case}/eventlog.zst"], stdout=subprocess.PIPE, check=True).stdout
    lines = plain.splitlines(keepends=True)
    header = [line for line in lines if any(name in line[:80] for name in HEADER)]
    end = [line for line in lines if b"SparkListenerApplicationEnd" in line[:80]]
    body = [line for line in lines if line not in header and line not in end]
    out = sys.stdout.buffer
    out.writelines(header)
    written, shift = sum(map(len, header)), 0
    while written < megabytes * 1_000_000:
        for line in body:
            written += out.write(moved(line, shift))
        shift += STEP
        if shift > 2_000 * STEP:
            print("ids would not fit into 32 bits", file=sys.stderr)
            return 1
    out.writelines(end)
    return 0


if __name__ == "__main__":
    sys.exit(main())
