"""Commands: writes by both APIs, CREATE TABLE AS, views, EXPLAIN, catalog commands."""
import csv
import io

from spark_corpus import capture
from spark_corpus.neutral import lake_directory
from spark_corpus.query import query, sql

LAKE = lake_directory()
NO_CODEGEN = tuple(mode for mode in capture.MODES if mode != "codegen")

sql("write_insert", "INSERT INTO a parquet table", "INSERT INTO retail.target SELECT sale_id, qty, note FROM retail.sales WHERE qty > 8", events=True)
sql("write_insert_overwrite", "INSERT OVERWRITE", "INSERT OVERWRITE retail.target SELECT sale_id, qty, note FROM retail.sales WHERE qty = 1")
sql("write_insert_values", "INSERT VALUES", "INSERT INTO retail.target VALUES (1, 2, 'three'), (4, 5, NULL)")
sql("write_insert_partitions", "dynamic partitions: a sort before the writer",
    "INSERT OVERWRITE retail.target_by_day SELECT sale_id, qty, sale_date, channel FROM retail.sales", events=True)
sql("write_insert_static_partition", "one static and one dynamic partition column",
    "INSERT INTO retail.target_by_day PARTITION (sale_date = DATE'2024-02-01', channel) SELECT sale_id, qty, channel FROM retail.sales WHERE qty > 8")
sql("write_insert_exchange", "INSERT with an exchange: AdaptiveSparkPlan above or below the writer",
    "INSERT INTO retail.target SELECT /*+ REPARTITION(3) */ sale_id, qty, note FROM retail.sales WHERE qty > 8", events=True)
sql("write_insert_join", "INSERT of a join and an aggregate",
    "INSERT INTO retail.target SELECT s.product_id, COUNT(*), MAX(p.name) FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id GROUP BY s.product_id")
sql("write_insert_rebalance", "INSERT with REBALANCE before dynamic partitions",
    "INSERT INTO retail.target_by_day SELECT /*+ REBALANCE(sale_date, channel) */ sale_id, qty, sale_date, channel FROM retail.sales")
sql("write_insert_bucketed", "INSERT into a bucketed and sorted table",
    "INSERT INTO retail.target_bucketed SELECT sale_id, product_id FROM retail.sales WHERE qty > 8")
sql("write_insert_multi", "one FROM, two INSERTs",
    "FROM retail.sales INSERT INTO retail.target SELECT sale_id, qty, note WHERE qty > 8 INSERT INTO retail.target SELECT sale_id, qty, 'low' WHERE qty < 2")
sql("write_create_table_as", "CREATE TABLE AS SELECT",
    "CREATE TABLE retail.made USING parquet AS SELECT store_id, SUM(qty) AS q FROM retail.sales GROUP BY store_id", events=True)
sql("write_create_table_as_random", "CREATE TABLE AS SELECT with rand(): Spark's own rebalance",
    "CREATE TABLE retail.made_random USING parquet AS SELECT sale_id, rand(1) AS r FROM retail.sales WHERE qty > 8")
sql("write_create_table_as_partitioned", "partitioned CREATE TABLE AS SELECT with options",
    "CREATE TABLE retail.made_by_day USING orc OPTIONS (compression 'zlib', note '[x, y](z') PARTITIONED BY (sale_date) AS SELECT sale_id, sale_date FROM retail.sales WHERE qty > 8")
sql("write_directory", "INSERT OVERWRITE DIRECTORY",
    "INSERT OVERWRITE DIRECTORY '/data/lake/out/directory' USING parquet SELECT /*+ REPARTITION(2) */ sale_id, channel FROM retail.sales WHERE qty > 8", events=True)
sql("write_directory_aggregate", "INSERT OVERWRITE DIRECTORY of a join and an aggregate",
    "INSERT OVERWRITE DIRECTORY '/data/lake/out/aggregate' USING json SELECT t.region, COUNT(*) AS n FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id GROUP BY t.region")

sql("command_create_view", "CREATE VIEW", "CREATE OR REPLACE VIEW retail.big_sales AS SELECT sale_id, qty FROM retail.sales WHERE qty > 5", events=True)
sql("command_create_temporary_view", "CREATE TEMPORARY VIEW", "CREATE OR REPLACE TEMPORARY VIEW small_sales AS SELECT sale_id FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id")
sql("command_explain", "EXPLAIN itself is a command", "EXPLAIN SELECT * FROM retail.sales WHERE qty > 5")
sql("command_explain_formatted", "EXPLAIN FORMATTED of a join", "EXPLAIN FORMATTED SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id", events=True)
sql("command_explain_cost", "EXPLAIN COST", "EXPLAIN COST SELECT store_id, COUNT(*) FROM retail.sales GROUP BY store_id")
sql("command_show_tables", "SHOW TABLES", "SHOW TABLES IN retail LIKE 's*'")
sql("command_show_partitions", "SHOW PARTITIONS", "SHOW PARTITIONS retail.sales")
sql("command_describe", "DESCRIBE EXTENDED", "DESCRIBE EXTENDED retail.sales")
sql("command_analyze", "ANALYZE TABLE", "ANALYZE TABLE retail.calendar COMPUTE STATISTICS NOSCAN")
sql("command_create_table", "CREATE TABLE", "CREATE TABLE IF NOT EXISTS retail.blank (a INT COMMENT 'it, [is] (x#1)', b STRING) USING parquet TBLPROPERTIES ('k' = 'v, [w]')")
sql("command_alter_table", "ALTER TABLE", "ALTER TABLE retail.target SET TBLPROPERTIES ('touched' = 'yes')")
sql("command_cache", "CACHE LAZY TABLE", "CACHE LAZY TABLE lazy_store AS SELECT * FROM retail.store")
sql("command_set", "SET", "SET spark.sql.shuffle.partitions")
sql("command_refresh", "REFRESH TABLE", "REFRESH TABLE retail.sales")
sql("command_truncate", "TRUNCATE TABLE", "TRUNCATE TABLE retail.target")
sql("command_drop", "DROP TABLE", "DROP TABLE IF EXISTS retail.no_such_table")
sql("command_create_function", "CREATE TEMPORARY FUNCTION", "CREATE OR REPLACE TEMPORARY FUNCTION backwards AS 'planvet.TypedFunctions$Reverse'")

sql("write_v2_jdbc_create_as", "V2 CREATE TABLE AS SELECT", "CREATE TABLE h2.SHOP.REGIONS AS SELECT region, COUNT(*) AS n FROM retail.store GROUP BY region")
sql("write_v2_jdbc_append", "V2 append to JDBC", "INSERT INTO h2.SHOP.ITEMS SELECT product_id + 1000, CAST(SUBSTR(name, 1, 10) AS STRING), price FROM retail.product WHERE price > 490")


@query("DataFrameWriter: InsertIntoHadoopFsRelationCommand to a path", events=True)
def write_path(spark, directory):
    frame = spark.table("retail.sales").where("qty > 8").select("sale_id", "sale_date", "channel")
    capture.action(spark, lambda: frame.write.mode("overwrite").partitionBy("sale_date", "channel").parquet(f"{LAKE}/out/path"), directory, NO_CODEGEN)


@query("DataFrameWriter: coalesce(1) over work")
def write_path_one_file(spark, directory):
    frame = spark.table("retail.sales").groupBy("store_id").sum("qty").coalesce(1)
    capture.action(spark, lambda: frame.write.mode("overwrite").option("header", "true").csv(f"{LAKE}/out/one"), directory, NO_CODEGEN)


@query("DataFrameWriter: a text file of a join, sorted within partitions")
def write_path_sorted(spark, directory):
    frame = spark.table("retail.sales").join(spark.table("retail.store"), "store_id").repartition(4, "region").sortWithinPartitions("region", "sale_id")
    capture.action(spark, lambda: frame.select("sale_id", "region").write.mode("overwrite").orc(f"{LAKE}/out/sorted"), directory, NO_CODEGEN)


@query("noop sink: V2 OverwriteByExpression")
def write_v2_noop(spark, directory):
    frame = spark.table("retail.sales").groupBy("store_id").count()
    capture.action(spark, lambda: frame.write.format("noop").mode("overwrite").save(), directory, NO_CODEGEN)


@query("noop sink: V2 AppendData")
def write_v2_noop_append(spark, directory):
    frame = spark.table("retail.sales").where("qty > 8")
    capture.action(spark, lambda: frame.write.format("noop").mode("append").save(), directory, NO_CODEGEN)


@query("JDBC sink: SaveIntoDataSourceCommand")
def write_jdbc(spark, directory):
    frame = spark.table("retail.store").where("region = 'north'")
    capture.action(spark, lambda: frame.write.format("jdbc").option("url", "jdbc:h2:mem:shop").option("dbtable", "SHOP.STORES").mode("overwrite").save(), directory, NO_CODEGEN)



@query("the result of SQL EXPLAIN as tools show it: table.<mode>.txt with borders, csv.<mode>.txt quoted", execute=False)
def explain_result(spark, directory):
    text = "SELECT t.region, COUNT(*) AS n FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id WHERE s.note > 'a' GROUP BY t.region"
    capture.phase(spark, spark.sql(text)._jdf.queryExecution(), directory, "before", NO_CODEGEN)
    for mode in ("simple", "extended", "formatted", "cost"):
        frame = spark.sql(f"EXPLAIN {'' if mode == 'simple' else mode} {text}")
        capture.write_text(f"{directory}/table.{mode}.txt", frame._jdf.showString(20, 0, False))
        lines = io.StringIO()
        csv.writer(lines).writerows([frame.columns, *frame.collect()])
        capture.write_text(f"{directory}/csv.{mode}.txt", lines.getvalue())
