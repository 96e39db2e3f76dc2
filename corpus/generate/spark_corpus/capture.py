"""One query execution in every explain mode, with the JVM's own plan tree.

Everything is taken from the same QueryExecution object, so that expression ids, plan ids and metric ids
agree between the modes, the phases and the tree.
"""
import json
import os

from .neutral import neutral

MODES = ("simple", "extended", "formatted", "cost", "codegen")
stored_modes = set(MODES)  # run.py --modes keeps fewer
_mapper = None


def explain(spark, execution, mode: str) -> str:
    """What `explain(mode=...)` prints for this execution."""
    explain_mode = spark._jvm.org.apache.spark.sql.execution.ExplainMode.fromString(mode)
    return execution.explainString(explain_mode)


def plan_info(spark, execution) -> dict:
    """SparkPlanInfo of the executed plan, with the keys that event logs have."""
    global _mapper
    jvm = spark._jvm
    if _mapper is None:
        _mapper = jvm.com.fasterxml.jackson.databind.ObjectMapper()
        _mapper.registerModule(jvm.com.fasterxml.jackson.module.scala.DefaultScalaModule())
    info = jvm.org.apache.spark.sql.execution.SparkPlanInfo.fromSparkPlan(execution.executedPlan())
    return json.loads(_mapper.writeValueAsString(info))


def write_text(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(neutral(text))
        if not text.endswith("\n"):
            file.write("\n")


def write_json(path: str, value) -> None:
    """One line, as event logs have it."""
    write_text(path, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def phase(spark, execution, directory: str, name: str, modes=MODES) -> None:
    """Writes <name>.<mode>.txt for each mode and <name>.planinfo.json."""
    for mode in modes:
        if mode not in stored_modes:
            continue
        write_text(f"{directory}/{name}.{mode}.txt", explain(spark, execution, mode))
    write_json(f"{directory}/{name}.planinfo.json", plan_info(spark, execution))


def data_frame(spark, frame, directory: str, modes=MODES, execute=True) -> None:
    """A DataFrame before and after it ran (its result is collected inside the JVM and dropped)."""
    execution = frame._jdf.queryExecution()
    phase(spark, execution, directory, "before", modes)
    if execute:
        frame._jdf.collect()
        phase(spark, execution, directory, "after", modes)


def command(spark, sql: str, directory: str, modes=MODES, execute=True) -> None:
    """A SQL command. `spark.sql` would run it at once; here it is planned, written down, run, written down."""
    jvm = spark._jvm
    state = spark._jsparkSession.sessionState()
    plan = state.sqlParser().parsePlan(sql)
    skip = getattr(jvm.org.apache.spark.sql.execution, "CommandExecutionMode").SKIP()
    execution = state.executePlan(plan, skip)
    phase(spark, execution, directory, "before", modes)
    if execute:
        context = spark.sparkContext
        context.setLocalProperty("spark.sql.execution.id", "1000000")  # writers insist on one
        try:
            execution.executedPlan().executeCollect()
        finally:
            context.setLocalProperty("spark.sql.execution.id", None)
        phase(spark, execution, directory, "after", modes)


class _Executions:
    """A QueryExecutionListener: writers keep their QueryExecution to themselves, a listener gets to see it."""

    def __init__(self):
        self.seen = []

    def onSuccess(self, function, execution, duration):
        self.seen.append(execution)

    def onFailure(self, function, execution, error):
        pass

    class Java:
        implements = ["org.apache.spark.sql.util.QueryExecutionListener"]


def action(spark, run, directory: str, modes=MODES) -> None:
    """Something that plans and runs by itself, such as a DataFrameWriter. `before` comes from the event log
    (events.py): formatted mode and the tree, of the same execution."""
    from pyspark.java_gateway import ensure_callback_server_started

    ensure_callback_server_started(spark.sparkContext._gateway)
    listener = _Executions()
    manager = spark._jsparkSession.listenerManager()
    manager.register(listener)
    try:
        run()
        spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    finally:
        manager.unregister(listener)
    phase(spark, listener.seen[-1], directory, "after", modes)


def micro_batch(spark, query, directory: str, modes=MODES) -> None:
    """The last micro-batch of a stream that has ended; `before` comes from the event log."""
    query.awaitTermination(120)
    query.stop()
    phase(spark, query._jsq.streamingQuery().lastExecution(), directory, "after", modes)
