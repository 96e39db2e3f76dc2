#!/usr/bin/env python3
"""Makes a long event log out of a stored one: its application again and again, later and with all ids moved on.

    tests/bench/long_log.py 1000 PART.. >/tmp/long.log             1000 MB
    tests/bench/long_log.py --stage 100000 PART.. >/tmp/wide.log   once, but its largest stage has so many tasks

Execution, job, stage, task, RDD and accumulator ids are new in each round, so it is one long application with many
queries. For measuring speed and memory; nothing of it is stored.
"""
import collections
import re
import subprocess
import sys
from typing import BinaryIO

# What changes from round to round, in one group each, so that splitting gives text and number in turn.
ID = rb'(?<="executionId":)|(?<="rootExecutionId":)|(?<="accumulatorId":)|(?<="Job ID":)|(?<="Stage ID":)|' \
     rb'(?<="Task ID":)|(?<="RDD ID":)|(?<="ID":)|(?<="id":)|' \
     rb'(?<="spark\.sql\.execution\.id":")|(?<="spark\.sql\.execution\.root\.id":")'
TIME = re.compile(rb"(?<=:)(1[5-9]\d{11})(?=[,}])")
NUMBER = re.compile(rb"(?:" + ID + rb")(\d+)")
LIST = re.compile(rb'"(?:Stage IDs|Parent IDs)":\[([\d,]+)\]')
PAIRS = re.compile(rb'"accumUpdates":(\[.*\])')
ONCE = (b"SparkListenerLogStart", b"SparkListenerResourceProfileAdded", b"SparkListenerApplicationStart",
        b"SparkListenerEnvironmentUpdate", b"SparkListenerExecutorAdded", b"SparkListenerBlockManagerAdded")


class Template:
    """Text, and between its pieces numbers that grow with each round."""

    def __init__(self, lines: list[bytes]):
        text = b"".join(lines)
        places = {match.span(1): True for match in NUMBER.finditer(text)}
        for pattern, inner in ((LIST, rb"(\d+)"), (PAIRS, rb"\[(\d+),")):
            for match in pattern.finditer(text):
                for one in re.finditer(inner, match[1]):
                    places[match.start(1) + one.start(1), match.start(1) + one.end(1)] = True
        ids = [int(text[begin:end]) for begin, end in places]
        times = [match.span(1) for match in TIME.finditer(text)]
        stamps = [int(text[begin:end]) for begin, end in times]
        self.id_step = max(ids) + 1
        self.time_step = max(stamps) - min(stamps) + 1000
        places.update(dict.fromkeys(times, False))
        self.text, self.numbers, self.is_id, at = [], [], [], 0
        for (begin, end), is_id in sorted(places.items()):
            self.text.append(text[at:begin])
            self.numbers.append(int(text[begin:end]))
            self.is_id.append(is_id)
            at = end
        self.rest = text[at:]

    def round(self, number: int) -> bytes:
        steps = (number * self.time_step, number * self.id_step)
        pieces = [b"%b%d" % (piece, value + steps[is_id])
                  for piece, value, is_id in zip(self.text, self.numbers, self.is_id)]
        return b"".join(pieces) + self.rest


def stored_lines(parts: list[str]) -> list[bytes]:
    return b"".join(subprocess.run(["zstd", "-dcq", part], stdout=subprocess.PIPE, check=True).stdout
                    for part in parts).splitlines(keepends=True)


def write_long_log(megabytes: int, parts: list[str], out: BinaryIO) -> None:
    header, body, end = [], [], []
    for line in stored_lines(parts):
        if any(name in line[:80] for name in ONCE):
            header.append(line)
        else:
            (end if b"SparkListenerApplicationEnd" in line[:80] else body).append(line)
    out.writelines(header)
    template, written, number = Template(body), sum(map(len, header)), 0
    while written < megabytes * 1_000_000:
        if number * template.id_step > 2**31:
            sys.exit("ids would not fit into 32 bits")
        written += out.write(template.round(number))
        number += 1
    out.writelines(end)


def write_wide_stage(tasks: int, parts: list[str], out: BinaryIO) -> None:
    lines = stored_lines(parts)
    ends = re.compile(rb'\{"Event":"SparkListenerTaskEnd","Stage ID":(\d+),.*"Metadata":"sql"')
    counts = collections.Counter(match[1] for match in map(ends.match, lines) if match)
    stage, stored = counts.most_common(1)[0]
    of_stage = re.compile(rb'\{"Event":"SparkListenerTask(?:Start|End)","Stage ID":%b,' % stage)
    task = re.compile(rb'"Task ID":\d+,"Index":\d+,"Attempt":0,"Partition ID":\d+')
    number_of_tasks = re.compile(
        rb'("Stage ID":%b,"Stage Attempt ID":0,"Stage Name":"[^"]*","Number of Tasks":)\d+' % stage)
    done = 0
    for line in lines:
        if not of_stage.match(line):
            out.write(number_of_tasks.sub(rb"\g<1>%d" % tasks, line))
            continue
        if b"SparkListenerTaskEnd" not in line[:40] or b'"Index":0,' not in line[:300]:
            continue
        start = line[:line.index(b'"Accumulables":[')].replace(b"TaskEnd", b"TaskStart", 1) + b'"Accumulables":[]}}\n'
        start = re.sub(rb'"Task Type":.*"Task Info"', b'"Task Info"', start)
        for done in range(tasks):
            place = b'"Task ID":%d,"Index":%d,"Attempt":0,"Partition ID":%d' % (10_000_000 + done, done, done)
            out.write(task.sub(place, start))
            out.write(task.sub(place, line))
    assert done == tasks - 1 and stored > 1


def main() -> None:
    if sys.argv[1] == "--stage":
        write_wide_stage(int(sys.argv[2]), sys.argv[3:], sys.stdout.buffer)
    else:
        write_long_log(int(sys.argv[1]), sys.argv[2:], sys.stdout.buffer)


if __name__ == "__main__":
    main()
