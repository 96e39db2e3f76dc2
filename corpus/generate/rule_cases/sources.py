"""full-partition-scan, small-files, repeated-scan, wide-shuffle, text-format-scan, row-mode-scan, single-partition-jdbc,
filter-above-cache, bucketing-unused, rdd-scan."""
import os
import shutil
from types import SimpleNamespace

from pyspark.sql.functions import expr

from spark_corpus.neutral import lake_directory
from spark_corpus.rule_case import case

MIB, GIB = 1 << 20, 1 << 30
FILE, V2, EXCHANGE = "FileSourceScan", "BatchScan", "ShuffleExchange"


def both(rule):
    """Two helpers for the cases of a rule: what must be found, and what must not."""
    def found(name, sql, severity, kind, reasons="", **more):
        case(rule, "positive", name, sql, (severity, kind, reasons), **more)

    def silent(kind, name, sql, why, **more):
        case(rule, kind, name, sql, why=why, **more)
    return found, silent


def planned(text):
    """A command that is planned and not run."""
    def frame(spark):
        state = spark._jsparkSession.sessionState()
        skip = getattr(spark._jvm.org.apache.spark.sql.execution, "CommandExecutionMode").SKIP()
        execution = state.executePlan(state.sqlParser().parsePlan(text), skip)
        return SimpleNamespace(isStreaming=False, _jdf=SimpleNamespace(queryExecution=lambda: execution))
    return frame


# ---- full-partition-scan: retail.sales by sale_date and channel, retail.kinds_by_p by p.
found, silent = both("full-partition-scan")
found("no_filter", "SELECT store_id, SUM(qty) FROM retail.sales GROUP BY store_id", "info", FILE)
found("data_filter", "SELECT sale_id FROM retail.sales WHERE qty = 5", "info", FILE)
found("simple_mode", "SELECT sale_id FROM retail.sales WHERE qty = 5", "info", FILE, mode="simple")
found("date_of_a_timestamp", "SELECT sale_id FROM retail.sales WHERE to_date(sold_at) = '2024-01-09'", "info", FILE, "date-filter-on-data-column",
      why="the day is asked for, on the wrong column")
found("timestamp_range", "SELECT sale_id FROM retail.sales WHERE sold_at >= TIMESTAMP'2024-01-09 10:00:00'", "info", FILE, "date-filter-on-data-column")
found("joined", "SELECT s.sale_id, t.region FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id", "info", FILE)
found("large_by_cost", "SELECT sale_id FROM retail.sales WHERE qty = 5", "warning", FILE, mode="cost", statistics={"retail.sales": (80 * GIB, None)})
found("large_declared", "SELECT l FROM retail.kinds_by_p WHERE n = 5", "warning", FILE, why="planvet.toml declares 40 GiB")
found("after", "SELECT store_id, SUM(qty) FROM retail.sales GROUP BY store_id", "info", FILE, phase="after")
found("path", lambda spark: spark.read.parquet(f"{lake_directory()}/retail/sales").where("qty = 5").select("sale_id"), "info", FILE)
silent("negative", "pruned", "SELECT sale_id FROM retail.sales WHERE sale_date = DATE'2024-01-09'", "PartitionFilters has it")
silent("negative", "pruned_by_function", "SELECT sale_id FROM retail.sales WHERE year(sale_date) = 2024 AND qty = 5", "a function of the partition column prunes")
silent("negative", "pruned_simple", "SELECT sale_id FROM retail.sales WHERE channel = 'web'", "PartitionFilters has it", mode="simple")
silent("negative", "dynamic", "SELECT s.sale_id FROM retail.sales s JOIN retail.calendar c ON s.sale_date = c.day WHERE c.holiday", "dynamic pruning")
silent("negative", "unpartitioned", "SELECT l FROM retail.kinds WHERE n = 5", "the table has no partitions")
silent("negative", "unpartitioned_simple", "SELECT l FROM retail.kinds WHERE n = 5", "PartitionFilters: [] alone proves nothing", mode="simple")
silent("negative", "limit", "SELECT sale_id, qty FROM retail.sales LIMIT 10", "a limit reads a few files")
silent("negative", "defeated", "SELECT sale_id FROM retail.sales WHERE sale_date = DATE'2024-01-09' OR qty = 5", "partition-filter-defeated says it")
silent("negative", "paths_chosen", lambda spark: spark.read.option("basePath", f"{lake_directory()}/retail/sales").parquet(
    *[f"{lake_directory()}/retail/sales/sale_date=2024-01-{day:02d}" for day in range(8, 12)]).where("qty > 8").select("sale_id"),
    "the query names the partitions it reads")
silent("negative", "metadata_columns", "SELECT _metadata.file_name, l FROM retail.kinds", "a file's metadata is no partition column")
silent("negative", "values", "SELECT * FROM VALUES (1, 2) AS t(a, b)", "no scan")
silent("tiny", "small_by_cost", "SELECT sale_id FROM retail.sales WHERE qty = 5", "10 MiB in all", mode="cost", statistics={"retail.sales": (10 * MIB, None)})
silent("healed", "empty_side", "SELECT s.sale_id FROM retail.sales s JOIN retail.nothing n ON s.product_id = n.product_id", "AQE dropped join and scan",
       phase="after", conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})

# ---- small-files: paths of files, as a job lists them.
found, silent = both("small-files")


def copies(count, format_="json", suffix="json"):
    """A folder with so many small files, and the files themselves."""
    folder = f"{lake_directory()}/many/{format_}{count}"
    if not os.path.exists(folder):
        os.makedirs(folder)
        if format_ == "parquet":
            source = next(f"{lake_directory()}/retail/calendar/{name}" for name in sorted(os.listdir(f"{lake_directory()}/retail/calendar"))
                          if name.endswith(".parquet"))
        for number in range(count):
            target = f"{folder}/part-{number:05d}.{suffix}"
            if format_ == "parquet":
                shutil.copyfile(source, target)
            else:
                with open(target, "w", encoding="utf-8") as file:
                    file.write('{"id": %d, "v": "x"}\n' % number)
    return [f"{folder}/part-{number:05d}.{suffix}" for number in range(count)]


def json_files(count):
    return lambda spark: spark.read.schema("id int, v string").json(copies(count)).where("id > 5")


def parquet_files(count):
    return lambda spark: spark.read.parquet(*copies(count, "parquet", "parquet")).where("weekday > 5").select("day")


found("json_paths", json_files(1100), "info", FILE)
found("json_paths_simple", json_files(1100), "info", FILE, mode="simple")
found("json_paths_after", json_files(1100), "info", FILE, phase="after")
found("parquet_paths", parquet_files(1050), "info", FILE)
found("parquet_paths_simple", parquet_files(1050), "info", FILE, mode="simple")
found("json_paths_by_cost", json_files(150), "warning", FILE, mode="cost", why="150 files of 20 bytes, says the relation's size")
found("parquet_paths_by_cost", parquet_files(200), "warning", FILE, mode="cost")
silent("negative", "few_paths", json_files(150), "150 files of unknown size")
silent("negative", "few_paths_simple", json_files(150), "150 files of unknown size", mode="simple")
silent("negative", "thousand_paths", json_files(1000), "no more than 1,000")
silent("negative", "folder", lambda spark: (copies(1100), spark.read.schema("id int, v string").json(f"{lake_directory()}/many/json1100").where("id > 5"))[1],
       "a folder hides its files")
silent("negative", "partitions", lambda spark: spark.read.option("basePath", f"{lake_directory()}/retail/sales").parquet(
    *[f"{lake_directory()}/retail/sales/sale_date=2024-01-{day:02d}" for day in range(8, 12)]).select("sale_id"), "four folders, not files")
silent("negative", "pruned_partitions", "SELECT sale_id FROM retail.sales WHERE sale_date > DATE'2024-01-08'", "18 partitions")
silent("negative", "table", "SELECT l FROM retail.kinds", "a table's files are not listed")
silent("negative", "few_files_by_cost", json_files(20), "20 files", mode="cost")
silent("tiny", "one_file", lambda spark: spark.read.parquet(*copies(1, "parquet", "parquet")).select("day"), "one file")
silent("healed", "empty_side", lambda spark: spark.read.schema("id int, v string").json(copies(1100)).join(spark.table("retail.nothing"), expr("id = product_id")),
       "AQE dropped the scan", phase="after", conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})

# ---- repeated-scan
found, silent = both("repeated-scan")
SELF = "SELECT a.l, b.d FROM retail.kinds a JOIN retail.kinds b ON a.l = b.n"
NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
found("cte_twice", "WITH t AS (SELECT store_id, qty, amount FROM retail.sales WHERE qty > 3) SELECT a.store_id, a.n, b.m FROM "
      "(SELECT store_id, COUNT(*) AS n FROM t GROUP BY store_id) a JOIN (SELECT store_id, MAX(amount) AS m FROM t GROUP BY store_id) b ON a.store_id = b.store_id",
      "info", FILE, conf=NEVER, why="two different aggregates over one CTE: no exchange is equal")
found("union_of_conditions", "SELECT 'n' AS what, COUNT(*) AS v FROM retail.kinds WHERE n > 5 UNION ALL SELECT 'd', SUM(d) FROM retail.kinds WHERE n > 5 GROUP BY p",
      "info", FILE)
found("self_join", SELF, "info", FILE, conf=NEVER, why="no filter on either side but null tests")
found("self_join_simple", SELF, "info", FILE, conf=NEVER, mode="simple")
found("self_join_after", SELF, "info", FILE, conf=NEVER, phase="after")
found("three_times", "SELECT a.l FROM retail.kinds a JOIN retail.kinds b ON a.l = b.n JOIN retail.kinds c ON b.l = c.s", "info", FILE, conf=NEVER)
found("large_by_cost", SELF, "warning", FILE, conf=NEVER, mode="cost", statistics={"retail.kinds": (400 * GIB, None)})
found("large_declared", "SELECT a.l, b.m FROM retail.kinds_by_p a JOIN (SELECT n, MAX(d) AS m FROM retail.kinds_by_p GROUP BY n) b ON a.n = b.n",
      "warning", FILE, conf=NEVER, why="planvet.toml declares 800 GiB")
silent("negative", "different_filters", "SELECT a.l, b.d FROM retail.kinds a JOIN retail.kinds b ON a.l = b.n WHERE a.n = 5 AND b.p = 7", "different filters", conf=NEVER)
silent("negative", "different_partitions", "SELECT a.sale_id FROM (SELECT * FROM retail.sales WHERE sale_date = DATE'2024-01-08') a "
       "JOIN (SELECT * FROM retail.sales WHERE sale_date = DATE'2024-01-09') b ON a.product_id = b.product_id", "two days", conf=NEVER)
silent("negative", "equal_exchanges", "SELECT a.store_id, a.n, b.n FROM (SELECT store_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id) a "
       "JOIN (SELECT store_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id) b ON a.store_id = b.store_id", "one exchange, reused when it runs", conf=NEVER)
silent("negative", "equal_exchanges_after", "SELECT a.store_id, a.n, b.n FROM (SELECT store_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id) a "
       "JOIN (SELECT store_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id) b ON a.store_id = b.store_id", "reused", conf=NEVER, phase="after")
silent("negative", "reused_subquery", "SELECT l FROM retail.kinds WHERE n > (SELECT AVG(store_id) FROM retail.store) OR d > (SELECT AVG(store_id) FROM retail.store)", "one subquery")
silent("negative", "merged_subqueries", "SELECT (SELECT MIN(area) FROM retail.store) AS a, (SELECT MAX(area) FROM retail.store) AS b", "merged into one")
silent("negative", "bloom_filter", "SELECT s.sale_id, r.reason FROM retail.skewed s JOIN retail.returns r ON s.sale_id = r.sale_id WHERE r.qty = 3 AND r.reason IS NOT NULL",
       "Spark's own copy, to build a Bloom filter", conf={**NEVER, "spark.sql.optimizer.runtime.bloomFilter.enabled": "true",
       "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "1",
       "spark.sql.optimizer.runtime.bloomFilter.creationSideThreshold": "100MB"})
silent("negative", "two_tables", "SELECT s.sale_id FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id", "two tables", conf=NEVER)
silent("negative", "broadcast_dimension", "SELECT s.sale_id FROM retail.sales s JOIN retail.store a ON s.store_id = a.store_id JOIN retail.store b ON s.qty = b.store_id", "a small dimension, broadcast twice")
silent("negative", "small_by_cost", SELF, "the repeat reads 3 MiB", conf=NEVER, mode="cost", statistics={"retail.kinds": (3 * MIB, 1000)})
silent("negative", "cached", lambda spark: (lambda t: t.join(t.selectExpr("l AS k", "d AS e"), expr("n = k")))(spark.table("retail.kinds").cache()), "read once, into the cache", conf=NEVER)
silent("healed", "empty_side", "SELECT a.l FROM retail.kinds a JOIN retail.kinds b ON a.l = b.n JOIN retail.nothing c ON c.product_id = b.p", "AQE dropped the join",
       conf=NEVER, phase="after")
silent("tiny", "values", "SELECT a.x FROM VALUES (1) AS a(x) JOIN VALUES (1) AS b(x) ON a.x = b.x", "no scan")

# ---- wide-shuffle: retail.wide has 120 columns, retail.kinds 18.
found, silent = both("wide-shuffle")
found("wide_join", "SELECT * FROM retail.wide w JOIN retail.store s ON w.column_000 = s.store_id", "info", EXCHANGE, conf=NEVER)
found("wide_join_simple", "SELECT * FROM retail.wide w JOIN retail.store s ON w.column_000 = s.store_id", "info", EXCHANGE, conf=NEVER, mode="simple")
found("wide_join_after", "SELECT * FROM retail.wide w JOIN retail.store s ON w.column_000 = s.store_id", "info", EXCHANGE, conf=NEVER, phase="after")
FIFTY = ", ".join(f"column_{i:03d}" for i in range(50))
FORTY_NINE = ", ".join(f"column_{i:03d}" for i in range(49))
found("fifty_columns", f"SELECT {FIFTY}, ROW_NUMBER() OVER (PARTITION BY column_001 ORDER BY column_002) AS r FROM retail.wide", "info", EXCHANGE)
found("sorted", "SELECT * FROM retail.wide ORDER BY column_003", "info", EXCHANGE)
found("sorted_simple", "SELECT * FROM retail.wide ORDER BY column_003", "info", EXCHANGE, mode="simple")
found("wide_join_large", "SELECT * FROM retail.wide w JOIN retail.store s ON w.column_000 = s.store_id", "warning", EXCHANGE, conf=NEVER, mode="cost",
      statistics={"retail.wide": (80 * GIB, 50000000)})
silent("negative", "forty_nine", f"SELECT {FORTY_NINE}, ROW_NUMBER() OVER (PARTITION BY column_001 ORDER BY column_002) AS r FROM retail.wide", "49 columns")
silent("negative", "pruned", "SELECT w.column_001, s.region FROM retail.wide w JOIN retail.store s ON w.column_000 = s.store_id", "two columns", conf=NEVER)
silent("negative", "kinds", "SELECT * FROM retail.kinds ORDER BY l", "18 columns")
silent("negative", "sketches", "SELECT store_id, APPROX_COUNT_DISTINCT(product_id), APPROX_COUNT_DISTINCT(customer_id) FROM retail.sales GROUP BY store_id",
       "over a hundred buffer fields of two sketches, no columns")
silent("negative", "aggregate", "SELECT column_001, SUM(column_002), MAX(column_003) FROM retail.wide GROUP BY column_001", "the exchange carries three")
silent("negative", "broadcast", "SELECT * FROM retail.wide w JOIN retail.store s ON w.column_000 = s.store_id", "nothing is shuffled")
silent("negative", "repartition_for_a_write", "SELECT /*+ REPARTITION(4) */ * FROM retail.wide", "asked for, and nothing above: what is about to be written")
silent("negative", "rebalance", "SELECT /*+ REBALANCE(column_001) */ * FROM retail.wide", "asked for, and nothing above")
silent("negative", "write", planned("INSERT INTO retail.wide SELECT /*+ REPARTITION(4) */ * FROM retail.wide"), "a write needs every column")
silent("negative", "no_shuffle", "SELECT * FROM retail.wide WHERE column_001 > 5", "no exchange")
silent("tiny", "one_task", "SELECT MAX(column_001) FROM retail.wide", "one column")
silent("healed", "late_broadcast", "SELECT w.column_001 FROM retail.wide w JOIN retail.nothing s ON w.column_000 = s.product_id", "AQE dropped the join", phase="after", conf=NEVER)

# ---- text-format-scan
found, silent = both("text-format-scan")
found("csv", "SELECT product_id, COUNT(*) FROM retail.returns GROUP BY product_id", "info", FILE)
found("csv_simple", "SELECT product_id, COUNT(*) FROM retail.returns GROUP BY product_id", "info", FILE, mode="simple")
found("json", "SELECT country FROM retail.customer WHERE age > 30", "info", FILE)
found("text", "SELECT value FROM retail.web_log WHERE value LIKE '%7'", "info", FILE)
found("csv_path", "SELECT * FROM csv.`LAKE/files/csv`", "info", FILE)
found("csv_v2", lambda spark: spark.read.csv(f"{lake_directory()}/files/csv", header=True).where("region = 'north'"), "info", V2,
      conf={"spark.sql.sources.useV1SourceList": ""})
found("large_by_cost", "SELECT product_id, COUNT(*) FROM retail.returns GROUP BY product_id", "warning", FILE, mode="cost", statistics={"retail.returns": (8 * GIB, None)})


def gzip_file(spark):
    import gzip
    path = f"{lake_directory()}/many/events.json.gz"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with gzip.open(path, "wt") as file:
        file.write('{"id": 1, "v": "x"}\n')
    return spark.read.schema("id int, v string").json(path).where("id > 0")


found("gzip", gzip_file, "info", FILE, "gzip")
found("load", planned("INSERT INTO retail.target SELECT sale_id, qty, reason FROM retail.returns"), "info", FILE, mode="cost", statistics={"retail.returns": (8 * GIB, None)},
      why="a plain load of 8 GiB stays info")
silent("negative", "parquet", "SELECT l FROM retail.kinds WHERE n = 5", "Parquet")
silent("negative", "orc", "SELECT region FROM retail.store WHERE store_id = 5", "ORC")
silent("negative", "parquet_v2", lambda spark: spark.read.parquet(f"{lake_directory()}/files/parquet").where("n = 5").select("l"), "Parquet by V2",
       conf={"spark.sql.sources.useV1SourceList": ""})
silent("negative", "row_mode_parquet", "SELECT l FROM retail.kinds WHERE n = 5", "Batched: false is not text", conf={"spark.sql.parquet.enableVectorizedReader": "false"})
silent("negative", "jdbc", lambda spark: spark.read.format("jdbc").option("url", "jdbc:h2:mem:shop").option("dbtable", "SHOP.ITEMS").load().where("ID > 5"), "a database")
silent("negative", "cached", lambda spark: spark.table("retail.returns").cache().where("qty > 1"), "parsed once, into the cache")
silent("negative", "values", "SELECT * FROM VALUES (1, 'csv') AS t(a, b)", "no scan")
silent("negative", "binary", "SELECT path FROM binaryFile.`LAKE/files/binary`", "whole files, not lines")
silent("tiny", "small_by_cost", "SELECT reason FROM retail.returns WHERE qty > 1", "2 MiB", mode="cost", statistics={"retail.returns": (2 * MIB, None)})
silent("healed", "empty_side", "SELECT r.reason FROM retail.returns r JOIN retail.nothing n ON r.product_id = n.product_id", "AQE dropped the scan", phase="after", conf=NEVER)

# ---- row-mode-scan
found, silent = both("row-mode-scan")
found("many_columns", "SELECT * FROM retail.wide WHERE column_001 > 5", "info", FILE, "many-columns")
found("many_columns_simple", "SELECT * FROM retail.wide WHERE column_001 > 5", "info", FILE, "many-columns", mode="simple")
found("many_columns_large", "SELECT * FROM retail.wide WHERE column_001 > 5", "warning", FILE, "many-columns", mode="cost", statistics={"retail.wide": (80 * GIB, None)})
found("reader_off", "SELECT l FROM retail.kinds WHERE n = 5", "info", FILE, "vectorized-reader-off", conf={"spark.sql.parquet.enableVectorizedReader": "false"})
found("orc_reader_off", "SELECT region FROM retail.store WHERE store_id = 5", "info", FILE, "vectorized-reader-off", conf={"spark.sql.orc.enableVectorizedReader": "false"})
found("codegen_off", "SELECT l FROM retail.kinds WHERE n = 5", "info", FILE, "codegen-off", conf={"spark.sql.codegen.wholeStage": "false"})
found("nested_off", "SELECT tags FROM retail.product WHERE product_id = 5", "info", FILE, "nested-columns", conf={"spark.sql.parquet.enableNestedColumnVectorizedReader": "false"})
found("max_fields", "SELECT l, n, str FROM retail.kinds WHERE n = 5", "info", FILE, "many-columns", conf={"spark.sql.codegen.maxFields": "2"})
found("v2_reader_off", lambda spark: spark.read.parquet(f"{lake_directory()}/files/parquet").where("n = 5").select("l"), "info", V2, "vectorized-reader-off",
      conf={"spark.sql.sources.useV1SourceList": "", "spark.sql.parquet.enableVectorizedReader": "false"})
silent("negative", "batched", "SELECT l FROM retail.kinds WHERE n = 5", "Batched: true")
silent("negative", "nested", "SELECT tags, dimension FROM retail.product WHERE product_id = 5", "nested columns are read in batches from 3.4 on")
silent("negative", "hundred_columns", "SELECT " + ", ".join(f"column_{i:03d}" for i in range(100)) + " FROM retail.wide", "100 columns are not too many")
silent("negative", "two_of_many", "SELECT column_001, column_002 FROM retail.wide", "only what is read counts")
silent("negative", "csv", "SELECT reason FROM retail.returns WHERE qty > 1", "text is read in rows, always")
silent("negative", "json", "SELECT country FROM retail.customer WHERE age > 30", "text is read in rows, always")
silent("negative", "v2", lambda spark: spark.read.parquet(f"{lake_directory()}/files/parquet").where("n = 5").select("l"), "ColumnarToRow above",
       conf={"spark.sql.sources.useV1SourceList": ""})
silent("negative", "v2_csv", lambda spark: spark.read.csv(f"{lake_directory()}/files/csv", header=True).where("region = 'north'"), "text by V2",
       conf={"spark.sql.sources.useV1SourceList": ""})
silent("negative", "v2_not_run", lambda spark: spark.read.parquet(f"{lake_directory()}/files/parquet").groupBy("p").count(), "an adaptive plan that has not run shows no ColumnarToRow",
       conf={"spark.sql.sources.useV1SourceList": ""})
silent("negative", "limit_raised", "SELECT * FROM retail.wide WHERE column_001 > 5", "Batched: true", conf={"spark.sql.codegen.maxFields": "200"})
silent("tiny", "small_by_cost", "SELECT * FROM retail.wide WHERE column_001 > 5", "3 MiB", mode="cost", statistics={"retail.wide": (3 * MIB, None)})
silent("healed", "empty_side", "SELECT w.* FROM retail.wide w JOIN retail.nothing n ON w.column_001 = n.product_id", "AQE dropped the scan", phase="after", conf=NEVER)

# ---- single-partition-jdbc
found, silent = both("single-partition-jdbc")
JDBC = "RowDataSourceScan"


def database(table, filter_=None, select="*", **options):
    def frame(spark):
        reader = spark.read.format("jdbc").option("url", "jdbc:h2:mem:shop").option("dbtable", table)
        for key, value in options.items():
            reader = reader.option(key, value)
        loaded = reader.load()
        return (loaded.where(filter_) if filter_ else loaded).selectExpr(select)
    return frame


FOUR = {"partitionColumn": "ID", "lowerBound": "1", "upperBound": "100", "numPartitions": "4"}
found("table", database("SHOP.ITEMS"), "info", JDBC)
found("table_simple", database("SHOP.ITEMS"), "info", JDBC, mode="simple")
found("filtered", database("SHOP.ORDERS", "QTY > 2"), "info", JDBC)
found("subquery", database("(SELECT ID, NAME FROM SHOP.ITEMS WHERE ID > 3) x"), "info", JDBC)
found("joined", lambda spark: database("SHOP.ITEMS")(spark).join(spark.table("retail.product"), expr("ID = product_id")).select("ID", "segment"), "info", JDBC)
found("after", lambda spark: database("SHOP.ORDERS")(spark).groupBy("ITEM").count(), "info", JDBC, phase="after")
found("extended_mode", database("SHOP.ITEMS"), "info", JDBC, mode="extended")
silent("negative", "partitioned", database("SHOP.ITEMS", **FOUR), "four partitions")
silent("negative", "partitioned_simple", database("SHOP.ITEMS", **FOUR), "four partitions", mode="simple")
silent("negative", "partitioned_filtered", database("SHOP.ITEMS", "PRICE > 5", **FOUR), "four partitions")
silent("negative", "v2_catalog", "SELECT NAME FROM h2.SHOP.ITEMS WHERE PRICE > 10", "V2 does not print the partitions")
silent("negative", "v2_aggregate", "SELECT ITEM, SUM(QTY) FROM h2.SHOP.ORDERS GROUP BY ITEM", "the database aggregates")
silent("negative", "v2_limit", "SELECT NAME FROM h2.SHOP.ITEMS ORDER BY PRICE DESC LIMIT 3", "the database limits")
silent("negative", "limited_subquery", database("(SELECT ID FROM SHOP.ITEMS ORDER BY ID LIMIT 5) x"), "five rows")
silent("negative", "cached", lambda spark: database("SHOP.ITEMS")(spark).cache().where("ID > 3"), "read once, into the cache")
silent("negative", "parquet", "SELECT l FROM retail.kinds", "no database")
silent("tiny", "one_row", database("(SELECT MAX(ID) AS M FROM SHOP.ITEMS) x"), "a global aggregate inside")
silent("healed", "empty_side", lambda spark: database("SHOP.ITEMS")(spark).join(spark.table("retail.nothing"), expr("ID = product_id")), "AQE dropped the scan",
       phase="after", conf=NEVER)

# ---- filter-above-cache: a text cannot know who else reads the cache, so all of it is silent.
found, silent = both("filter-above-cache")


def cached(filter_, table="retail.kinds"):
    return lambda spark: spark.table(table).cache().where(filter_).select("l")


silent("negative", "pushable", cached("n = 5"), "a filter above a cache is its normal form")
silent("negative", "pushable_simple", cached("n = 5"), "a filter above a cache is its normal form", mode="simple")
silent("negative", "pushable_after", cached("n = 5"), "a filter above a cache is its normal form", phase="after")
silent("negative", "not_pushable", cached("upper(str) = 'K1'"), "no source would take it")
silent("negative", "range", cached("n > 5 AND l < 100"), "who else reads it is not in the text")
silent("negative", "partition_column", cached("p = 1", "retail.kinds_by_p"), "who else reads it is not in the text")
silent("negative", "no_filter", lambda spark: spark.table("retail.kinds").cache().groupBy("p").count(), "no filter")
silent("negative", "not_cached", "SELECT l FROM retail.kinds WHERE n = 5", "no cache")
silent("healed", "empty_side", lambda spark: spark.table("retail.kinds").cache().where("n = 5").join(spark.table("retail.nothing"), expr("n = product_id")), "AQE dropped the join",
       phase="after", conf=NEVER)
silent("tiny", "few_rows", lambda spark: spark.table("retail.store").cache().where("store_id = 5"), "40 rows")

# ---- bucketing-unused: sales_bucketed and product_bucketed have 8 buckets by product_id, returns_bucketed 4.
found, silent = both("bucketing-unused")
BUCKETED = "SELECT s.sale_id, p.name FROM retail.sales_bucketed s JOIN retail.product_bucketed p ON s.product_id = p.product_id"
FOUR_BUCKETS = "SELECT s.sale_id, r.reason FROM retail.sales_bucketed s JOIN retail.returns_bucketed r ON s.product_id = r.product_id"
OFF = {**NEVER, "spark.sql.sources.bucketing.enabled": "false"}
case("bucketing-unused", "positive", "switched_off", BUCKETED, ("info", FILE, "disabled-by-configuration"), ("info", FILE, "disabled-by-configuration"), conf=OFF,
     why="both sides are bucketed")
found("switched_off_aggregate", "SELECT product_id, COUNT(*) FROM retail.sales_bucketed GROUP BY product_id", "info", FILE, "disabled-by-configuration", conf=OFF)
found("switched_off_simple", "SELECT product_id, COUNT(*) FROM retail.sales_bucketed GROUP BY product_id", "info", FILE, "disabled-by-configuration", conf=OFF, mode="simple")
found("counts_differ", FOUR_BUCKETS, "info", FILE, "bucket-counts-differ", conf=NEVER)
found("counts_differ_simple", FOUR_BUCKETS, "info", FILE, "bucket-counts-differ", conf=NEVER, mode="simple")
found("counts_differ_after", FOUR_BUCKETS, "info", FILE, "bucket-counts-differ", conf=NEVER, phase="after")
found("counts_differ_left_join", FOUR_BUCKETS.replace(" JOIN ", " LEFT JOIN "), "info", FILE, "bucket-counts-differ", conf=NEVER)
found("key_types_differ", lambda spark: (spark.sql("CREATE TABLE IF NOT EXISTS retail.returns_by_long USING parquet CLUSTERED BY (product_id) INTO 8 BUCKETS AS "
      "SELECT return_id, CAST(product_id AS BIGINT) AS product_id, reason FROM retail.returns"),
      spark.sql("SELECT s.sale_id, r.reason FROM retail.sales_bucketed s JOIN retail.returns_by_long r ON s.product_id = r.product_id"))[1],
      "info", FILE, "key-types-differ", conf=NEVER)
silent("negative", "used", BUCKETED, "8 out of 8 on both sides", conf=NEVER)
silent("negative", "used_simple", BUCKETED, "8 out of 8 on both sides", conf=NEVER, mode="simple")
silent("negative", "used_by_aggregate", "SELECT product_id, COUNT(*) FROM retail.sales_bucketed GROUP BY product_id", "no exchange")
silent("negative", "filter_only", "SELECT product_id FROM retail.sales_bucketed WHERE qty = 5", "disabled by query planner, and nothing to gain")
silent("negative", "broadcast_join", BUCKETED, "a broadcast join needs no buckets")
silent("negative", "coalesced", FOUR_BUCKETS, "Coalesced to 4: Spark's own fix", conf={**NEVER, "spark.sql.bucketing.coalesceBucketsInJoin.enabled": "true"})
silent("negative", "column_not_read", "SELECT qty, COUNT(*) FROM retail.sales_bucketed GROUP BY qty", "bucket column(s) not read")
silent("negative", "other_key", "SELECT s.sale_id, r.reason FROM retail.sales_bucketed s JOIN retail.returns_bucketed r ON s.qty = r.qty", "joined on another column: both exchanged", conf=NEVER)
silent("negative", "other_side_plain", "SELECT s.sale_id, r.reason FROM retail.sales_bucketed s JOIN retail.returns r ON s.product_id = r.product_id", "the other side has no buckets", conf=NEVER)
silent("negative", "switched_off_filter", "SELECT sale_id FROM retail.sales_bucketed WHERE qty = 5", "nothing is shuffled", conf=OFF)
silent("tiny", "pruned", "SELECT sale_id FROM retail.sales_bucketed WHERE product_id = 5", "1 out of 8")
silent("healed", "empty_side", "SELECT s.sale_id FROM retail.sales_bucketed s JOIN retail.nothing n ON s.product_id = n.product_id", "AQE dropped the join", phase="after", conf=NEVER)

# ---- rdd-scan
found, silent = both("rdd-scan")
RDD, OBJECTS = "RDDScan", "ExternalRDDScan"


def python_rows(spark):
    return spark.createDataFrame(spark.sparkContext.parallelize([(1, "a"), (2, "b")], 2), "i int, k string")


def through_rdd(spark):
    return spark.table("retail.store").select("store_id").rdd.map(lambda row: (row[0], row[0] * 2)).toDF("store_id int, twice int")


def java_objects(spark):
    values = spark._jvm.java.util.ArrayList()
    for number in (1, 2, 3):
        values.add(number)
    rdd = spark._jvm.org.apache.spark.api.java.JavaSparkContext.fromSparkContext(spark.sparkContext._jsc.sc()).parallelize(values, 2)
    from pyspark.sql import DataFrame
    dataset = spark._jsparkSession.createDataset(rdd.rdd(), spark._jvm.org.apache.spark.sql.Encoders.INT())
    return DataFrame(dataset.toDF(), spark)


found("filtered", lambda spark: python_rows(spark).where("i > 1"), "info", RDD)
found("joined", lambda spark: spark.table("retail.sales").join(through_rdd(spark), "store_id").groupBy("twice").count(), "info", RDD)
found("aggregated", lambda spark: python_rows(spark).groupBy("k").count(), "info", RDD)
found("sorted", lambda spark: through_rdd(spark).orderBy("twice"), "info", RDD)
found("windowed", lambda spark: python_rows(spark).selectExpr("i", "row_number() over (partition by k order by i) AS r"), "info", RDD)
found("java_objects", lambda spark: java_objects(spark).where("value > 1"), "info", OBJECTS)
found("many_rows_after", lambda spark: spark.createDataFrame(spark.sparkContext.parallelize([(i, i % 7) for i in range(3000)], 2), "i int, k int").repartition(3, "k").groupBy("k").count(),
      "info", RDD, phase="after", why="3,000 rows")
silent("negative", "checkpoint", lambda spark: (spark.sparkContext.setCheckpointDir(f"{lake_directory()}/checkpoint/rules"), spark.table("retail.kinds").where("n > 7").select("l", "p").checkpoint())[1].groupBy("p").count(),
       "a checkpoint cuts the plan on purpose")
silent("negative", "local_checkpoint", lambda spark: spark.table("retail.kinds").where("n > 7").select("l", "p").localCheckpoint().groupBy("p").count(), "a local checkpoint")
silent("negative", "checkpoint_joined", lambda spark: spark.table("retail.kinds").select("l", "p").localCheckpoint().join(spark.table("retail.store"), expr("p = store_id")), "a local checkpoint")
silent("negative", "checkpoint_simple", lambda spark: spark.table("retail.kinds").select("l", "p").localCheckpoint().groupBy("p").count(), "one line does not say that it is a checkpoint", mode="simple")
silent("negative", "shown", lambda spark: python_rows(spark), "nothing relational above")
silent("negative", "projected", lambda spark: python_rows(spark).selectExpr("i + 1 AS j"), "nothing but a projection above")
silent("negative", "table", "SELECT l FROM retail.kinds WHERE n = 5", "a table")
silent("negative", "range", "SELECT id FROM RANGE(0, 10) WHERE id % 2 = 0", "Range")
silent("negative", "values", "SELECT a, COUNT(*) FROM VALUES (1), (2) AS t(a) GROUP BY a", "rows of the plan itself")
silent("tiny", "few_rows_after", lambda spark: python_rows(spark).repartition(3, "k").groupBy("k").count(), "2 rows, says the stage", phase="after")
silent("healed", "empty_side", lambda spark: through_rdd(spark).join(spark.table("retail.nothing"), expr("store_id = product_id")), "AQE dropped the join", phase="after", conf=NEVER)
