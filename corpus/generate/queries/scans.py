"""Scans of every source: file formats by both APIs, JDBC, local data, RDDs; partition filters kept and defeated."""
from spark_corpus.neutral import lake_directory
from spark_corpus.query import query, sql

LAKE = lake_directory()

V2 = {"spark.sql.sources.useV1SourceList": ""}
COMET = ("core", "comet")

sql("scan_parquet_table", "FileScan parquet of a partitioned table, all columns", "SELECT * FROM retail.sales WHERE qty = 3", kinds=COMET)
sql("scan_parquet_path", "FileScan parquet of a path: no table name", "SELECT n, str FROM parquet.`/data/lake/files/parquet` WHERE n > 5")
sql("scan_parquet_nested", "nested column pruning", "SELECT product_id, dimension.width, tags[0] AS t FROM retail.product WHERE dimension.unit = 'cm'",
    kinds=COMET)
sql("scan_parquet_all_types", "every column type", "SELECT * FROM retail.kinds WHERE flag AND dt > DATE'2024-01-05' AND ts < TIMESTAMP'2024-02-01 00:00:00'")
sql("scan_orc", "FileScan orc", "SELECT store_name FROM retail.store WHERE region = 'north' AND area > 1000")
sql("scan_csv", "FileScan csv", "SELECT return_id FROM retail.returns WHERE reason = 'broken' AND qty > 1")
sql("scan_json", "FileScan json", "SELECT customer_name FROM retail.customer WHERE country IN ('DE', 'FR') AND age BETWEEN 20 AND 30")
sql("scan_text", "FileScan text: a source that cannot push", "SELECT value FROM retail.web_log WHERE value LIKE '%page/7'")
sql("scan_binary", "FileScan binaryFile", "SELECT path, length FROM binaryFile.`/data/lake/files/binary` WHERE length > 1")
sql("scan_row_mode", "vectorised reader off: Batched false", "SELECT n, str FROM retail.kinds WHERE n = 5",
    conf={"spark.sql.parquet.enableVectorizedReader": "false"})
sql("scan_wide", "120 columns: more than codegen.maxFields", "SELECT * FROM retail.wide WHERE column_007 > 3")
sql("scan_metadata_columns", "file metadata columns and input_file_name",
    "SELECT sale_id, _metadata.file_name, _metadata.file_size, INPUT_FILE_NAME() AS f FROM retail.sales WHERE qty > 8")


def read_v2(format_):
    def scan(spark):
        condition = "region = 'north'" if format_ == "csv" else "n = 5 AND str LIKE 'k1%' AND upper(str) = 'K1'"
        frame = spark.read.option("header", "true").option("inferSchema", "true").format(format_).load(f"{LAKE}/files/{format_}")
        return frame.where(condition)
    scan.__name__, scan.__module__ = f"scan_v2_{format_}", __name__
    return scan


for format_ in ("parquet", "orc", "json", "csv"):
    query(f"BatchScan {format_}: the V2 source", conf=V2)(read_v2(format_))


@query("BatchScan text: the V2 source", conf=V2)
def scan_v2_text(spark):
    return spark.read.text(f"{LAKE}/files/text").where("value > '15'")


@query("V2 join and aggregate with AQE off", conf={**V2, "spark.sql.adaptive.enabled": "false"})
def scan_v2_join(spark):
    kinds = spark.read.parquet(f"{LAKE}/files/parquet")
    return kinds.join(spark.read.orc(f"{LAKE}/files/orc").select("l", "numstr"), "l").groupBy("p").count()


@query("many paths: a location list that is cut")
def scan_many_paths(spark):
    days = [f"{LAKE}/retail/sales/sale_date=2024-01-{day:02d}/channel=web" for day in range(8, 18)]
    return spark.read.option("basePath", f"{LAKE}/retail/sales").parquet(*days).where("qty > 8").select("sale_id", "sale_date")


@query("a path that is longer than 100 characters")
def scan_long_path(spark):
    path = f"{LAKE}/files/" + "/".join(["a_rather_long_folder_name_for_one_level"] * 3) + "/with blanks, commas and brackets (1)"
    spark.sql("DROP TABLE IF EXISTS retail.far_away")
    spark.sql(f"CREATE TABLE retail.far_away USING parquet LOCATION '{path}' AS SELECT id FROM RANGE(5)")
    return spark.table("retail.far_away").where("id > 2")


# Partition filters.
sql("partition_filter_equal", "a partition filter that prunes", "SELECT sale_id FROM retail.sales WHERE sale_date = DATE'2024-01-10' AND qty > 3",
    kinds=COMET)
sql("partition_filter_in", "IN over partitions, both columns", "SELECT sale_id FROM retail.sales WHERE sale_date IN (DATE'2024-01-10', DATE'2024-01-12') AND channel = 'web'")
sql("partition_filter_function", "kept: functions of partition columns still prune",
    "SELECT sale_id FROM retail.sales WHERE year(sale_date) = 2024 AND substr(CAST(sale_date AS STRING), 9, 2) = '10' AND upper(channel) = 'WEB'")
sql("partition_filter_or_data", "defeated: OR with a data column", "SELECT sale_id FROM retail.sales WHERE sale_date = DATE'2024-01-10' OR qty > 8", events=True)
sql("partition_filter_compare_data", "defeated: compared with a data column", "SELECT sale_id FROM retail.sales WHERE sale_date = CAST(sold_at AS DATE)")
sql("partition_filter_random", "defeated: not deterministic", "SELECT sale_id FROM retail.sales WHERE DAYOFMONTH(sale_date) > RAND(3) * 30")
sql("partition_filter_none", "a full scan of a partitioned table", "SELECT COUNT(*) AS n FROM retail.sales WHERE qty > 8")
sql("partition_filter_data_date", "the predicate is on a date column that is not the partition column",
    "SELECT sale_id FROM retail.sales WHERE TO_DATE(sold_at) = DATE'2024-01-10'")
sql("partition_filter_int", "partition column p of type int, each kind of predicate",
    "SELECT n FROM retail.kinds_by_p WHERE p + 0 = 1 AND CAST(p AS STRING) = '1' AND p IN (1, 2) AND n = 5")
sql("partition_filter_int_or", "defeated: p = 1 OR n = 5", "SELECT n FROM retail.kinds_by_p WHERE p = 1 OR n = 5")
sql("partition_filter_kept_path", "a partitioned path", "SELECT sale_id FROM parquet.`/data/lake/retail/sales` WHERE channel = 'web' AND sale_id > 5")


@query("defeated: a Python UDF over a partition column (3.3 cannot explain it)", since="3.4")
def partition_filter_python_udf(spark):
    from pyspark.sql.functions import udf
    is_web = udf(lambda channel: channel == "web", "boolean")
    sales = spark.table("retail.sales")
    return sales.where(is_web(sales["channel"])).select("sale_id")


@query("defeated: a Java UDF over a partition column")
def partition_filter_java_udf(spark):
    spark.udf.registerJavaFunction("reverse_text", "planvet.TypedFunctions$Reverse", "string")
    return spark.sql("SELECT sale_id FROM retail.sales WHERE reverse_text(channel) = 'bew'")


# JDBC.
@query("JDBC: one partition, filter pushed", events=True)
def scan_jdbc(spark):
    return spark.read.format("jdbc").option("url", "jdbc:h2:mem:shop").option("dbtable", "SHOP.ITEMS").load().where("PRICE > 10 AND NAME LIKE 'item 1%'")


@query("JDBC: a query in place of a table, four partitions, joined")
def scan_jdbc_partitions(spark):
    items = spark.read.format("jdbc").option("url", "jdbc:h2:mem:shop").option("dbtable", "(SELECT ID, NAME, PRICE FROM SHOP.ITEMS WHERE ID > 3) x") \
        .option("partitionColumn", "ID").option("lowerBound", "1").option("upperBound", "100").option("numPartitions", "4").load()
    return items.join(spark.table("retail.product"), items["ID"] == spark.table("retail.product")["product_id"]).select(items["NAME"], "segment")


sql("scan_jdbc_v2", "JDBC V2: filter", "SELECT NAME FROM h2.SHOP.ITEMS WHERE PRICE > 10 AND ID < 50")
sql("scan_jdbc_v2_aggregate", "JDBC V2: aggregate pushed", "SELECT ITEM, SUM(QTY) AS Q FROM h2.SHOP.ORDERS WHERE QTY > 1 GROUP BY ITEM")
sql("scan_jdbc_v2_limit", "JDBC V2: top N pushed", "SELECT NAME FROM h2.SHOP.ITEMS ORDER BY PRICE DESC LIMIT 3")
sql("scan_jdbc_v2_join", "JDBC V2: a join of two tables", "SELECT i.NAME, o.QTY FROM h2.SHOP.ITEMS i JOIN h2.SHOP.ORDERS o ON i.ID = o.ITEM WHERE o.QTY > 4")

# No files.
sql("scan_range", "Range", "SELECT id, id % 3 AS r FROM RANGE(0, 8, 1, 2) WHERE id > 2")
sql("scan_range_join", "Range joined and aggregated", "SELECT COUNT(*) AS n FROM RANGE(1000) a JOIN RANGE(100) b ON a.id = b.id", codegen=False)
sql("scan_values", "LocalTableScan", "SELECT number, label FROM VALUES (1, 'one'), (2, 'two'), (3, NULL) AS v(number, label) WHERE number > RAND(1)")
sql("scan_one_row", "OneRowRelation", "SELECT 1 AS one, CURRENT_DATE() > DATE'2020-01-01' AS later, RAND(4) AS r")
sql("scan_empty", "an empty table", "SELECT label FROM retail.nothing WHERE product_id > 1")
sql("scan_view", "a view over a view with a filter pushed through",
    "WITH a AS (SELECT sale_id, qty * 2 AS twice, channel FROM retail.sales), b AS (SELECT sale_id, twice FROM a WHERE channel = 'web') SELECT * FROM b WHERE twice > 12")


@query("Scan ExistingRDD: a frame made of Python rows")
def scan_rdd(spark):
    return spark.createDataFrame(spark.sparkContext.parallelize([(1, "a"), (2, "b")], 2), "i int, k string").where("i > 1")


@query("Scan ExistingRDD joined with a table, made through an RDD")
def scan_rdd_join(spark):
    keys = spark.table("retail.store").select("store_id").rdd.map(lambda row: (row[0], row[0] * 2)).toDF("store_id int, twice int")
    return spark.table("retail.sales").join(keys, "store_id").groupBy("twice").count()


@query("a local frame of pandas rows, with Arrow")
def scan_local_frame(spark):
    return spark.createDataFrame([(1, "x", 2.5, None), (2, "y, [z]", 1.5, [1, 2])], "i int, s string, d double, a array<int>").where("i = rand(1) or i > 0")
