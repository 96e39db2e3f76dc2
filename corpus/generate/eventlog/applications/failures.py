"""What goes wrong: tasks tried again, executors and drivers that die, queries that fail or are cancelled."""
from application import case, tables


def fail(spark, should_fail):
    """A column function that raises where should_fail(partition, attempt) says so."""
    from pyspark import TaskContext
    from pyspark.sql import functions
    from pyspark.sql.types import LongType

    def function(x):
        context = TaskContext.get()
        if should_fail(context.partitionId(), context.attemptNumber()):
            raise ValueError("made to fail")
        return x
    return functions.udf(function, LongType())


@case("tasks that fail once, after they have read rows: counted once")
def task_retries(spark, place):
    tables(spark, place)
    flaky = fail(spark, lambda partition, attempt: partition == 1 and attempt == 0)
    sales = spark.table("sales").repartition(6, "sale_id")
    sales.select(flaky("sale_id").alias("x"), "store_id").groupBy("store_id").count().collect()
    sales.select(flaky("sale_id").alias("x")).where("x > 10").orderBy("x").limit(3).collect()


@case("a query that fails, one that fails before it has a job, and a good one after them")
def failed_query(spark, place):
    tables(spark, place)
    broken = fail(spark, lambda partition, attempt: partition == 1)
    for query in (lambda: spark.table("sales").repartition(4).select(broken("sale_id")).collect(),
                  lambda: spark.sql("SELECT sale_id / (qty - qty) FROM sales WHERE assert_true(qty > 99) IS NULL").collect()):
        try:
            query()
        except Exception:
            pass
    spark.sql("SELECT COUNT(*) FROM sales").collect()


def dies_once(flag: str, partition: int, needed: str):
    """For mapInPandas: gives every row back. The first time that one partition is done, the JVM that runs it dies, if its
    command line holds `needed`."""
    def kill_jvm():
        import os
        import signal

        with open(f"/proc/{os.getppid()}/stat") as file:  # the daemon that forks workers
            jvm = int(file.read().rsplit(")", 1)[1].split()[1])
        with open(f"/proc/{jvm}/cmdline") as file:
            if needed in file.read():
                os.kill(jvm, signal.SIGKILL)

    def rows(frames):
        import os
        import time

        from pyspark import TaskContext
        yield from frames
        if TaskContext.get().partitionId() == partition and not os.path.exists(flag):
            time.sleep(1.5)
            open(flag, "w").close()
            kill_jvm()
            time.sleep(60)
    return rows


@case("executors that die while their output is needed: fetch failures, stages tried again, the map side also under "
      "another stage id; all rows pass once", {"spark.master": "local-cluster[2,1,1024]", "spark.shuffle.io.maxRetries": "1",
      "spark.shuffle.io.retryWait": "1s"}, is_alone=True)
def fetch_failure(spark, place):
    tables(spark, place)
    sales = spark.table("sales").select("sale_id", "store_id")
    for number, (is_adaptive, partition) in enumerate([("false", 5), ("true", 5)]):
        spark.conf.set("spark.sql.adaptive.enabled", is_adaptive)
        spark.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
        for kind in ("result", "shuffle"):
            rows = sales.repartition(8, "sale_id").mapInPandas(
                dies_once(f"{place.output}/dead-{number}-{kind}", partition, "CoarseGrainedExecutorBackend"), sales.schema)
            spark.sparkContext.setJobDescription(f"60000 rows, adaptive {is_adaptive}, {kind} stage")
            assert len((rows if kind == "result" else rows.repartition(4, "store_id")).collect()) == 60000


@case("a second copy of a slow task on another host; the first one is killed",
      {"spark.speculation": "true", "spark.speculation.quantile": "0.5", "spark.speculation.multiplier": "1.2",
       "spark.speculation.interval": "100ms", "spark.executor.cores": "1", "spark.executor.memory": "512m",
       "spark.cores.max": "2"}, versions=("3.5", "4.3"), has_workers=True)
def speculation(spark, place):
    def slow(frames):
        import time

        from pyspark import TaskContext
        context = TaskContext.get()
        if context.partitionId() == 2 and context.attemptNumber() == 0:
            time.sleep(30)
        yield from frames

    tables(spark, place)
    sales = spark.table("sales").select("sale_id", "store_id")
    spark.sparkContext.setJobDescription("60000 rows, one task slow")
    sales.repartition(6, "sale_id").mapInPandas(slow, sales.schema).groupBy("store_id").count().collect()


@case("a driver that is killed while a query runs: the log just ends", versions=("3.5", "4.3"), is_alone=True)
def killed_driver(spark, place):
    tables(spark, place)
    spark.sql("SELECT store_id, COUNT(*) FROM sales GROUP BY store_id").collect()
    sales = spark.table("sales").select("sale_id", "store_id")
    rows = sales.repartition(60, "sale_id").mapInPandas(
        dies_once(f"{place.output}/dead-driver", 55, "SparkSubmit"), sales.schema)
    rows.groupBy("store_id").count().collect()


@case("queries that are cancelled while their tasks run", versions=("3.5", "4.3"))
def cancelled(spark, place):
    import threading
    import time

    def slow(frames):
        for frame in frames:
            time.sleep(3)
            yield frame

    tables(spark, place)
    sales = spark.table("sales").select("sale_id", "store_id")

    def run():
        try:
            sales.repartition(4, "sale_id").mapInPandas(slow, sales.schema).groupBy("store_id").count().collect()
        except Exception:
            pass
    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(5)
    spark.sparkContext.cancelAllJobs()
    thread.join()
    time.sleep(2)
    spark.sql("SELECT COUNT(*) FROM sales").collect()
