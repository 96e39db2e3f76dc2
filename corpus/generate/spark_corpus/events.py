"""Plan events as they stand in the session's event log, for the queries that ask for them.

    event.json         the SparkListenerSQLExecutionStart event alone (a lone object is plan JSON)
    eventlog.jsonl     Start, every AdaptiveExecutionUpdate and End, one a line
"""
import json

from .capture import write_text

PREFIX = "org.apache.spark.sql.execution.ui."
START = PREFIX + "SparkListenerSQLExecutionStart"
UPDATE = PREFIX + "SparkListenerSQLAdaptiveExecutionUpdate"
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
                    executions = found.setdefault(description.removeprefix("planvet:"), [])
                    executions.append([])
                    owner[event["executionId"]] = (description, executions[-1])
            if event["Event"] in (START, UPDATE, END) and event["executionId"] in owner:
                owner[event["executionId"]][1].append(line)
    return found


def store(log: str, queries: dict, out: str) -> None:
    for name, executions in of_queries(log).items():
        item = queries.get(name)
        if item is None or not item.events:
            continue
        lines = max(executions, key=lambda execution: sum(len(line) for line in execution))
        write_text(f"{out}/{name}/event.json", lines[0])
        write_text(f"{out}/{name}/eventlog.jsonl", "".join(lines))
