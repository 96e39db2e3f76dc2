"""What ordinary queries look like: joins, adaptive plans, subqueries, caches, writes, Python."""
from application import case, tables

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}


def run_all(spark, *queries) -> None:
    for number, query in enumerate(queries):
        spark.sparkContext.setJobDescription(f"query {number}")
        spark.sql(query).collect()
    spark.sparkContext.setJobDescription(None)


@case("joins of every strategy, with AQE off: one plan version", {"spark.sql.adaptive.enabled": "false"})
def static_joins(spark, place):
    tables(spark, place)
    run_all(
        spark,
        "SELECT s.sale_id, p.name FROM sales s JOIN product p ON s.product_id = p.product_id WHERE p.price > 100",
        "SELECT /*+ MERGE(p) */ s.store_id, COUNT(*), AVG(p.price) FROM sales s JOIN product p "
        "ON s.product_id = p.product_id GROUP BY s.store_id ORDER BY s.store_id",
        "SELECT /*+ SHUFFLE_HASH(p) */ p.category_id, SUM(s.qty) FROM sales s JOIN product p "
        "ON s.product_id = p.product_id GROUP BY p.category_id",
        "SELECT COUNT(*) FROM product a JOIN product b ON a.price < b.price - 150",
        "SELECT /*+ SHUFFLE_REPLICATE_NL(b) */ COUNT(*) FROM product a CROSS JOIN product b",
        "SELECT * FROM sales WHERE qty = 99",  # a metric that nothing updates
        "SELECT sale_id, qty FROM sales ORDER BY qty DESC, sale_id LIMIT 5",
        "SELECT sale_id, RANK() OVER (PARTITION BY store_id ORDER BY qty) AS r FROM sales",
        "SELECT store_id, COUNT(DISTINCT product_id) FROM sales GROUP BY store_id",
        "SELECT store_id, collect_set(qty) FROM sales GROUP BY store_id",
        "SELECT sale_id FROM sales LIMIT 3")


@case("adaptive plans: coalesced, skewed and local reads, late broadcast, empty sides",
      {**NO_BROADCAST, "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "64KB",
       "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2",
       "spark.sql.adaptive.advisoryPartitionSizeInBytes": "64KB",
       "spark.sql.adaptive.coalescePartitions.minPartitionSize": "8KB"})
def adaptive(spark, place):
    tables(spark, place)
    run_all(
        spark,
        "SELECT store_id, SUM(qty) AS q FROM sales GROUP BY store_id",
        "SELECT s.sale_id, r.note FROM sales s JOIN returns r ON s.product_id = r.product_id WHERE s.qty = 3",
        "SELECT s.sale_id, r.reason_id FROM sales s JOIN returns r ON s.product_id = r.product_id AND r.reason_id > 99",
        "SELECT a.store_id, a.n, b.q FROM (SELECT store_id, COUNT(*) AS n FROM sales GROUP BY store_id) a "
        "JOIN (SELECT store_id, SUM(qty) AS q FROM sales WHERE qty > 5 GROUP BY store_id) b ON a.store_id = b.store_id")
    spark.conf.set("spark.sql.adaptive.autoBroadcastJoinThreshold", "10MB")
    run_all(
        spark,
        "SELECT s.sale_id, p.name FROM sales s JOIN product p ON s.product_id = p.product_id WHERE p.price < 20")


@case("exchanges and subqueries that are reused, dynamic partition pruning, caches")
def reuse(spark, place):
    tables(spark, place)
    run_all(
        spark,
        "WITH q AS (SELECT store_id, SUM(qty) AS n FROM sales GROUP BY store_id) "
        "SELECT a.store_id FROM q a JOIN q b ON a.store_id = b.store_id + 1",
        "SELECT sale_id FROM sales WHERE qty > (SELECT AVG(qty) FROM sales) AND sale_id < (SELECT AVG(qty) FROM sales) * 100",
        "SELECT COUNT(*) FROM sales WHERE product_id IN (SELECT product_id FROM product WHERE category_id = 3)",
        "SELECT d.qty, p.name FROM daily d JOIN product p ON d.d = p.product_id WHERE p.category_id = 4",
        "SELECT COUNT(*) FROM (SELECT DISTINCT store_id FROM sales UNION ALL SELECT DISTINCT store_id FROM sales)")
    spark.sql("CACHE TABLE hot AS SELECT product_id, COUNT(*) AS n FROM sales GROUP BY product_id")
    spark.sql("CACHE LAZY TABLE lazy AS SELECT reason_id, COUNT(*) AS n FROM returns GROUP BY reason_id")
    run_all(
        spark,
        "SELECT h.n, p.name FROM hot h JOIN product p ON h.product_id = p.product_id",
        "SELECT a.n FROM lazy a JOIN lazy b ON a.reason_id = b.reason_id",
        "SELECT COUNT(*) FROM hot")


@case("writes: files, dynamic partitions, tables, insert")
def writes(spark, place):
    tables(spark, place)
    sales = spark.table("sales")
    sales.repartition(3).write.mode("overwrite").parquet(f"{place.output}/plain")
    sales.write.mode("overwrite").partitionBy("store_id").parquet(f"{place.output}/parts")
    spark.sql("CREATE TABLE by_store USING parquet AS SELECT store_id, SUM(qty) AS q FROM sales GROUP BY store_id")
    spark.sql("INSERT INTO by_store SELECT store_id, COUNT(*) FROM sales GROUP BY store_id")
    spark.sql("SELECT * FROM by_store").collect()


@case("rows that go to Python and come back")
def python(spark, place):
    from pyspark.sql import functions
    from pyspark.sql.types import LongType

    tables(spark, place)
    twice = functions.udf(lambda x: x * 2, LongType())
    sales = spark.table("sales")
    sales.select(twice("sale_id").alias("two")).where("two > 100").agg({"two": "sum"}).collect()
    sales.mapInPandas(lambda frames: frames, sales.schema).groupBy("store_id").count().collect()
    sales.groupBy("store_id").applyInPandas(lambda frame: frame.head(1), sales.schema).collect()


@case("operators that spill: sorts, windows, aggregates",
      {"spark.shuffle.spill.numElementsForceSpillThreshold": "5000", "spark.sql.windowExec.buffer.in.memory.threshold": "100",
       "spark.sql.windowExec.buffer.spill.threshold": "1000", "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "16",
       "spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.sortMergeJoinExec.buffer.in.memory.threshold": "100",
       "spark.sql.sortMergeJoinExec.buffer.spill.threshold": "5000"}, versions=("3.5", "4.3"), is_alone=True)
def spills(spark, place):
    tables(spark, place)
    run_all(
        spark,
        "SELECT COUNT(*), MAX(note) FROM sales s JOIN returns r ON s.product_id = r.product_id WHERE s.qty < 2",
        "SELECT sale_id, SUM(qty) OVER (PARTITION BY store_id) AS q FROM sales ORDER BY q, sale_id LIMIT 1000",
        "SELECT product_id, collect_list(note) AS notes FROM returns GROUP BY product_id")


@case("streams with state: an aggregate, rows that come twice", versions=("3.5", "4.3"))
def streaming(spark, place):
    tables(spark, place)
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    spark.conf.set("spark.sql.streaming.forceDeleteTempCheckpointLocation", "true")
    sales = spark.table("sales")
    stream = spark.readStream.schema(sales.schema).option("maxFilesPerTrigger", "2").parquet(f"{place.data}/sales")
    for frame, mode in ((stream.groupBy("store_id").count(), "update"),
                        (stream.withColumn("time", stream["day"].cast("timestamp")).withWatermark("time", "10 days")
                         .dropDuplicates(["store_id", "qty", "time"]), "append")):
        frame.writeStream.format("noop").outputMode(mode).trigger(availableNow=True).start().awaitTermination()


DELTA = {"spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
         "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
         "spark.databricks.delta.snapshotPartitions": "2"}


@case("Delta: written, merged, updated, read; queries inside of queries", DELTA, versions=("3.5",),
      jars=("delta-spark_", "delta-storage-"))
def delta(spark, place):
    tables(spark, place)
    spark.sql("CREATE TABLE orders USING delta AS SELECT sale_id, store_id, qty FROM sales")
    spark.sql("MERGE INTO orders o USING (SELECT sale_id, 1 AS qty FROM sales WHERE sale_id < 100) s "
              "ON o.sale_id = s.sale_id WHEN MATCHED THEN UPDATE SET qty = s.qty WHEN NOT MATCHED THEN "
              "INSERT (sale_id, qty) VALUES (s.sale_id, s.qty)")
    spark.sql("UPDATE orders SET qty = 9 WHERE store_id = 3")
    spark.sql("SELECT store_id, SUM(qty) FROM orders GROUP BY store_id").collect()


ICEBERG = {"spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
           "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.ice.type": "hadoop",
           "spark.sql.catalog.ice.warehouse": "{output}/iceberg"}


@case("Iceberg: written, merged, read; metrics of types that only its classes know", ICEBERG, versions=("3.5",),
      jars=("iceberg-spark-runtime-",))
def iceberg(spark, place):
    tables(spark, place)
    spark.sql("CREATE TABLE ice.shop.orders USING iceberg AS SELECT sale_id, store_id, qty FROM sales")
    spark.sql("MERGE INTO ice.shop.orders o USING (SELECT sale_id, 1 AS qty FROM sales WHERE sale_id < 100) s "
              "ON o.sale_id = s.sale_id WHEN MATCHED THEN UPDATE SET qty = s.qty")
    spark.sql("SELECT store_id, SUM(qty) FROM ice.shop.orders WHERE sale_id > 500 GROUP BY store_id").collect()


COMET = {"spark.plugins": "org.apache.spark.CometPlugin",
         "spark.shuffle.manager": "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager",
         "spark.comet.enabled": "true", "spark.comet.exec.enabled": "true", "spark.comet.exec.shuffle.enabled": "true",
         "spark.memory.offHeap.enabled": "true", "spark.memory.offHeap.size": "1g"}


@case("Comet's native operators", COMET, versions=("3.5", "4.1"), jars=("comet-spark-spark{minor}_",))
def comet(spark, place):
    tables(spark, place)
    run_all(
        spark,
        "SELECT store_id, SUM(qty) AS q FROM sales GROUP BY store_id ORDER BY q",
        "SELECT s.sale_id, p.name FROM sales s JOIN product p ON s.product_id = p.product_id WHERE p.price > 100",
        "SELECT /*+ MERGE(r) */ COUNT(*), MAX(r.note) FROM sales s JOIN returns r ON s.product_id = r.product_id "
        "WHERE s.qty = 3")
