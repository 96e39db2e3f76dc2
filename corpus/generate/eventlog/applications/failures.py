"""What goes wrong: tasks tried again, stages and queries that fail."""
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
