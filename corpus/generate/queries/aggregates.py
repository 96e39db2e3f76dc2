"""Aggregates of every kind, expand, distinct, pivot; exchanges of every origin; limits; sets."""
from spark_corpus import capture
from spark_corpus.query import query, sql

NO_CODEGEN = tuple(mode for mode in capture.MODES if mode != "codegen")

COMET = ("core", "comet")

sql("aggregate_hash", "HashAggregate partial and final, many functions",
    "SELECT store_id, channel, COUNT(*) AS n, SUM(amount) AS total, AVG(qty) AS mean, MIN(sold_at) AS first_sale, STDDEV(qty) AS spread "
    "FROM retail.sales GROUP BY store_id, channel", codegen=True, events=True, kinds=COMET)
sql("aggregate_global", "HashAggregate without keys: one partition", "SELECT COUNT(*) AS n, SUM(amount) AS total FROM retail.sales",
    kinds=COMET)
sql("aggregate_having", "a filter above the aggregate",
    "SELECT product_id, SUM(qty) AS q FROM retail.sales GROUP BY product_id HAVING SUM(qty) > 200 AND COUNT(*) > 2", kinds=COMET)
sql("aggregate_sort", "SortAggregate: min and max of strings",
    "SELECT store_id, MAX(note) AS last_note, MIN(note) AS first_note FROM retail.sales GROUP BY store_id")
sql("aggregate_sort_global", "SortAggregate without keys", "SELECT MAX(note) AS last_note FROM retail.sales")
sql("aggregate_object", "ObjectHashAggregate: collect_list, collect_set, percentile",
    "SELECT store_id, COLLECT_LIST(qty) AS all, SIZE(COLLECT_SET(product_id)) AS products, PERCENTILE(qty, 0.5) AS median "
    "FROM retail.sales GROUP BY store_id", events=True)
sql("aggregate_count_distinct", "one COUNT DISTINCT: four aggregates",
    "SELECT store_id, COUNT(DISTINCT customer_id) AS customers, SUM(qty) AS q FROM retail.sales GROUP BY store_id", kinds=COMET)
sql("aggregate_count_distinct_many", "several COUNT DISTINCT: Expand",
    "SELECT store_id, COUNT(DISTINCT customer_id) AS a, COUNT(DISTINCT product_id) AS b, COUNT(DISTINCT channel, qty) AS c, "
    "SUM(qty) AS q FROM retail.sales GROUP BY store_id")
sql("aggregate_filter_clause", "FILTER (WHERE ..) on aggregates",
    "SELECT store_id, SUM(qty) FILTER (WHERE channel = 'web' AND qty > 2) AS web, COUNT(*) FILTER (WHERE note IS NULL) AS silent "
    "FROM retail.sales GROUP BY store_id")
sql("aggregate_rollup", "Expand of a ROLLUP", "SELECT channel, store_id, SUM(qty) AS q FROM retail.sales GROUP BY ROLLUP (channel, store_id)",
    kinds=COMET)
sql("aggregate_cube", "Expand of a CUBE with GROUPING_ID",
    "SELECT channel, store_id, sale_date, GROUPING_ID() AS g, SUM(qty) AS q FROM retail.sales GROUP BY CUBE (channel, store_id, sale_date)")
sql("aggregate_grouping_sets", "GROUPING SETS",
    "SELECT channel, store_id, SUM(qty) AS q FROM retail.sales GROUP BY GROUPING SETS ((channel), (store_id), ())")
sql("aggregate_distinct", "SELECT DISTINCT", "SELECT DISTINCT store_id, channel FROM retail.sales")
sql("aggregate_pivot", "PIVOT: pivot_first and odd aliases",
    "SELECT * FROM (SELECT store_id, channel, qty FROM retail.sales) PIVOT (SUM(qty) AS total, MAX(qty) AS top FOR channel IN ('web', 'shop'))")
sql("aggregate_first_last", "first and last with ignored nulls, any_value, max_by",
    "SELECT store_id, FIRST(note, true) AS f, LAST(qty) AS l, MAX_BY(product_id, amount) AS best, BOOL_OR(qty > 3) AS b "
    "FROM retail.sales GROUP BY store_id")
sql("aggregate_approximate", "approx_count_distinct, percentile_approx, corr",
    "SELECT store_id, APPROX_COUNT_DISTINCT(customer_id) AS c, PERCENTILE_APPROX(qty, ARRAY(0.5, 0.9), 100) AS q, CORR(qty, amount) AS r "
    "FROM retail.sales GROUP BY store_id")
sql("aggregate_no_adaptive", "aggregate with AQE off", "SELECT store_id, SUM(qty) AS q FROM retail.sales GROUP BY store_id ORDER BY q",
    conf={"spark.sql.adaptive.enabled": "false"}, codegen=True)
sql("aggregate_of_join", "an aggregate on the key of the join below: no exchange between",
    "SELECT s.sale_id, COUNT(*) AS n FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id GROUP BY s.sale_id",
    conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})
sql("aggregate_min_max_pushed", "V2 parquet: aggregate pushed down",
    "SELECT MAX(n) AS top, MIN(l) AS low, COUNT(*) AS n FROM parquet.`/data/lake/files/parquet`",
    conf={"spark.sql.sources.useV1SourceList": "", "spark.sql.parquet.aggregatePushdown": "true"}, since="3.3")
sql("aggregate_replace_hash_with_sort", "SortAggregate in place of HashAggregate above a sorted merge join",
    "SELECT s.sale_id, MAX(r.qty) AS q FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id GROUP BY s.sale_id",
    conf={"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.execution.replaceHashWithSortAgg": "true"}, since="3.3")

# Sorts and exchanges of every origin.
sql("exchange_global_sort", "rangepartitioning of ORDER BY",
    "SELECT sale_id, amount FROM retail.sales ORDER BY amount DESC NULLS LAST, sale_id", kinds=COMET)
sql("exchange_sort_within", "SORT BY", "SELECT sale_id, qty FROM retail.sales SORT BY qty")
sql("exchange_distribute", "DISTRIBUTE BY and CLUSTER BY",
    "SELECT * FROM (SELECT store_id, qty FROM retail.sales DISTRIBUTE BY store_id) CLUSTER BY qty")
sql("exchange_repartition_by_number", "REPARTITION(5)", "SELECT /*+ REPARTITION(5) */ sale_id FROM retail.sales", kinds=COMET)
sql("exchange_repartition_by_column", "REPARTITION(column)", "SELECT /*+ REPARTITION(store_id) */ sale_id, store_id FROM retail.sales")
sql("exchange_repartition_by_both", "REPARTITION(n, column)", "SELECT /*+ REPARTITION(3, store_id) */ sale_id, store_id FROM retail.sales")
sql("exchange_repartition_by_range", "REPARTITION_BY_RANGE", "SELECT /*+ REPARTITION_BY_RANGE(4, qty) */ sale_id, qty FROM retail.sales")
sql("exchange_rebalance", "REBALANCE", "SELECT /*+ REBALANCE */ sale_id FROM retail.sales")
sql("exchange_rebalance_by_column", "REBALANCE(column)", "SELECT /*+ REBALANCE(store_id) */ sale_id, store_id FROM retail.sales")
sql("exchange_coalesce", "Coalesce", "SELECT /*+ COALESCE(1) */ sale_id FROM retail.sales WHERE qty > 3")
sql("exchange_redundant", "a repartition whose result is only shuffled again",
    "SELECT store_id, SUM(qty) AS q FROM (SELECT /*+ REPARTITION(6) */ store_id, qty FROM retail.sales) GROUP BY store_id")
sql("exchange_one_partition", "hashpartitioning(.., 1) and a sort", "SELECT /*+ REPARTITION(1) */ sale_id FROM retail.sales SORT BY sale_id")


@query("lost sort: a repartition above an ordered frame")
def exchange_lost_sort(spark):
    return spark.table("retail.sales").select("sale_id", "qty").sort("qty").repartition(4)


@query("sample without and with replacement")
def sample(spark):
    sales = spark.table("retail.sales").select("sale_id", "qty")
    return sales.sample(False, 0.1, 7).union(sales.sample(True, 0.2, 11))


@query("random split: a sample with bounds above a local sort")
def sample_random_split(spark):
    return spark.table("retail.store").randomSplit([0.3, 0.7], 5)[1]


# Limits.
sql("limit_collect", "CollectLimit", "SELECT sale_id FROM retail.sales LIMIT 7", kinds=COMET)
sql("limit_take_ordered", "TakeOrderedAndProject", "SELECT sale_id, amount * 2 AS twice FROM retail.sales ORDER BY amount DESC, sale_id LIMIT 10",
    events=True, kinds=COMET)
sql("limit_offset", "LIMIT with OFFSET", "SELECT sale_id FROM retail.sales ORDER BY sale_id LIMIT 10 OFFSET 5", since="3.4")
sql("limit_offset_unordered", "OFFSET without order", "SELECT sale_id FROM retail.sales LIMIT 10 OFFSET 5", since="3.4")
sql("limit_offset_only", "OFFSET alone", "SELECT store_id FROM retail.store OFFSET 30", since="3.4")
sql("limit_below", "LocalLimit and GlobalLimit below a join",
    "SELECT a.sale_id, t.region FROM (SELECT * FROM retail.sales LIMIT 100) a JOIN retail.store t ON a.store_id = t.store_id", kinds=COMET)
sql("limit_ordered_below", "an ordered limit below an aggregate",
    "SELECT channel, COUNT(*) AS n FROM (SELECT channel FROM retail.sales ORDER BY amount LIMIT 50) GROUP BY channel")
sql("limit_of_union", "a limit above a union", "SELECT sale_id FROM retail.sales UNION ALL SELECT return_id FROM retail.returns LIMIT 9")


@query("tail: CollectTail runs outside of the plan; limit 0 is a local relation")
def limit_zero(spark):
    return spark.table("retail.sales").limit(0)


# Sets.
sql("set_union_all", "Union", "SELECT sale_id, qty FROM retail.sales WHERE channel = 'web' UNION ALL SELECT sale_id, qty FROM retail.returns",
    kinds=COMET)
sql("set_union_distinct", "UNION", "SELECT store_id FROM retail.sales UNION SELECT store_id FROM retail.store")
sql("set_intersect", "INTERSECT", "SELECT product_id FROM retail.sales INTERSECT SELECT product_id FROM retail.returns")
sql("set_intersect_all", "INTERSECT ALL: ReplicateRows", "SELECT product_id FROM retail.sales INTERSECT ALL SELECT product_id FROM retail.returns")
sql("set_except", "EXCEPT", "SELECT product_id FROM retail.product EXCEPT SELECT product_id FROM retail.returns")
sql("set_except_all", "EXCEPT ALL", "SELECT product_id FROM retail.product EXCEPT ALL SELECT product_id FROM retail.returns")
sql("set_union_wide", "a union of five scans", " UNION ALL ".join(
    f"SELECT sale_id, '{day}' AS label FROM retail.sales WHERE sale_date = DATE'2024-01-{day}'" for day in ("08", "09", "10", "11", "12")))


@query("CollectMetrics: observed metrics", since="3.4")
def observe_metrics(spark):
    from pyspark.sql.functions import count, expr, max as maximum
    return spark.table("retail.sales").observe("seen", count("*").alias("rows"), maximum("qty").alias("top")).where(expr("qty > 3")).select("sale_id")


@query("tail(): the rows are taken outside of the plan")
def limit_tail(spark, directory):
    frame = spark.table("retail.store").where("area > 100").sort("store_id")
    capture.action(spark, lambda: frame.tail(3), directory, NO_CODEGEN)


@query("show(): CollectLimit of 21 rows cast to text")
def limit_show(spark, directory):
    frame = spark.table("retail.product").select("product_id", "price", "tags", "dimension")
    capture.action(spark, lambda: frame._jdf.showString(20, 20, False), directory, NO_CODEGEN)


@query("CommandResult: a frame of a command that ran, filtered")
def command_result(spark):
    return spark.sql("SHOW TABLES IN retail").where("tableName LIKE 's%'")


sql("aggregate_sessions_distinct", "UpdatingSessions: session windows with a distinct aggregate",
    "SELECT SESSION_WINDOW(sold_at, '5 minutes') AS w, store_id, COUNT(DISTINCT product_id) AS n FROM retail.sales "
    "GROUP BY SESSION_WINDOW(sold_at, '5 minutes'), store_id")
sql("aggregate_collated", "a collated key", "SELECT note COLLATE UTF8_LCASE AS n, COUNT(*) AS c FROM retail.sales GROUP BY note COLLATE UTF8_LCASE", since="4.0")
sql("set_recursive", "WITH RECURSIVE: UnionLoop",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT r.n, t.region FROM r JOIN retail.store t ON r.n = t.store_id", since="4.1")
