"""What a labelled case is: a query whose plan real Spark prints, and the findings that a person expects of one rule."""
import contextlib
import dataclasses
import os

from . import capture, query

_cases: list["Case"] = []


@dataclasses.dataclass
class Case:
    rule: str
    kind: str        # positive | negative | healed | tiny
    name: str
    sql: str | None
    frame: object    # spark -> DataFrame, where SQL cannot say it
    expected: tuple  # of (severity, operator kind, reasons); empty: the rule must be silent
    conf: dict
    mode: str        # explain mode that is stored
    phase: str       # before | after execution
    statistics: dict  # table -> (bytes, rows) in the catalog while the query is planned
    why: str         # why the label is what it is
    since: str       # first version that it says something about
    session: str     # session kind: core, comet, ..

    def runs_on(self, version: str) -> bool:
        return [int(part) for part in self.since.split(".")] <= [int(part) for part in version.split(".")[:2]]

    @property
    def file(self) -> str:
        return f"{self.kind}-{self.name}"


def case(rule, kind, name, sql, *expected, conf=None, mode="formatted", phase="before", statistics=None, why="", since="3.3",
         session="core"):
    frame = None if isinstance(sql, str) else sql
    _cases.append(Case(rule, kind, name, sql if frame is None else None, frame, expected, conf or {}, mode, phase,
                       statistics or {}, why, since, session))


def cases() -> list[Case]:
    return list(_cases)


@contextlib.contextmanager
def catalog_statistics(spark, statistics: dict):
    """Sizes that the optimizer believes, without the gigabytes: what ANALYZE TABLE would have written."""
    state = spark._jsparkSession.sessionState()
    made = spark._jvm.planvet.TableStatistics

    def put(table, value):
        state.catalog().alterTableStats(state.sqlParser().parseTableIdentifier(table), value)

    try:
        for table, (size, rows) in statistics.items():
            put(table, made.of(str(size), "" if rows is None else str(rows)))
        yield
    finally:
        for table in statistics:
            put(table, made.none())


def capture_case(spark, item: Case, directory: str) -> None:
    with query.configuration(spark, item.conf), catalog_statistics(spark, item.statistics):
        frame = spark.sql(item.sql) if item.frame is None else item.frame(spark)
        execution = frame._jdf.queryExecution()
        if not frame.isStreaming:  # explain plans a stream by itself, and nothing else may
            execution.executedPlan()
        if item.phase == "after":
            frame._jdf.collect()
        text = capture.explain(spark, execution, item.mode)
    spark.catalog.clearCache()
    head = f"-- planvet: spark {spark.version}\n"
    head += "".join(f"-- planvet: conf {key}={value}\n" for key, value in sorted(item.conf.items()))
    capture.write_text(os.path.join(directory, item.rule, item.file + ".txt"), head + text)
