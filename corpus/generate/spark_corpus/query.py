"""What a corpus query is, and the list of them."""
import dataclasses
import importlib
import inspect
import json
import os
import pkgutil
import sys
import textwrap
from typing import Callable

from . import capture, neutral

_queries: list["Query"] = []


@dataclasses.dataclass
class Query:
    name: str
    covers: str              # one line: what it is here for
    conf: dict               # what differs from the session's configuration
    kinds: tuple             # session kinds it runs in
    since: str               # first and last minor version that can run it
    until: str
    codegen: bool            # codegen mode with its generated Java is stored
    events: bool             # its plan events are stored as they stand in the event log
    execute: bool
    sql: str | None
    function: Callable | None
    subject: str             # the file it is in

    def runs_on(self, version: str) -> bool:
        parts = lambda text: tuple(int(part) for part in text.split(".")[:2])
        return parts(self.since) <= parts(version) and (not self.until or parts(version) <= parts(self.until))

    def text(self) -> str:
        if self.sql is not None:
            return self.sql
        return textwrap.dedent(inspect.getsource(self.function))


def _add(name, covers, conf, kinds, since, until, codegen, events, execute, sql, function, subject):
    if any(query.name == name for query in _queries):
        raise ValueError(f"two queries are called {name}")
    _queries.append(Query(name, covers, conf or {}, kinds, since, until, codegen, events, execute, sql, function, subject))


def sql(name, covers, text, conf=None, kinds=("core",), since="3.2", until="", codegen=False, events=False, execute=True):
    """A query, or a command (recognised by its first word), as SQL."""
    subject = inspect.stack()[1].frame.f_globals["__name__"].split(".")[-1]
    text = textwrap.dedent(text).strip().replace(neutral.NEUTRAL_LAKE, neutral.lake_directory())
    _add(name, covers, conf, kinds, since, until, codegen, events, execute, text, None, subject)


def query(covers, conf=None, kinds=("core",), since="3.2", until="", codegen=False, events=False, execute=True):
    """Decorates a function spark -> DataFrame. It may take (spark, directory) and write its plans itself."""
    def add(function):
        _add(function.__name__, covers, conf, kinds, since, until, codegen, events, execute, None, function,
             function.__module__.split(".")[-1])
        return function
    return add


def load(directory: str) -> list[Query]:
    sys.path.insert(0, os.path.dirname(directory))
    package = os.path.basename(directory)
    for module in sorted(name for _, name, _ in pkgutil.iter_modules([directory])):
        importlib.import_module(f"{package}.{module}")
    return list(_queries)


class configuration:
    """Settings of one query, put back afterwards."""

    def __init__(self, spark, conf: dict):
        self.spark, self.conf = spark, conf

    def __enter__(self):
        self.before = {key: self.spark.conf.get(key, None) for key in self.conf}
        for key, value in self.conf.items():
            self.spark.conf.set(key, value)

    def __exit__(self, *_):
        for key, value in self.before.items():
            if value is None:
                self.spark.conf.unset(key)
            else:
                self.spark.conf.set(key, value)


def is_command(text: str) -> bool:
    word = text.split()[0].upper()
    return word not in ("SELECT", "WITH", "FROM", "VALUES", "TABLE") or \
        (word == "FROM" and " INSERT " in text.upper().replace("\n", " "))


def run(spark, item: Query, directory: str) -> None:
    modes = capture.MODES if item.codegen else tuple(mode for mode in capture.MODES if mode != "codegen")
    spark.sparkContext.setJobDescription(f"planvet:{item.name}")
    try:
        with configuration(spark, item.conf):
            if item.sql is not None and is_command(item.sql):
                capture.command(spark, item.sql, directory, modes, item.execute)
            elif item.sql is not None:
                capture.data_frame(spark, spark.sql(item.sql), directory, modes, item.execute)
            elif len(inspect.signature(item.function).parameters) == 2:
                item.function(spark, directory)
            else:
                capture.data_frame(spark, item.function(spark), directory, modes, item.execute)
    finally:
        spark.catalog.clearCache()
        spark.sparkContext.setJobDescription(None)
    about = {"name": item.name, "covers": item.covers, "spark": spark.version, "session": spark.planvet_kind,
             "conf": item.conf, "subject": item.subject, "text": item.text()}
    capture.write_text(f"{directory}/query.json", json.dumps(about, ensure_ascii=False, indent=2))
