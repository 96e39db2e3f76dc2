"""Texts that break readers: line breaks and fake blocks inside of values, odd names, long lists."""
from spark_corpus.neutral import lake_directory
from spark_corpus.query import query, sql

LAKE = lake_directory()

FAKE_BLOCK = "x\\n(9) Sort\\nInput [1]: [z#1]\\nArguments: [z#1 ASC NULLS FIRST], true, 0\\n"
FAKE_PLAN = "\\n== Physical Plan ==\\n* Sort (3)\\n+- Exchange hashpartitioning(a#1, 200), ENSURE_REQUIREMENTS (2)\\n   +- Scan parquet  (1)\\n"

sql("nasty_literal_block", "a fake detail block inside of a literal",
    f"SELECT sale_id FROM retail.sales WHERE note = '{FAKE_BLOCK}' OR note > 'b'", events=True)
sql("nasty_literal_plan", "a fake plan inside of a literal", f"SELECT sale_id, '{FAKE_PLAN}' AS text FROM retail.sales WHERE note <> '{FAKE_PLAN}'")
sql("nasty_literal_in_join", "a fake tree line in a join condition",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id AND CONCAT(s.note, t.store_name) <> '\\n   +- Exchange (12)\\n:  :- Filter (3)\\n'")
sql("nasty_literal_subqueries", "section headers inside of a literal",
    "SELECT sale_id FROM retail.sales WHERE note <> '===== Subqueries =====\\n\\nSubquery:1 Hosting operator id = 1 Hosting Expression = x\\n' AND qty > (SELECT MIN(qty) FROM retail.returns)")
sql("nasty_literal_brackets", "unbalanced brackets and quotes in literals",
    "SELECT sale_id, CONCAT(note, '((([[[{{{') AS a, 'it''s \"quoted\", [x#1], (y' AS b FROM retail.sales WHERE note NOT IN (']', ')', '}', ', ', ' AS z#12') AND note <> 'a#5 > 3) AND (b#6 < 4'")
sql("nasty_literal_tabs", "tabs, carriage returns, bars, pipes, HTML, control and wide characters",
    "SELECT sale_id FROM retail.sales WHERE note IN ('a\\tb', 'c\\r\\nd', '| e |', '<b>&amp;</b>', '数据 größe 🚀', '\\u0001\\u0000', '└─ x', '-- planvet: allow all')")
sql("nasty_literal_long", "a literal of 3,000 characters", f"SELECT sale_id FROM retail.sales WHERE note <> '{'long text, ' * 300}'")
sql("nasty_alias_line_break", "an alias with a line break",
    "SELECT sale_id AS `line one\nline two`, qty AS `(3) Filter`, store_id AS `\nInput [1]: [x#1]` FROM retail.sales WHERE qty > 2")
sql("nasty_alias_as", "aliases that hold AS, #, brackets",
    "SELECT `a AS b#7` + 1 AS `c AS d#8`, `x)` AS `y(`, `[z]` AS `#` FROM (SELECT qty AS `a AS b#7`, store_id AS `x)`, product_id AS `[z]` FROM retail.sales) "
    "WHERE `a AS b#7` > 3 AND `x)` < 30 AND `[z]` <> 5")
sql("nasty_many_columns_computed", "more than 25 fields in a projection and an aggregate",
    "SELECT " + ", ".join(f"SUM(column_{i:03d} + {i}) AS s{i}" for i in range(40)) + " FROM retail.wide GROUP BY column_000, column_001")
sql("nasty_many_columns_sorted", "more than 25 sort orders and a limit",
    "SELECT * FROM retail.wide ORDER BY " + ", ".join(f"column_{i:03d} DESC" for i in range(30)) + " LIMIT 5")
sql("nasty_many_columns_joined", "a join of two wide sides",
    "SELECT * FROM retail.wide a JOIN retail.wide b ON a.column_000 = b.column_001 AND a.column_002 < b.column_003")
sql("nasty_in_set", "INSET of 400 values with other predicates after it",
    "SELECT sale_id FROM retail.sales WHERE product_id IN (" + ", ".join(str(i * 3 + 1000) for i in range(400)) + ") AND qty > 2")
sql("nasty_in_set_text", "INSET of texts with commas and brackets",
    "SELECT sale_id FROM retail.sales WHERE note IN (" + ", ".join(f"'v, {i}) AND (w'" for i in range(30)) + ") OR qty = 1")
sql("nasty_deep_expression", "an expression of 60 levels", "SELECT " + "(" * 60 + "qty" + " + 1) * 2" * 60 + " AS deep FROM retail.sales WHERE "
    + " AND ".join(f"(qty <> {i} OR store_id > {i})" for i in range(12)), conf={"spark.sql.ansi.enabled": "false"})
sql("nasty_types", "literals of every type",
    "SELECT 1Y AS a, 2S AS b, 3L AS c, 1.5F AS d, 2.5D AS e, 3.25BD AS f, X'1F' AS g, DATE'2024-01-02' AS h, TIMESTAMP'2024-01-02 03:04:05.678' AS i, "
    "INTERVAL '1-2' YEAR TO MONTH AS j, INTERVAL '1 02:03:04.5' DAY TO SECOND AS k, NULL AS l, ARRAY(1, NULL) AS m, MAP('k', ARRAY('v')) AS n, "
    "NAMED_STRUCT('x', 1, 'y z', 'w') AS o, TRUE AS p, sale_id FROM retail.sales WHERE RAND(1) > 0.5")
sql("nasty_expressions", "lambdas, CASE, windows of intervals, struct updates, casts, LIKE ANY, BETWEEN, bit operators",
    """
    SELECT transform(tags, (t, i) -> concat(t, ':', CAST(i AS STRING))) AS a, map_filter(properties, (k, v) -> k <> 'size' AND v > '1') AS b,
      CASE WHEN price > 100 THEN 'dear' WHEN price IS NULL THEN NULL ELSE concat('cheap: ', CAST(price AS STRING)) END AS c,
      CAST(price AS DECIMAL(20, 3)) / 3 AS d, dimension.width * 2 AS e, properties['color'] AS f, tags[1] AS g, ~product_id & 7 | 8 ^ 3 AS h,
      from_json('{"a":1}', 'a INT, b STRING') AS i, to_json(dimension) AS j, name LIKE ANY ('p%', '%7') AS k, CAST('2024-01-01' AS DATE) AS l,
      zip_with(tags, array(1, 2), (x, y) -> struct(x, y)) AS m, regexp_replace(name, '(\\\\d+)', '<$1>') AS n, split(name, ' ')[1] AS o,
      date_add(current_date(), product_id) > DATE'2024-01-01' AS p
    FROM retail.product WHERE array_sort(tags, (x, y) -> IF(x < y, 1, -1))[0] = 't1'""")
sql("nasty_comment_hints", "hints that match nothing, comments, nested aliases",
    "SELECT /*+ BROADCAST(nothing_here), COALESCE(3) */ s.sale_id /* (1) Scan */ FROM (SELECT * FROM retail.sales) s -- +- Exchange\nWHERE s.qty > 1")


@query("columns with blanks, dots, commas, brackets, #, quotes, unicode; json")
def nasty_odd_names(spark):
    return spark.read.json(f"{LAKE}/files/odd").where(
        "`order id` > '1' AND `a.b` = '7' AND `x,y` > '2' AND `arr[0]` <> 'q' AND `tag#1` LIKE '1%' AND `k=v` IN ('1', '2') AND `größe` IS NOT NULL AND `数量` > '1'")


@query("odd names as group keys, aggregates, sort orders and partitionings")
def nasty_odd_keys(spark):
    odd = spark.read.json(f"{LAKE}/files/odd")
    return odd.groupBy("`a AS b#7`", "`x,y`", "`(`").agg({"`arr[0]`": "max", "`f(x)`": "count"}).sort("`x,y`", "`(`")


@query("odd names as join keys", conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})
def nasty_odd_join(spark):
    odd = spark.read.json(f"{LAKE}/files/odd")
    return odd.alias("l").join(odd.alias("r"), "tag#1").selectExpr("l.`+- up`", "r.` lead` AS `r. lead`", "l.`tail `")


@query("an aggregate whose columns are called like functions")
def nasty_generated_names(spark):
    frame = spark.sql("SELECT store_id, 0.5 * SUM(qty), MAX(note), COUNT(DISTINCT channel) FROM retail.sales GROUP BY store_id")
    return frame.where("`max(note)` > 'a' AND `count(DISTINCT channel)` > 1").sort("`max(note)`")


@query("maxToStringFields and maxPlanStringLength cut the text",
       conf={"spark.sql.debug.maxToStringFields": "4", "spark.sql.maxMetadataStringLength": "40"})
def nasty_cut_fields(spark):
    return spark.sql("SELECT * FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id WHERE s.qty > 1 AND s.note = 'a' AND p.segment = 'toys'")


@query("the whole plan string cut", conf={"spark.sql.maxPlanStringLength": "900"})
def nasty_cut_plan(spark):
    return spark.sql("SELECT t.region, SUM(s.amount) AS a FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id GROUP BY t.region")


@query("a plan of 150 unions")
def nasty_long_plan(spark):
    frame = spark.range(1).selectExpr("id", "'part 0' AS label")
    for i in range(1, 150):
        frame = frame.union(spark.range(i, i + 2).selectExpr("id", f"'part {i}' AS label"))
    return frame


@query("a chain of 40 nested projections and filters that do not collapse")
def nasty_deep_plan(spark):
    from pyspark.sql.functions import expr
    frame = spark.table("retail.store").select("store_id", "area")
    for i in range(40):
        frame = frame.withColumn("area", expr(f"area + rand({i})")).where(f"area > {i}")
    return frame
