"""Windows and generators."""
from spark_corpus.query import sql

COMET = ("core", "comet")

sql("window_rank", "Window with PARTITION BY and ORDER BY",
    "SELECT sale_id, store_id, RANK() OVER (PARTITION BY store_id ORDER BY amount DESC) AS r FROM retail.sales", kinds=COMET)
sql("window_group_limit", "WindowGroupLimit partial and final (3.5 on)",
    "SELECT * FROM (SELECT sale_id, store_id, ROW_NUMBER() OVER (PARTITION BY store_id ORDER BY amount DESC) AS r FROM retail.sales) WHERE r <= 3",
    events=True)
sql("window_group_limit_rank", "WindowGroupLimit of rank without PARTITION BY",
    "SELECT * FROM (SELECT sale_id, DENSE_RANK() OVER (ORDER BY amount DESC, sale_id) AS r FROM retail.sales) WHERE r < 5")
sql("window_unpartitioned", "Window without PARTITION BY: one partition",
    "SELECT sale_id, SUM(qty) OVER (ORDER BY sold_at) AS running FROM retail.sales")
sql("window_frames", "frames: rows, range with an interval, unbounded",
    """
    SELECT sale_id, SUM(qty) OVER (PARTITION BY store_id ORDER BY sold_at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS three,
      AVG(amount) OVER (PARTITION BY store_id ORDER BY sold_at RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND INTERVAL 1 HOUR FOLLOWING) AS hour,
      LAG(qty, 1, 0) OVER (PARTITION BY store_id ORDER BY sold_at) AS before, NTILE(4) OVER (PARTITION BY store_id ORDER BY sold_at) AS quarter,
      FIRST_VALUE(note) IGNORE NULLS OVER (PARTITION BY store_id ORDER BY sold_at) AS first_note
    FROM retail.sales""")
sql("window_two_partitions", "two windows over different keys",
    "SELECT sale_id, COUNT(*) OVER (PARTITION BY store_id) AS a, COUNT(*) OVER (PARTITION BY product_id, channel) AS b FROM retail.sales")
sql("window_of_aggregate", "a window above an aggregate: a share over a report",
    "SELECT store_id, SUM(qty) AS q, SUM(SUM(qty)) OVER () AS total FROM retail.sales GROUP BY store_id")
sql("window_no_adaptive", "a window with AQE off",
    "SELECT sale_id, ROW_NUMBER() OVER (PARTITION BY store_id ORDER BY sale_id) AS r FROM retail.sales",
    conf={"spark.sql.adaptive.enabled": "false"}, codegen=True)
sql("window_session", "session_window in batch: MergingSessions / UpdatingSessions",
    "SELECT SESSION_WINDOW(sold_at, '5 minutes') AS w, store_id, COUNT(*) AS n FROM retail.sales GROUP BY SESSION_WINDOW(sold_at, '5 minutes'), store_id")
sql("window_time", "tumbling and sliding time windows: Expand of a sliding one",
    "SELECT WINDOW(sold_at, '1 hour', '20 minutes') AS w, COUNT(*) AS n FROM retail.sales GROUP BY WINDOW(sold_at, '1 hour', '20 minutes')")

sql("generate_explode", "Generate explode, and Spark's own size() > 0 filter",
    "SELECT product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) t AS tag", kinds=COMET)
sql("generate_explode_outer", "posexplode_outer of an expression",
    "SELECT product_id, POSEXPLODE_OUTER(FILTER(tags, x -> x <> 't1')) FROM retail.product")
sql("generate_map", "explode of a map, two generators",
    "SELECT product_id, k, v, tag FROM retail.product LATERAL VIEW EXPLODE(properties) m AS k, v LATERAL VIEW OUTER EXPLODE(tags) t AS tag")
sql("generate_inline", "inline of an array of structs",
    "SELECT product_id, INLINE(ARRAY(dimension, NAMED_STRUCT('width', 1D, 'height', 2D, 'unit', 'm'))) FROM retail.product")
sql("generate_json_tuple", "json_tuple and stack",
    "SELECT sale_id, a, b, c FROM retail.sales LATERAL VIEW JSON_TUPLE(CONCAT('{\"a\":1,\"b\":', CAST(qty AS STRING), '}'), 'a', 'b') j AS a, b "
    "LATERAL VIEW STACK(2, 'x', 'y') s AS c WHERE sale_id < 50")
sql("generate_unpivot", "UNPIVOT is an Expand",
    "SELECT * FROM (SELECT product_id, CAST(price AS DOUBLE) AS price, CAST(cost AS DOUBLE) AS cost FROM retail.product) UNPIVOT (value FOR kind IN (price, cost))",
    since="3.4")
sql("generate_then_aggregate", "early explode: shuffled after it",
    "SELECT tag, COUNT(DISTINCT s.customer_id) AS n FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id LATERAL VIEW EXPLODE(p.tags) t AS tag GROUP BY tag")
