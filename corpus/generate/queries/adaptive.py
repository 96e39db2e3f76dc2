"""Adaptive execution: coalesced, local and skewed reads, late broadcasts, stages optimised out, AQE off."""
from spark_corpus.query import query, sql

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
SKEW = {**NO_BROADCAST, "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "64KB",
        "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2", "spark.sql.adaptive.advisoryPartitionSizeInBytes": "64KB",
        "spark.sql.adaptive.coalescePartitions.minPartitionSize": "8KB"}
LATE = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "10MB"}

sql("adaptive_coalesced", "AQEShuffleRead coalesced", "SELECT store_id, SUM(qty) AS q FROM retail.sales GROUP BY store_id",
    events=True)
sql("adaptive_skew_join", "skew join split: SortMergeJoin(skew=true), AQEShuffleRead coalesced and skewed",
    "SELECT s.sale_id, s.payload, r.reason FROM retail.skewed s JOIN retail.returns r ON s.product_id = r.product_id",
    conf={**SKEW, "spark.sql.shuffle.partitions": "8"}, events=True, kinds=("core", "comet"))
sql("adaptive_skew_join_left", "skew join split of a LeftOuter join",
    "SELECT s.sale_id, s.payload, p.name FROM retail.skewed s LEFT JOIN retail.product p ON s.product_id = p.product_id",
    conf={**SKEW, "spark.sql.shuffle.partitions": "8"})
sql("adaptive_skew_not_split", "a group by on the join key keeps the skewed join whole",
    "SELECT s.product_id, COUNT(*) AS n, MAX(s.payload) AS m FROM retail.skewed s JOIN retail.returns r "
    "ON s.product_id = r.product_id GROUP BY s.product_id", conf=SKEW)
sql("adaptive_skew_forced", "forceOptimizeSkewedJoin: split at the price of an extra shuffle",
    "SELECT s.product_id, COUNT(*) AS n, MAX(s.payload) AS m FROM retail.skewed s JOIN retail.returns r "
    "ON s.product_id = r.product_id GROUP BY s.product_id",
    conf={**SKEW, "spark.sql.adaptive.forceOptimizeSkewedJoin": "true", "spark.sql.shuffle.partitions": "8"}, since="3.3")
sql("adaptive_rebalance_skewed", "AQEShuffleRead skewed without a join: REBALANCE",
    "SELECT /*+ REBALANCE(product_id) */ sale_id, product_id, payload FROM retail.skewed", conf=SKEW)
sql("adaptive_late_broadcast", "SortMergeJoin becomes BroadcastHashJoin at run time, local reads",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id "
    "WHERE p.segment = 'toys' AND p.price < 100", conf=LATE, events=True, kinds=("core", "comet"))
sql("adaptive_late_broadcast_left", "late broadcast of an outer join",
    "SELECT s.sale_id, r.reason FROM retail.sales s LEFT JOIN retail.returns r ON s.sale_id = r.sale_id AND r.return_id < 9",
    conf=LATE)
sql("adaptive_late_shuffled_hash", "SortMergeJoin becomes ShuffledHashJoin at run time",
    "SELECT s.sale_id, r.reason FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id",
    conf={**NO_BROADCAST, "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold": "64MB"})
sql("adaptive_healed_below_ratio", "few non-empty partitions: no late broadcast",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id WHERE p.product_id IN (7, 9)",
    conf={**LATE, "spark.sql.shuffle.partitions": "100"})
sql("adaptive_empty_join", "an empty side found at run time: the join is optimised out",
    "SELECT s.sale_id, n.label FROM retail.sales s JOIN (SELECT product_id, MAX(label) AS label FROM retail.nothing GROUP BY product_id) n "
    "ON s.product_id = n.product_id", conf=NO_BROADCAST, events=True)
sql("adaptive_empty_join_union", "one branch of a union becomes empty at run time",
    "SELECT s.sale_id, r.reason FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id AND r.reason = 'no such' "
    "UNION ALL SELECT store_id, store_name FROM retail.store", conf=NO_BROADCAST)
sql("adaptive_empty_aggregate", "a global aggregate above a join that became empty",
    "SELECT COUNT(*) AS n FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id WHERE r.reason = 'no such'",
    conf=NO_BROADCAST)
sql("adaptive_empty_anti", "optimised-out exchange: NOT IN against a side that holds a null",
    "SELECT s.sale_id FROM retail.sales s WHERE s.note NOT IN (SELECT reason FROM retail.returns WHERE qty > 1 GROUP BY reason)",
    conf=NO_BROADCAST)
sql("adaptive_no_change", "an adaptive plan of one broadcast stage",
    "SELECT d.day, t.region FROM retail.calendar d JOIN retail.store t ON d.weekday = t.store_id")
sql("adaptive_off_exchanges", "AQE off with several exchanges",
    "SELECT region, n, COUNT(*) AS stores FROM (SELECT t.region, s.store_id, COUNT(*) AS n FROM retail.sales s JOIN retail.store t "
    "ON s.store_id = t.store_id GROUP BY t.region, s.store_id) GROUP BY region, n ORDER BY n",
    conf={"spark.sql.adaptive.enabled": "false", **NO_BROADCAST}, events=True)
sql("adaptive_off_no_exchange", "trap: AQE off, nothing to adapt",
    "SELECT sale_id, qty FROM retail.sales WHERE qty > 3", conf={"spark.sql.adaptive.enabled": "false"})
sql("adaptive_many_exchanges", "14 exchanges in one query",
    """
    SELECT a.segment, a.n, b.m, c.k, d.j FROM
      (SELECT p.segment, COUNT(DISTINCT s.customer_id) AS n FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id GROUP BY p.segment) a
      JOIN (SELECT p.segment, MAX(r.qty) AS m FROM retail.returns r JOIN retail.product p ON r.product_id = p.product_id GROUP BY p.segment) b ON a.segment = b.segment
      JOIN (SELECT p.segment, MIN(q.from_price) AS k FROM retail.promotion q JOIN retail.product p ON q.product_id = p.product_id GROUP BY p.segment) c ON a.segment = c.segment
      LEFT JOIN (SELECT p.segment, COUNT(*) AS j FROM retail.skewed k JOIN retail.product p ON k.product_id = p.product_id GROUP BY p.segment) d ON a.segment = d.segment
    ORDER BY a.segment""", conf=NO_BROADCAST)
sql("adaptive_reused_exchange", "ReusedExchange below a self join",
    "WITH t AS (SELECT store_id, SUM(amount) AS total FROM retail.sales GROUP BY store_id) "
    "SELECT a.store_id, b.total FROM t a JOIN t b ON a.store_id = b.store_id AND a.total > b.total - 1",
    conf=NO_BROADCAST, kinds=("core", "comet"))
sql("adaptive_reused_broadcast", "ReusedExchange of a broadcast",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id "
    "UNION ALL SELECT r.return_id FROM retail.returns r JOIN retail.store t ON r.product_id = t.store_id")
sql("adaptive_reuse_off", "two equal exchanges, exchange.reuse off",
    "WITH t AS (SELECT store_id, SUM(qty) AS total FROM retail.sales GROUP BY store_id) "
    "SELECT a.store_id FROM t a JOIN t b ON a.store_id = b.store_id",
    conf={**NO_BROADCAST, "spark.sql.exchange.reuse": "false"})
sql("adaptive_off_reused_exchange", "ReusedExchange with AQE off",
    "WITH t AS (SELECT store_id, SUM(qty) AS total FROM retail.sales GROUP BY store_id) "
    "SELECT a.store_id FROM t a JOIN t b ON a.store_id = b.total",
    conf={**NO_BROADCAST, "spark.sql.adaptive.enabled": "false"})
sql("adaptive_optimized_out", "an exchange that is reused but stands in a branch that was optimised out",
    """
    WITH t AS (SELECT sale_id, qty FROM retail.sales WHERE qty > 2)
    SELECT t.sale_id FROM t JOIN retail.returns r ON t.sale_id = r.sale_id AND r.reason = 'no such'
    UNION ALL SELECT t.sale_id FROM t JOIN retail.customer c ON t.sale_id = c.customer_id""", conf=NO_BROADCAST, events=True)
