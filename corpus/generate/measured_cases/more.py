"""Rules that came later: spills, caches, streams; and what their application runs for others."""
from measured_cases.labelled import case

SORT, WINDOW, CACHE, EXCHANGE, SCAN = "Sort", "Window", "InMemoryTableScan", "ShuffleExchange", "FileSourceScan"
SHORT = "concat('note ', hash(sale_id, 5), hash(sale_id, 6), hash(sale_id, 7)) AS note"
LONG = "concat_ws(' ', hash(sale_id, 5), hash(sale_id, 6), repeat(cast(hash(sale_id, 7) AS string), 20)) AS note"


def more(rule, kind, name, query, *expected, conf=None, why=""):
    case(rule, kind, name, query, *expected, conf=conf, why=why, application="more")


# ---- spill: planvet.toml has 8 MiB for an info and 32 MiB for a warning here.
WINDOWED = f"SELECT sale_id, {SHORT}, sum(qty) OVER (PARTITION BY store_id % 8) AS q FROM {{t}}"
FORCED = {"spark.sql.windowExec.buffer.spill.threshold": "60000", "spark.sql.windowExec.buffer.in.memory.threshold": "100"}
more("spill", "positive", "volume", f"SELECT sale_id, note FROM (SELECT /*+ REPARTITION(2, store_id) */ sale_id, store_id, {LONG} FROM sales) SORT BY note",
     ("warning", SORT, "volume"), why="two tasks sort a million rows of 250 bytes each")
more("spill", "positive", "forced", WINDOWED.format(t="sales"), ("warning", WINDOW, "forced-by-conf"), conf=FORCED,
     why="the buffer of a window has to spill after 60,000 rows")
more("spill", "tiny", "forced", WINDOWED.format(t="tiny_sales"), conf={**FORCED, "spark.sql.windowExec.buffer.spill.threshold": "100"},
     why="2,000 rows: some KiB")
more("spill", "negative", "fits", "SELECT sale_id, code FROM sales WHERE sale_id < 200000 SORT BY code", why="200,000 short rows fit")
more("spill", "negative", "many_partitions", f"SELECT sale_id, note FROM (SELECT /*+ REPARTITION(24, store_id) */ sale_id, store_id, {LONG} FROM sales) SORT BY note",
     why="the same rows as in volume in 24 partitions")
more("spill", "negative", "aggregated", "SELECT store_id, max(code) FROM sales GROUP BY store_id", why="500 groups")

# ---- skew-not-split: an operator above the join needs its partitions.
HOT = f"(SELECT CASE WHEN sale_id % 20 < 19 THEN 7 ELSE store_id END AS k, sale_id, {SHORT} FROM sales WHERE sale_id < 800000)"
SPLIT = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.coalescePartitions.enabled": "false",
         "spark.sql.shuffle.partitions": "12", "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "1MB",
         "spark.sql.adaptive.advisoryPartitionSizeInBytes": "512KB"}
GROUPED = f"SELECT a.k, sum(length(a.note)), max(length(b.name)) FROM {HOT} a JOIN (SELECT store_id AS k, name FROM store) b ON a.k = b.k GROUP BY a.k"
more("skew-not-split", "positive", "grouped_above", GROUPED, ("warning", EXCHANGE, "would-add-shuffle"), conf=SPLIT,
     why="the join's partitions serve the group by: splitting would cost it a shuffle")
more("skew-not-split", "positive", "window_above",
     f"SELECT a.k, a.note, max(a.sale_id) OVER (PARTITION BY a.k) AS m FROM {HOT} a JOIN (SELECT store_id AS k, name FROM store) b ON a.k = b.k",
     ("warning", EXCHANGE, "would-add-shuffle"), conf=SPLIT, why="the same for a window")
more("skew-not-split", "healed", "forced_above", GROUPED, conf={**SPLIT, "spark.sql.adaptive.forceOptimizeSkewedJoin": "true"},
     why="forced: split, for one more shuffle")

# ---- partition-size
GROUPS = "SELECT store_id, count(*) FROM tiny_sales GROUP BY store_id"
APART = {"spark.sql.adaptive.coalescePartitions.enabled": "false"}
more("partition-size", "negative", "default", GROUPS, conf={**APART, "spark.sql.shuffle.partitions": "200"}, why="200 are the default")
more("partition-size", "negative", "below_a_thousand", GROUPS, conf={**APART, "spark.sql.shuffle.partitions": "900"}, why="not a thousand tasks")
more("partition-size", "negative", "rebalanced", "SELECT /*+ REBALANCE(store_id) */ store_id, qty FROM tiny_sales", conf={"spark.sql.shuffle.partitions": "1000"},
     why="AQE merges what it balances")
more("partition-size", "negative", "joined", "SELECT s.qty, t.name FROM sales s JOIN store t ON s.store_id = t.store_id",
     conf={"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.shuffle.partitions": "8"}, why="some MiB in each of 8")

# ---- full-partition-scan: one finding for one table.
more("full-partition-scan", "positive", "twice", "SELECT code FROM daily WHERE code > 5 UNION ALL SELECT code FROM daily WHERE code < 2 AND code > -900",
     ("warning", SCAN, ""), why="two scans, one table: said once")


# ---- filter-above-cache: several queries read one cached relation.
def cached(source, *readers, after=lambda frame: None):
    def run(spark, place):
        frame = spark.sql(source).cache()
        for reader in readers:
            reader(frame).collect()
        after(frame)
        frame.unpersist()
    return run


def only(text):
    return lambda frame: frame.where(text).groupBy("store_id").count()


def times(expression):
    return lambda frame: frame.groupBy("store_id").agg({"code": expression})


ROWS = "SELECT sale_id, store_id, qty, code FROM sales WHERE sale_id {0} 300000"
more("filter-above-cache", "positive", "read_once", cached(ROWS.format("<"), times("max")), ("info", CACHE, "read-once"), why="one query reads it")
more("filter-above-cache", "positive", "same_filter", cached(ROWS.format("<="), only("qty = 5"), lambda frame: frame.where("qty = 5").agg({"code": "sum"})),
     ("info", CACHE, "same-filter"), why="two queries, one filter")
more("filter-above-cache", "negative", "several_readers", cached(ROWS.format(">"), times("max"), times("min")), why="what a cache is for")
more("filter-above-cache", "negative", "other_filters", cached(ROWS.format("<>"), only("qty = 5"), only("qty = 6")), why="two filters")
more("filter-above-cache", "negative", "once_without", cached(ROWS.format(">="), only("qty = 5"), times("max")), why="one reader wants all rows")
more("filter-above-cache", "negative", "filled_and_read", cached("SELECT store_id, code, qty + 1 AS n FROM sales WHERE qty < 300", lambda frame: frame.groupBy().count(),
     times("max")), why="filled by a count, then read: two readers")
more("filter-above-cache", "negative", "joined_with_itself", cached("SELECT store_id, code, qty + 2 AS n FROM sales WHERE sale_id < 3000",
     lambda frame: frame.alias("a").join(frame.alias("b"), "code").selectExpr("count(*)")), why="one query reads it twice")
more("filter-above-cache", "negative", "aggregated", cached("SELECT store_id, count(*) AS code FROM sales WHERE qty < 200 GROUP BY store_id", only("code > 5"),
     lambda frame: frame.where("code > 5").agg({"store_id": "sum"})), why="the filter is one of what the cache saves: an aggregate")
more("filter-above-cache", "negative", "unpushable", cached("SELECT store_id, code, qty FROM sales WHERE qty < 250", only("hash(qty) % 7 = 1"),
     lambda frame: frame.where("hash(qty) % 7 = 1").agg({"code": "sum"})), why="no source takes that filter")


# ---- unbounded-state: micro-batches, their state after one batch.
def stream(name, change, mode):
    def run(spark, place):
        before = spark.conf.get("spark.sql.shuffle.partitions")
        spark.conf.set("spark.sql.shuffle.partitions", "2")
        spark.conf.set("spark.sql.streaming.forceDeleteTempCheckpointLocation", "true")
        sales = spark.table("tiny_sales")
        frame = spark.readStream.schema(sales.schema).parquet(f"{place.data}/tiny_sales")
        frame = frame.withColumn("at", frame["day"].cast("timestamp"))
        change(frame).writeStream.queryName(f"unbounded-state/{name}").format("noop").outputMode(mode).trigger(once=True).start().awaitTermination()
        spark.conf.set("spark.sql.shuffle.partitions", before)
    return run


def streamed(kind, name, change, mode, *expected, why=""):
    more("unbounded-state", kind, name, stream(f"{kind}-{name}", change, mode), *expected, why=why)


streamed("positive", "duplicates", lambda frame: frame.dropDuplicates(["sale_id"]), "append", ("warning", "StreamingDeduplicate", "no-watermark"),
         why="2,000 keys after one batch")
streamed("positive", "groups", lambda frame: frame.groupBy("store_id").count(), "update", ("info", "StateStoreSave", "no-time-key"))
streamed("negative", "watermark", lambda frame: frame.withWatermark("at", "10 days").dropDuplicates(["sale_id", "at"]), "append", why="old keys are dropped")
streamed("negative", "all_rows", lambda frame: frame.groupBy().count(), "update", why="one row of state")


# ---- engine-fallback: Comet, and the rows that leave it.
def through_python(condition):
    def run(spark, place):
        from pyspark.sql import functions
        from pyspark.sql.types import LongType
        twice = functions.udf(lambda x: 2 * x, LongType())
        spark.table("sales").where(condition).select(twice("sale_id").alias("x"), "code").orderBy("x").write.format("noop").mode("overwrite").save()
    return run


case("engine-fallback", "positive", "python", through_python("sale_id < 60000"), ("warning", "Project", "operators"), why="60,000 rows cross", application="comet")
case("engine-fallback", "tiny", "python", through_python("sale_id < 500"), why="500 rows cross", application="comet")
case("engine-fallback", "negative", "native", "SELECT store_id, sum(qty) FROM sales GROUP BY store_id ORDER BY store_id", why="all of it is Comet's", application="comet")
