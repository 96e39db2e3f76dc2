"""Plan events as they stand in the session's event log.

For the queries that ask for them:

    event.json         the SparkListenerSQLExecutionStart event alone (a lone object is plan JSON)
    eventlog.jsonl     Start, every AdaptiveExecutionUpdate and End, one a line

and for those whose plan could not be taken before it ran (writers, streams) before.formatted.txt and
before.planinfo.json, which are the two halves of the Start event.
"""
import json
import os
import re

from .capture import write_json, write_text

PREFIX = "org.apache.spark.sql.execution.ui."
START = PREFIX + "SparkListenerSQLExecutionStart"
UPDATE = PREFIX + "SparkListenerSQLAdaptiveExecutionUpdate"
LARGEST_LOG = 80_000  # bytes: a few queries log a new plan for every stage

END = PREFIX + "SparkListenerSQLExecutionEnd"


def of_queries(log: str) -> dict[str, list[list[str]]]:
    """Per query (by its job description) the lines of each of its executions, in the order of the log."""
    owner: dict[int, tuple[str, list[str]]] = {}
    found: dict[str, list[list[str]]] = {}
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            if PREFIX not in line[:120]:
                continue
            event = json.loads(line)
            if event["Event"] == START:
                description = event.get("description") or ""
                if description.startswith("planvet:"):
                    name = re.split(r"<br/>|\n", description.removeprefix("planvet:"))[0]  # streams add their ids
                    executions = found.setdefault(name, [])
                    executions.append([])
                    owner[event["executionId"]] = (description, executions[-1])
            if event["Event"] in (START, UPDATE, END) and event["executionId"] in owner:
                owner[event["executionId"]][1].append(line)
    return found


def _start_of(directory: str, executions: list[list[str]]) -> dict:
    """The Start event of the execution that `after` was taken from: the last one with the same root."""
    starts = [json.loads(execution[0]) for execution in reversed(executions)]
    with open(f"{directory}/after.planinfo.json", encoding="utf-8") as file:
        root = json.load(file)["nodeName"]
    return next((start for start in starts if start["sparkPlanInfo"]["nodeName"] == root), starts[0])


def store(log: str, queries: dict, out: str, whole: bool = True) -> None:
    """Writes what is described above; a set that is not whole gets the missing `before` only."""
    for name, executions in of_queries(log).items():
        item = queries.get(name)
        directory = f"{out}/{name}"
        if item is None:
            continue
        if not os.path.exists(f"{directory}/before.planinfo.json"):
            start = _start_of(directory, executions)
            write_text(f"{directory}/before.formatted.txt", start["physicalPlanDescription"])
            write_json(f"{directory}/before.planinfo.json", start["sparkPlanInfo"])
        if item.events and whole:
            lines = max(executions, key=lambda execution: sum(len(line) for line in execution))
            write_text(f"{directory}/event.json", lines[0])
            if sum(len(line) for line in lines) <= LARGEST_LOG:
                write_text(f"{directory}/eventlog.jsonl", "".join(lines))
