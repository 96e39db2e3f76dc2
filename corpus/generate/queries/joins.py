"""Joins: every operator, type and build side, and why a nested loop or a missed broadcast came out."""
from spark_corpus.query import query, sql

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
NO_ADAPTIVE = {"spark.sql.adaptive.enabled": "false"}
WITH_COMET = ("core", "comet")

# Broadcast hash joins.
sql("join_broadcast_hash_inner", "BroadcastHashJoin Inner BuildRight, by size",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id WHERE p.price > 100",
    codegen=True, events=True, kinds=WITH_COMET)
sql("join_broadcast_hash_build_left", "BroadcastHashJoin Inner BuildLeft, by hint",
    "SELECT /*+ BROADCAST(t) */ s.sale_id, t.region FROM retail.store t JOIN retail.sales s ON s.store_id = t.store_id")
sql("join_broadcast_hash_left_outer", "BroadcastHashJoin LeftOuter BuildRight",
    "SELECT s.sale_id, t.region FROM retail.sales s LEFT JOIN retail.store t ON s.store_id = t.store_id AND t.area > 500",
    kinds=WITH_COMET)
sql("join_broadcast_hash_right_outer", "BroadcastHashJoin RightOuter BuildLeft",
    "SELECT s.sale_id, t.region FROM retail.store t RIGHT JOIN retail.sales s ON s.store_id = t.store_id")
sql("join_broadcast_hash_semi", "BroadcastHashJoin LeftSemi",
    "SELECT s.sale_id FROM retail.sales s LEFT SEMI JOIN retail.promotion p ON s.product_id = p.product_id",
    kinds=WITH_COMET)
sql("join_broadcast_hash_anti", "BroadcastHashJoin LeftAnti",
    "SELECT s.sale_id FROM retail.sales s LEFT ANTI JOIN retail.promotion p ON s.product_id = p.product_id")
sql("join_broadcast_hash_residual", "BroadcastHashJoin with an inequality beside the keys, two keys",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id "
    "AND s.qty = CAST(p.dimension.width AS INT) AND s.amount > p.cost")
sql("join_star", "four broadcast joins and an aggregate",
    """
    SELECT t.region, c.country, p.segment, SUM(s.amount) AS revenue
    FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id
      JOIN retail.product p ON s.product_id = p.product_id
      JOIN retail.customer c ON s.customer_id = c.customer_id
      JOIN retail.calendar d ON s.sale_date = d.day
    WHERE NOT d.holiday AND c.age > 30
    GROUP BY t.region, c.country, p.segment""", events=True, kinds=WITH_COMET)

# Sort merge joins.
sql("join_sort_merge_inner", "SortMergeJoin Inner",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id",
    conf=NO_BROADCAST, events=True, kinds=WITH_COMET)
sql("join_sort_merge_residual", "SortMergeJoin with an inequality beside the key",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id AND s.amount > p.cost",
    conf=NO_BROADCAST, kinds=WITH_COMET)
for kind in ("left", "right", "full"):
    sql(f"join_sort_merge_{kind}_outer", f"SortMergeJoin {kind.capitalize()}Outer",
        f"SELECT s.sale_id, r.reason FROM retail.sales s {kind.upper()} JOIN retail.returns r ON s.sale_id = r.sale_id",
        conf=NO_BROADCAST, kinds=WITH_COMET if kind == "full" else ("core",))
for kind in ("semi", "anti"):
    sql(f"join_sort_merge_{kind}", f"SortMergeJoin Left{kind.capitalize()}",
        f"SELECT s.sale_id FROM retail.sales s LEFT {kind.upper()} JOIN retail.returns r ON s.sale_id = r.sale_id",
        conf=NO_BROADCAST)
sql("join_sort_merge_existence", "SortMergeJoin ExistenceJoin: EXISTS inside of OR",
    "SELECT s.sale_id FROM retail.sales s WHERE s.qty > 8 OR EXISTS (SELECT 1 FROM retail.returns r WHERE r.sale_id = s.sale_id)",
    conf=NO_BROADCAST)
sql("join_sort_merge_chain", "three merge joins, the second one on the key of the first",
    """
    SELECT s.sale_id, p.name, q.promotion_id, r.reason
    FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id
      JOIN retail.promotion q ON s.product_id = q.product_id
      LEFT JOIN retail.returns r ON s.sale_id = r.sale_id""", conf=NO_BROADCAST)
sql("join_null_safe_key", "keys of <=>: coalesce and isnull in the key lists",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.product p ON s.note <=> p.code", conf=NO_BROADCAST)
sql("join_key_expression", "functions, casts and struct fields inside of join keys",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.product p "
    "ON CONCAT('product ', CAST(s.product_id AS STRING)) = p.name AND CAST(s.amount AS DOUBLE) = p.dimension.width * 1.5",
    conf=NO_BROADCAST)

# Shuffled hash joins.
for kind, hint in (("inner", "r"), ("left_outer", "r"), ("full_outer", "r"), ("semi", "r")):
    words = {"inner": "JOIN", "left_outer": "LEFT JOIN", "full_outer": "FULL JOIN", "semi": "LEFT SEMI JOIN"}[kind]
    columns = "s.sale_id" if kind == "semi" else "s.sale_id, r.reason"
    sql(f"join_shuffled_hash_{kind}", f"ShuffledHashJoin {kind}, by hint",
        f"SELECT /*+ SHUFFLE_HASH({hint}) */ {columns} FROM retail.sales s {words} retail.returns r ON s.sale_id = r.sale_id",
        conf=NO_BROADCAST, kinds=WITH_COMET if kind == "inner" else ("core",))
sql("join_shuffled_hash_build_left", "ShuffledHashJoin Inner BuildLeft",
    "SELECT /*+ SHUFFLE_HASH(r) */ s.sale_id FROM retail.returns r JOIN retail.sales s ON s.sale_id = r.sale_id",
    conf=NO_BROADCAST)

# Nested loops, by cause.
sql("join_nested_loop_range", "BroadcastNestedLoopJoin Inner: a range only",
    "SELECT s.sale_id, q.promotion_id FROM retail.sales s JOIN retail.promotion q "
    "ON s.amount BETWEEN q.from_price AND q.to_price", events=True, kinds=WITH_COMET)
sql("join_nested_loop_or", "BroadcastNestedLoopJoin Inner: OR across keys",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id OR s.qty = t.area")
sql("join_nested_loop_not_equal", "BroadcastNestedLoopJoin Inner: <>",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON s.store_id <> t.store_id WHERE s.sale_id < 500")
sql("join_nested_loop_function", "BroadcastNestedLoopJoin Inner: a function of both sides",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON CONCAT(s.note, t.store_name) LIKE '%7store 1%'")
sql("join_nested_loop_cross", "BroadcastNestedLoopJoin Cross: no condition",
    "SELECT s.sale_id, d.day FROM retail.sales s CROSS JOIN retail.calendar d WHERE s.qty > 8")
sql("join_nested_loop_left_outer", "BroadcastNestedLoopJoin LeftOuter BuildRight, range",
    "SELECT s.sale_id, q.promotion_id FROM retail.sales s LEFT JOIN retail.promotion q "
    "ON s.amount >= q.from_price AND s.amount < q.to_price")
sql("join_nested_loop_right_outer", "BroadcastNestedLoopJoin RightOuter BuildLeft, range",
    "SELECT s.sale_id, q.promotion_id FROM retail.promotion q RIGHT JOIN retail.sales s ON s.amount < q.to_price AND s.qty = 1")
sql("join_nested_loop_full_outer", "BroadcastNestedLoopJoin FullOuter",
    "SELECT a.store_id, q.promotion_id FROM retail.store a FULL JOIN retail.promotion q ON a.area < q.to_price")
sql("join_nested_loop_semi", "BroadcastNestedLoopJoin LeftSemi",
    "SELECT t.store_id FROM retail.store t WHERE EXISTS (SELECT 1 FROM retail.promotion q WHERE q.from_price > t.area)")
sql("join_nested_loop_anti", "BroadcastNestedLoopJoin LeftAnti",
    "SELECT t.store_id FROM retail.store t WHERE NOT EXISTS (SELECT 1 FROM retail.promotion q WHERE q.from_price > t.area)")
sql("join_nested_loop_existence", "BroadcastNestedLoopJoin ExistenceJoin",
    "SELECT t.store_id FROM retail.store t WHERE t.region = 'north' OR EXISTS "
    "(SELECT 1 FROM retail.promotion q WHERE q.from_price > t.area)")
sql("join_nested_loop_one_row", "trap: a nested loop against a global aggregate",
    "SELECT s.sale_id FROM retail.sales s CROSS JOIN (SELECT AVG(amount) AS mean FROM retail.sales) a WHERE s.amount > a.mean")
sql("join_nested_loop_literal_rows", "trap: a nested loop against a VALUES list",
    "SELECT s.sale_id, v.label FROM retail.sales s CROSS JOIN (VALUES (1, 'one'), (2, 'two')) AS v(number, label) WHERE s.qty > v.number")
sql("join_nested_loop_outer_no_broadcast", "an outer range join stays a nested loop at threshold -1",
    "SELECT s.sale_id, q.promotion_id FROM retail.sales s LEFT JOIN retail.promotion q ON s.amount > q.from_price AND s.qty > 8",
    conf=NO_BROADCAST)
sql("join_cartesian", "CartesianProduct without condition",
    "SELECT s.sale_id, d.day FROM retail.sales s CROSS JOIN retail.calendar d WHERE s.qty > 8", conf=NO_BROADCAST)
sql("join_cartesian_condition", "CartesianProduct Inner with a range",
    "SELECT t.store_id, q.promotion_id FROM retail.store t JOIN retail.promotion q ON t.area > q.from_price",
    conf=NO_BROADCAST, events=True)
sql("join_cartesian_hint", "CartesianProduct by SHUFFLE_REPLICATE_NL",
    "SELECT /*+ SHUFFLE_REPLICATE_NL(q) */ t.store_id FROM retail.store t JOIN retail.promotion q ON t.store_id = q.product_id")
sql("join_cartesian_salt", "trap: salting with a tiny Range",
    "SELECT p.product_id, r.id AS salt FROM retail.product p CROSS JOIN RANGE(8) r", conf=NO_BROADCAST)

# NOT IN and relatives.
sql("join_not_in_one_column", "null-aware BroadcastHashJoin LeftAnti: NOT IN over a nullable column",
    "SELECT s.sale_id FROM retail.sales s WHERE s.note NOT IN (SELECT reason FROM retail.returns)")
sql("join_not_in_one_column_kept", "null-aware BroadcastHashJoin LeftAnti that has no null at run time",
    "SELECT s.sale_id FROM retail.sales s WHERE s.note NOT IN (SELECT code FROM retail.product WHERE product_id % 10 <> 0)")
sql("join_not_in_two_columns", "null-aware BroadcastNestedLoopJoin LeftAnti: NOT IN over two columns",
    "SELECT s.sale_id FROM retail.sales s WHERE (s.store_id, s.note) NOT IN (SELECT product_id, reason FROM retail.returns WHERE return_id < 30)",
    events=True)
sql("join_not_in_two_columns_no_broadcast", "NOT IN over two columns at threshold -1",
    "SELECT s.sale_id FROM retail.sales s WHERE s.sale_id < 300 AND (s.store_id, s.note) NOT IN "
    "(SELECT product_id, reason FROM retail.returns WHERE return_id < 30)", conf=NO_BROADCAST)
sql("join_not_in_not_null", "NOT IN with the nulls filtered on both sides",
    "SELECT s.sale_id FROM retail.sales s WHERE s.note IS NOT NULL AND s.note NOT IN "
    "(SELECT reason FROM retail.returns WHERE reason IS NOT NULL)")
sql("join_not_exists", "trap: NOT EXISTS is a plain anti join",
    "SELECT s.sale_id FROM retail.sales s WHERE NOT EXISTS (SELECT 1 FROM retail.returns r WHERE r.sale_id = s.sale_id)")
sql("join_in_subquery", "IN (SELECT ..) is a semi join",
    "SELECT s.sale_id FROM retail.sales s WHERE s.product_id IN (SELECT product_id FROM retail.promotion WHERE from_price > 100)")

# Missed broadcasts.
sql("join_missed_broadcast_statistics", "a small analysed table is merge joined: threshold -1, statistics in cost mode",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product_analyzed p ON s.product_id = p.product_id",
    conf=NO_BROADCAST, events=True)
sql("join_missed_broadcast_threshold", "a small table is above a lowered threshold",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id",
    conf={"spark.sql.autoBroadcastJoinThreshold": "1024"})
sql("join_missed_broadcast_no_adaptive", "estimate above the threshold, AQE off: no runtime statistics either",
    "SELECT s.sale_id, r.reason FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id WHERE r.return_id < 3",
    conf={**NO_ADAPTIVE, "spark.sql.autoBroadcastJoinThreshold": "4096"})
sql("join_missed_broadcast_hinted", "a MERGE hint keeps a small table from broadcast",
    "SELECT /*+ MERGE(p) */ s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id")
sql("join_missed_broadcast_wrong_side", "trap: the small side is the preserved side of an outer join",
    "SELECT t.region, s.sale_id FROM retail.store t LEFT JOIN retail.sales s ON s.store_id = t.store_id",
    conf={"spark.sql.autoBroadcastJoinThreshold": "20000"})
sql("join_full_outer_small", "trap: a full outer join cannot broadcast",
    "SELECT t.region, s.sale_id FROM retail.store t FULL JOIN retail.sales s ON s.store_id = t.store_id")
sql("join_key_cast", "a string key against an int key",
    "SELECT s.sale_id, t.region FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_code", conf=NO_BROADCAST)
sql("join_key_cast_widening", "an int key against a bigint key",
    "SELECT c.customer_name, t.region FROM retail.customer c JOIN retail.store t ON c.home_store = t.area", conf=NO_BROADCAST)

# AQE off and bucketed.
sql("join_sort_merge_no_adaptive", "SortMergeJoin with AQE off: codegen marks before execution",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id WHERE s.qty > 2",
    conf={**NO_BROADCAST, **NO_ADAPTIVE}, codegen=True, events=True)
sql("join_broadcast_no_adaptive", "BroadcastHashJoin with AQE off",
    "SELECT s.store_id, COUNT(*) AS n FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id GROUP BY s.store_id",
    conf=NO_ADAPTIVE, kinds=WITH_COMET)
sql("join_bucketed", "both sides bucketed alike: no exchange",
    "SELECT s.sale_id, p.name FROM retail.sales_bucketed s JOIN retail.product_bucketed p ON s.product_id = p.product_id",
    conf=NO_BROADCAST)
sql("join_bucketed_coalesced", "bucket counts 8 and 4, coalesced",
    "SELECT s.sale_id, r.reason FROM retail.sales_bucketed s JOIN retail.returns_bucketed r ON s.product_id = r.product_id",
    conf={**NO_BROADCAST, "spark.sql.bucketing.coalesceBucketsInJoin.enabled": "true"})
sql("join_bucketed_one_side", "bucket counts differ: one side is shuffled",
    "SELECT s.sale_id, r.reason FROM retail.sales_bucketed s JOIN retail.returns_bucketed r ON s.product_id = r.product_id",
    conf=NO_BROADCAST)
sql("scan_bucketing_off", "bucketed scan disabled by configuration",
    "SELECT s.sale_id, p.name FROM retail.sales_bucketed s JOIN retail.product_bucketed p ON s.product_id = p.product_id",
    conf={**NO_BROADCAST, "spark.sql.sources.bucketing.enabled": "false"})
sql("scan_bucketed_pruned", "selected buckets of a bucketed table",
    "SELECT sale_id FROM retail.sales_bucketed WHERE product_id = 13")


@query("a join whose only condition is a Python UDF of both sides")
def join_nested_loop_python_udf(spark):
    from pyspark.sql.functions import udf
    close = udf(lambda left, right: abs(left - right) < 3, "boolean")
    store, promotion = spark.table("retail.store"), spark.table("retail.promotion")
    spark.conf.set("spark.sql.crossJoin.enabled", "true")
    return store.join(promotion, close(store["store_id"], promotion["promotion_id"]))


@query("a correlated LATERAL subquery")
def join_lateral(spark):
    return spark.sql("SELECT t.store_id, x.best FROM retail.store t, LATERAL "
                     "(SELECT MAX(amount) AS best FROM retail.sales s WHERE s.store_id = t.store_id) x")


@query("an as-of join; slow", since="4.1")
def join_as_of(spark):
    sales = spark.table("retail.sales").where("sale_id < 200").select("sale_id", "store_id", "sold_at")
    kinds = spark.table("retail.kinds").select("n", "ts")
    return sales._joinAsOf(kinds, sales["sold_at"], kinds["ts"], sales["store_id"] == kinds["n"])


sql("join_left_single", "a correlated subquery without an aggregate: LeftSingle (4.0 on)",
    "SELECT s.sale_id, (SELECT t.region FROM retail.store t WHERE t.store_id = s.store_id) AS region FROM retail.sales s WHERE s.qty = 9", since="4.0")
