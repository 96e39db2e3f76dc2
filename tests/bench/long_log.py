#!/usr/bin/env python3
"""Makes a long event log out of a stored one: its application again and again, later and with all ids moved on.

    tests/bench/long_log.py MEGABYTES PART.. >/tmp/long.log

Execution, job, stage, task, RDD and accumulator ids are new in each round, so it is one long application with many
queries. For measuring speed and memory; nothing of it is stored.
"""
import re
import subprocess
import sys

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


def main() -> int:
    megabytes, parts = int(sys.argv[1]), sys.argv[2:]
    plain = b"".join(subprocess.run(["zstd", "-dcq", part], stdout=subprocess.PIPE, check=True).stdout
                     for part in parts)
    lines = plain.splitlines(keepends=True)
    header, body, end = [], [], []
    for line in lines:
        if any(name in line[:80] for name in ONCE):
            header.append(line)
        else:
            (end if b"SparkListenerApplicationEnd" in line[:80] else body).append(line)
    out = sys.stdout.buffer
    out.writelines(header)
    template, written, number = Template(body), sum(map(len, header)), 0
    while written < megabytes * 1_000_000:
        written += out.write(template.round(number))
        number += 1
        if number * template.id_step > 2**31:
            print("ids would not fit into 32 bits", file=sys.stderr)
            return 1
    out.writelines(end)
    print(f"{number} rounds, {written / 1e6:.0f} MB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
