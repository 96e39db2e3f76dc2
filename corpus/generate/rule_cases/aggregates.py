"""sort-aggregate, expand-multiplication, unpartitioned-window, early-explode."""
from spark_corpus.rule_case import case

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
NOT_ADAPTIVE = {"spark.sql.adaptive.enabled": "false"}

# ---- sort-aggregate: a buffer of unknown width is sorted for; one finding an aggregation, on its upper operator.
WIDTH = "variable-width-buffer"


def sorted_aggregate(name, sql, reason=WIDTH, **more):
    case("sort-aggregate", "positive", name, sql, ("info", "SortAggregate", reason), **more)


sorted_aggregate("max_string", "SELECT store_id, MAX(note) AS m FROM retail.sales GROUP BY store_id")
sorted_aggregate("min_string_two_keys", "SELECT store_id, channel, MIN(note) AS m FROM retail.sales GROUP BY store_id, channel")
sorted_aggregate("first_string", "SELECT product_id, FIRST(note) AS m, SUM(qty) AS q FROM retail.sales GROUP BY product_id")
sorted_aggregate("max_by_string", "SELECT store_id, MAX_BY(note, sold_at) AS m FROM retail.sales GROUP BY store_id")
sorted_aggregate("min_by_ordered_by_string", "SELECT store_id, MIN_BY(qty, note) AS m FROM retail.sales GROUP BY store_id")
sorted_aggregate("max_struct", "SELECT segment, MAX(dimension) AS m FROM retail.product GROUP BY segment")
sorted_aggregate("min_array", "SELECT segment, MIN(tags) AS m FROM retail.product GROUP BY segment")
sorted_aggregate("max_binary", "SELECT n, MAX(bin) AS m FROM retail.kinds GROUP BY n")
sorted_aggregate("max_date_as_text", "SELECT store_id, MAX(DATE_FORMAT(sold_at, 'yyyy-MM-dd')) AS m FROM retail.sales GROUP BY store_id")
sorted_aggregate("max_number_as_text", "SELECT store_id, MAX(CAST(qty AS STRING)) AS m FROM retail.sales GROUP BY store_id")
sorted_aggregate("beside_distinct", "SELECT store_id, MAX(note) AS m, COUNT(DISTINCT channel) AS c FROM retail.sales GROUP BY store_id")
sorted_aggregate("simple_mode", "SELECT store_id, MAX(note) AS m FROM retail.sales GROUP BY store_id", mode="simple")
sorted_aggregate("after", "SELECT store_id, MAX(note) AS m FROM retail.sales GROUP BY store_id", phase="after")
sorted_aggregate("without_adaptive", "SELECT store_id, MAX(note) AS m FROM retail.sales GROUP BY store_id", conf=NOT_ADAPTIVE)
sorted_aggregate("collated_key", "SELECT COLLATE(note, 'UTF8_LCASE') AS k, COUNT(*) AS n FROM retail.sales GROUP BY COLLATE(note, 'UTF8_LCASE')", "collated-key", since="4.0")
case("sort-aggregate", "positive", "declared_large", "SELECT product_id, MAX(payload) AS m FROM retail.skewed GROUP BY product_id",
     ("warning", "SortAggregate", WIDTH), why="planvet.toml declares 500 million rows")


def hashed(kind, name, sql, why, **more):
    case("sort-aggregate", kind, name, sql, why=why, **more)


hashed("negative", "max_number", "SELECT store_id, MAX(qty) AS m, MIN(amount) AS n FROM retail.sales GROUP BY store_id", "fixed width")
hashed("negative", "max_date", "SELECT channel, MAX(sold_at) AS m, MIN(sale_date) AS n FROM retail.sales GROUP BY channel", "fixed width")
hashed("negative", "string_keys", "SELECT note, channel, COUNT(*) AS n FROM retail.sales GROUP BY note, channel", "only the keys are text")
hashed("negative", "count_distinct_string", "SELECT store_id, COUNT(DISTINCT note) AS n FROM retail.sales GROUP BY store_id", "text becomes a key")
hashed("negative", "global_max_string", "SELECT MAX(note) AS m FROM retail.sales", "no keys: nothing is sorted")
hashed("negative", "beside_collect", "SELECT store_id, MAX(note) AS m, COLLECT_SET(channel) AS c FROM retail.sales GROUP BY store_id",
       "ObjectHashAggregate takes the text along")
hashed("negative", "approximate", "SELECT store_id, APPROX_COUNT_DISTINCT(note) AS n FROM retail.sales GROUP BY store_id", "fixed width")
hashed("negative", "max_flag", "SELECT n, MAX(flag) AS m, AVG(d) AS a FROM retail.kinds GROUP BY n", "fixed width")
hashed("negative", "sorted_input", "SELECT s.sale_id, COUNT(*) AS n FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id GROUP BY s.sale_id",
       "the merge join's order serves a SortAggregate of a count: the better plan",
       conf={**NO_BROADCAST, "spark.sql.execution.replaceHashWithSortAgg": "true"})
hashed("negative", "sort_below", "SELECT store_id, COUNT(*) AS n FROM (SELECT * FROM retail.sales SORT BY store_id) GROUP BY store_id", "a count")
hashed("tiny", "literal_rows", "SELECT k, MAX(v) AS m FROM VALUES (1, 'a'), (1, 'b'), (2, 'c') AS t(k, v) GROUP BY k", "three rows of the query text")
hashed("tiny", "small_range", "SELECT id % 3 AS k, MAX(CAST(id AS STRING)) AS m FROM RANGE(0, 100) GROUP BY id % 3", "100 rows")
hashed("tiny", "limited", "SELECT store_id, MAX(note) AS m FROM (SELECT * FROM retail.sales LIMIT 50) GROUP BY store_id", "50 rows")
hashed("healed", "empty", "SELECT product_id, MAX(label) AS m FROM (SELECT product_id, label FROM retail.nothing DISTRIBUTE BY product_id) GROUP BY product_id",
       "AQE saw the empty stage and removed the aggregate", phase="after")

# ---- unpartitioned-window
def single(name, sql, severity="warning", **more):
    case("unpartitioned-window", "positive", name, sql, (severity, "Window", ""), **more)


single("row_number", "SELECT sale_id, ROW_NUMBER() OVER (ORDER BY sold_at) AS r FROM retail.sales")
single("total", "SELECT sale_id, qty / SUM(qty) OVER () AS share FROM retail.sales")
single("running_total", "SELECT sale_id, SUM(amount) OVER (ORDER BY sold_at ROWS UNBOUNDED PRECEDING) AS r FROM retail.sales")
single("lag", "SELECT sale_id, LAG(qty) OVER (ORDER BY sale_id DESC) AS before FROM retail.sales")
single("rank_lower_half", "SELECT * FROM (SELECT sale_id, RANK() OVER (ORDER BY amount) AS r FROM retail.sales) WHERE r > 100")
single("beside_a_partitioned_one", "SELECT sale_id, SUM(qty) OVER (PARTITION BY store_id) AS a, SUM(qty) OVER (ORDER BY sold_at) AS b FROM retail.sales")
single("two_orders", "SELECT sale_id, RANK() OVER (ORDER BY qty) AS a, RANK() OVER (ORDER BY amount) AS b FROM retail.sales", why="one task, one finding")
single("simple_mode", "SELECT sale_id, SUM(qty) OVER (ORDER BY sold_at) AS r FROM retail.sales", mode="simple")
single("without_adaptive", "SELECT sale_id, NTILE(4) OVER (ORDER BY amount) AS q FROM retail.sales", conf=NOT_ADAPTIVE)
single("rank_of_groups", "SELECT store_id, RANK() OVER (ORDER BY SUM(qty)) AS r FROM retail.sales GROUP BY store_id", "info", why="nobody says how many groups")
single("share_of_groups", "SELECT store_id, SUM(qty) / SUM(SUM(qty)) OVER () AS share FROM retail.sales GROUP BY store_id", "info", why="a report")
single("declared_large", "SELECT sale_id, ROW_NUMBER() OVER (ORDER BY sale_id) AS r FROM retail.skewed", why="planvet.toml declares 500 million rows")


def split(kind, name, sql, why, **more):
    case("unpartitioned-window", kind, name, sql, why=why, **more)


split("negative", "partitioned", "SELECT sale_id, ROW_NUMBER() OVER (PARTITION BY store_id ORDER BY sold_at) AS r FROM retail.sales", "PARTITION BY")
split("negative", "partitioned_without_order", "SELECT sale_id, SUM(qty) OVER (PARTITION BY store_id, channel) AS r FROM retail.sales", "PARTITION BY")
split("negative", "partitioned_by_expression", "SELECT sale_id, SUM(qty) OVER (PARTITION BY sale_id % 10 ORDER BY qty) AS r FROM retail.sales", "PARTITION BY")
split("negative", "after_limit", "SELECT sale_id, ROW_NUMBER() OVER (ORDER BY sold_at) AS r FROM (SELECT * FROM retail.sales LIMIT 100)", "100 rows")
split("negative", "top_ten", "SELECT * FROM (SELECT sale_id, ROW_NUMBER() OVER (ORDER BY amount DESC) AS r FROM retail.sales) WHERE r <= 10", "Spark keeps the first ten of each task")
split("negative", "top_ranks", "SELECT * FROM (SELECT sale_id, RANK() OVER (ORDER BY amount DESC) AS r FROM retail.sales) WHERE r <= 5", "WindowGroupLimit below the exchange")
split("negative", "one_row", "SELECT m, SUM(m) OVER () AS s FROM (SELECT MAX(qty) AS m FROM retail.sales)", "one row")
split("negative", "no_window", "SELECT sale_id FROM retail.sales ORDER BY sold_at LIMIT 10", "a sort")
split("negative", "declared_small", "SELECT day, ROW_NUMBER() OVER (ORDER BY day) AS r FROM retail.calendar", "planvet.toml declares 10 rows")
split("tiny", "literal_rows", "SELECT v, ROW_NUMBER() OVER (ORDER BY v) AS r FROM VALUES (1), (2) AS t(v)", "rows of the query text")
split("tiny", "small_range", "SELECT id, LAG(id) OVER (ORDER BY id) AS r FROM RANGE(0, 500)", "500 rows")
split("tiny", "known_rows", "SELECT sale_id, ROW_NUMBER() OVER (ORDER BY sold_at) AS r FROM retail.sales", "the stage says 20,000 rows", phase="after")
split("tiny", "known_groups", "SELECT store_id, RANK() OVER (ORDER BY SUM(qty)) AS r FROM retail.sales GROUP BY store_id", "40 rows", phase="after")
split("healed", "empty", "SELECT product_id, ROW_NUMBER() OVER (ORDER BY label) AS r FROM retail.nothing", "AQE saw the empty stage", phase="after")

# ---- expand-multiplication: from four lists on
def expand(name, sql, reason, **more):
    case("expand-multiplication", "positive", name, sql, ("info", "Expand", reason), **more)


expand("three_distincts_and_sum", "SELECT store_id, COUNT(DISTINCT customer_id) AS a, COUNT(DISTINCT product_id) AS b, "
       "COUNT(DISTINCT channel) AS c, SUM(qty) AS s FROM retail.sales GROUP BY store_id", "count-distinct")
expand("four_distincts", "SELECT COUNT(DISTINCT customer_id) AS a, COUNT(DISTINCT product_id) AS b, COUNT(DISTINCT channel) AS c, "
       "COUNT(DISTINCT store_id) AS d FROM retail.sales", "count-distinct")
expand("cube_of_two", "SELECT store_id, channel, SUM(qty) AS s FROM retail.sales GROUP BY CUBE(store_id, channel)", "grouping-sets")
expand("cube_of_three", "SELECT store_id, channel, product_id, SUM(qty) AS s FROM retail.sales GROUP BY CUBE(store_id, channel, product_id)", "grouping-sets")
expand("cube_of_five", "SELECT store_id, channel, product_id, qty, sale_date, COUNT(*) AS s FROM retail.sales "
       "GROUP BY CUBE(store_id, channel, product_id, qty, sale_date)", "grouping-sets", why="32 lists, of which Spark prints 24")
expand("rollup_of_three", "SELECT store_id, channel, qty, SUM(amount) AS s FROM retail.sales GROUP BY ROLLUP(store_id, channel, qty)", "grouping-sets")
expand("grouping_sets", "SELECT store_id, channel, SUM(qty) AS s FROM retail.sales GROUP BY GROUPING SETS ((store_id, channel), (store_id), (channel), ())", "grouping-sets")
expand("distinct_in_cube", "SELECT store_id, channel, COUNT(DISTINCT customer_id) AS a, COUNT(DISTINCT product_id) AS b FROM retail.sales "
       "GROUP BY CUBE(store_id, channel)", "count-distinct", why="4 x 2 lists, two operators, one finding")
expand("simple_mode", "SELECT store_id, channel, SUM(qty) AS s FROM retail.sales GROUP BY CUBE(store_id, channel)", "grouping-sets", mode="simple")
expand("without_adaptive", "SELECT COUNT(DISTINCT customer_id) AS a, COUNT(DISTINCT product_id) AS b, COUNT(DISTINCT channel) AS c, SUM(qty) AS s "
       "FROM retail.sales", "count-distinct", conf=NOT_ADAPTIVE)


def narrow(kind, name, sql, why, **more):
    case("expand-multiplication", kind, name, sql, why=why, **more)


narrow("negative", "one_distinct", "SELECT store_id, COUNT(DISTINCT customer_id) AS a, SUM(qty) AS s FROM retail.sales GROUP BY store_id", "no Expand")
narrow("negative", "two_distincts", "SELECT store_id, COUNT(DISTINCT customer_id) AS a, COUNT(DISTINCT product_id) AS b FROM retail.sales GROUP BY store_id", "2 lists")
narrow("negative", "two_distincts_and_sum", "SELECT COUNT(DISTINCT customer_id) AS a, COUNT(DISTINCT product_id) AS b, SUM(qty) AS s FROM retail.sales", "3 lists")
narrow("negative", "functions_of_one_distinct", "SELECT COUNT(DISTINCT qty) AS a, SUM(DISTINCT qty) AS b, AVG(DISTINCT qty) AS c, MAX(amount) AS d FROM retail.sales", "one distinct column")
narrow("negative", "rollup_of_two", "SELECT store_id, channel, SUM(qty) AS s FROM retail.sales GROUP BY ROLLUP(store_id, channel)", "3 lists")
narrow("negative", "distinct_with_filter", "SELECT COUNT(DISTINCT customer_id) FILTER (WHERE qty > 3) AS a FROM retail.sales", "1 list")
narrow("negative", "approximate", "SELECT APPROX_COUNT_DISTINCT(customer_id) AS a, APPROX_COUNT_DISTINCT(product_id) AS b, APPROX_COUNT_DISTINCT(note) AS c, "
       "APPROX_COUNT_DISTINCT(channel) AS d FROM retail.sales", "no Expand")
narrow("negative", "unpivot", "SELECT * FROM (SELECT n, l, b, s, p FROM retail.kinds) UNPIVOT (value FOR kind IN (n, l, b, s, p))", "5 lists, by UNPIVOT")
narrow("negative", "sliding_window", "SELECT window(sold_at, '40 minutes', '10 minutes') AS w, SUM(qty) AS s FROM retail.sales "
       "GROUP BY window(sold_at, '40 minutes', '10 minutes')", "4 lists, of a time window")
narrow("negative", "stack", "SELECT STACK(2, n, p) AS v FROM retail.kinds", "Generate")
narrow("tiny", "known_rows", "SELECT store_id, channel, SUM(qty) AS s FROM retail.sales GROUP BY CUBE(store_id, channel)", "the exchange wrote a few rows", phase="after")
narrow("tiny", "literal_rows", "SELECT a, b, COUNT(*) AS n FROM VALUES (1, 2), (3, 4) AS t(a, b) GROUP BY CUBE(a, b)", "rows of the query text")
narrow("healed", "empty", "SELECT product_id, label, COUNT(*) AS n FROM retail.nothing GROUP BY CUBE(product_id, label)", "AQE saw the empty stage", phase="after")

# ---- early-explode: rows are multiplied before a shuffle that does not need the elements
def explode(name, sql, **more):
    more.setdefault("conf", NO_BROADCAST)
    case("early-explode", "positive", name, sql, ("info", "Generate", ""), **more)


EXPLODED = "(SELECT product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag)"
explode("before_join", f"SELECT p.tag, s.sale_id FROM retail.sales s JOIN {EXPLODED} p ON s.product_id = p.product_id")
explode("before_left_join", f"SELECT p.tag, s.sale_id FROM {EXPLODED} p LEFT JOIN retail.sales s ON s.product_id = p.product_id")
explode("before_join_simple_mode", f"SELECT p.tag, s.sale_id FROM retail.sales s JOIN {EXPLODED} p ON s.product_id = p.product_id", mode="simple")
explode("outer_before_join", "SELECT p.tag, s.sale_id FROM retail.sales s JOIN (SELECT product_id, tag FROM retail.product LATERAL VIEW OUTER EXPLODE(tags) AS tag) p "
        "ON s.product_id = p.product_id")
explode("position_before_join", "SELECT p.i, s.sale_id FROM retail.sales s JOIN (SELECT product_id, i, tag FROM retail.product LATERAL VIEW POSEXPLODE(tags) AS i, tag) p "
        "ON s.product_id = p.product_id")
explode("map_before_join", "SELECT p.k, s.sale_id FROM retail.sales s JOIN (SELECT product_id, k, v FROM retail.product LATERAL VIEW EXPLODE(properties) AS k, v) p "
        "ON s.product_id = p.product_id")
explode("before_sort", "SELECT product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag ORDER BY product_id", conf={})
explode("before_window_max", "SELECT product_id, tag, MAX(price) OVER (PARTITION BY segment) AS m FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag", conf={})
explode("without_adaptive", f"SELECT p.tag, s.sale_id FROM retail.sales s JOIN {EXPLODED} p ON s.product_id = p.product_id",
        conf={**NO_BROADCAST, **NOT_ADAPTIVE})


def late(kind, name, sql, why, **more):
    more.setdefault("conf", NO_BROADCAST)
    case("early-explode", kind, name, sql, why=why, **more)


late("negative", "before_aggregate", "SELECT segment, COUNT(*) AS n FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag GROUP BY segment", "a partial aggregate between")
late("negative", "group_by_element", "SELECT tag, COUNT(*) AS n FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag GROUP BY tag", "the element is the key")
late("negative", "join_on_element", f"SELECT p.product_id FROM {EXPLODED} p JOIN retail.store t ON p.tag = t.store_name", "the element is the key")
late("negative", "element_filtered", "SELECT p.tag, s.sale_id FROM retail.sales s JOIN (SELECT product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag WHERE tag = 't1') p "
     "ON s.product_id = p.product_id", "the filter needs the element")
late("negative", "json_tuple", "SELECT p.a, s.sale_id FROM retail.sales s JOIN (SELECT product_id, a FROM retail.product LATERAL VIEW JSON_TUPLE(name, 'a') AS a) p "
     "ON s.product_id = p.product_id", "one row for each")
late("negative", "stack", "SELECT p.v, s.sale_id FROM retail.sales s JOIN (SELECT product_id, v FROM retail.product LATERAL VIEW STACK(2, segment, code) AS v) p "
     "ON s.product_id = p.product_id", "a fixed number of literals")
late("negative", "literal_array", "SELECT p.i, s.sale_id FROM retail.sales s JOIN (SELECT product_id, i FROM retail.product LATERAL VIEW EXPLODE(ARRAY(1, 2, 3)) AS i) p "
     "ON s.product_id = p.product_id", "salt: a literal array")
late("negative", "array_of_columns", "SELECT p.v, s.sale_id FROM retail.sales s JOIN (SELECT product_id, v FROM retail.product LATERAL VIEW EXPLODE(ARRAY(name, segment)) AS v) p "
     "ON s.product_id = p.product_id", "two columns turned into rows")
late("negative", "intersect_all", "SELECT product_id FROM retail.sales INTERSECT ALL SELECT product_id FROM retail.product", "replicaterows is Spark's")
late("negative", "after_join", "SELECT s.sale_id, tag FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id LATERAL VIEW EXPLODE(p.tags) AS tag", "late already")
late("negative", "no_shuffle", "SELECT product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag", "no shuffle")
late("negative", "repartition_asked_for", "SELECT /*+ REPARTITION(8) */ product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag", "the user spreads the rows")
late("negative", "ordered_by_element", "SELECT product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag ORDER BY product_id, tag", "the sort needs the element")
late("negative", "window_over_element", "SELECT product_id, ROW_NUMBER() OVER (PARTITION BY product_id ORDER BY tag) AS r FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag",
     "the window needs the element")
late("negative", "window_counts_rows", "SELECT product_id, tag, COUNT(*) OVER (PARTITION BY segment) AS n FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag", "the count is of elements")
late("negative", "broadcast_join", f"SELECT p.tag, s.sale_id FROM retail.sales s JOIN {EXPLODED} p ON s.product_id = p.product_id", "broadcast, no shuffle", conf={})
late("tiny", "known_rows", f"SELECT p.tag, s.sale_id FROM retail.sales s JOIN {EXPLODED} p ON s.product_id = p.product_id", "the stage says 800 rows", phase="after")
late("tiny", "literal_rows", "SELECT s.sale_id, x FROM retail.sales s JOIN (SELECT k, x FROM (SELECT id AS k, SEQUENCE(0, id) AS xs FROM RANGE(0, 20)) LATERAL VIEW EXPLODE(xs) AS x) v "
     "ON s.store_id = v.k", "20 rows")
late("healed", "empty_side", "SELECT p.tag, n.label FROM retail.nothing n JOIN (SELECT product_id, tag FROM retail.product LATERAL VIEW EXPLODE(tags) AS tag) p "
     "ON n.product_id = p.product_id", "AQE saw the empty side", phase="after")
