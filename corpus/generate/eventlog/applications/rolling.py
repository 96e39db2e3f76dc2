"""Logs in several parts: with many tasks, since a part holds 10 MB at least."""
from application import case, tables

ROLLING = {"spark.eventLog.rolling.enabled": "true", "spark.eventLog.rolling.maxFileSize": "10m",
           "spark.sql.adaptive.enabled": "false"}


def many_tasks(spark, queries: int) -> None:
    sales = spark.table("sales").select("sale_id", "store_id")
    for number in range(queries):
        spark.sparkContext.setJobDescription(f"query {number}")
        sales.repartition(300 + number, "sale_id").groupBy("store_id").count().collect()


@case("a rolling log of plain parts", ROLLING, versions=("3.5",))
def rolled(spark, place):
    tables(spark, place)
    many_tasks(spark, 16)


@case("a rolling log as 4.x writes it by default: parts of many zstd frames",
      {**ROLLING, "spark.eventLog.compress": "true"}, versions=("4.3",))
def rolled_zstd(spark, place):
    tables(spark, place)
    many_tasks(spark, 12)


@case("a rolling log after a History Server dropped what had ended before the last parts", ROLLING, versions=("3.5", "4.3"),
      is_compacted=True)
def compacted(spark, place):
    tables(spark, place)
    many_tasks(spark, 24)
