"""Makes slow_orders.txt: what a person pastes after a slow report. Needs pyspark 3.5 (pip install pyspark==3.5.9).

    python3 tests/samples/slow_orders.py > tests/samples/slow_orders.txt

Four mistakes in one query: a partition column in an OR with a data column, a cast around a filtered column, a join on
a range only, and a filter so selective that one side of a sort merge join is a handful of rows.
"""
import re
import tempfile

from pyspark.sql import SparkSession

REPORT = """
SELECT c.segment, SUM(o.amount * r.rate) AS revenue
FROM shop.orders o
JOIN shop.customers c ON o.customer_id = c.customer_id
JOIN shop.rates r ON o.ordered_at BETWEEN r.valid_from AND r.valid_to
WHERE (o.order_date >= '2024-03-01' OR o.channel = 'web')
  AND CAST(o.order_id AS STRING) LIKE '1%'
  AND c.country = 'IS'
GROUP BY c.segment"""

TABLES = {
    "customers": ("SELECT id AS customer_id, SHA2(CAST(id AS STRING), 256) AS email, "
                  "IF(id % 80000 = 3, 'IS', 'DE') AS country, "
                  "ELEMENT_AT(ARRAY('home', 'office'), CAST(id % 2 + 1 AS INT)) AS segment FROM RANGE(0, 400000, 1, 2)", ""),
    "rates": ("SELECT TIMESTAMP_SECONDS(1704067200 + id * 3600) AS valid_from, "
              "TIMESTAMP_SECONDS(1704067200 + id * 3600 + 3599) AS valid_to, 1 + id / 10000 AS rate "
              "FROM RANGE(0, 2160, 1, 1)", ""),
    "orders": ("SELECT 10000000 + id AS order_id, id * 7919 % 400000 AS customer_id, CAST(id % 9000 / 100 AS DOUBLE) AS amount, "
               "TIMESTAMP_SECONDS(1704067200 + id * 3) AS ordered_at, IF(id % 5 > 0, 'web', 'shop') AS channel, "
               "DATE_FORMAT(TIMESTAMP_SECONDS(1704067200 + id * 3), 'yyyy-MM-dd') AS order_date "
               "FROM RANGE(0, 2500000, 1, 2)", "PARTITIONED BY (order_date)"),
}


def main():
    lake = tempfile.mkdtemp()
    spark = (SparkSession.builder.master("local[2]").config("spark.driver.memory", "1g")
             .config("spark.ui.enabled", "false").config("spark.sql.warehouse.dir", lake)
             .config("spark.sql.session.timeZone", "UTC").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    spark.sql("CREATE DATABASE shop")
    for name, (select, clauses) in TABLES.items():
        spark.sql(f"CREATE TABLE shop.{name} USING parquet {clauses} AS {select}")
    frame = spark.sql(REPORT)
    frame.collect()
    plan = frame._sc._jvm.PythonSQLUtils.explainString(frame._jdf.queryExecution(), "formatted")
    plan = plan.replace(lake, "/data/lake")
    print(f"-- planvet: spark {spark.version}\n-- planvet: name slow_orders\n" + re.sub(r"\s+$", "", plan))


if __name__ == "__main__":
    main()
