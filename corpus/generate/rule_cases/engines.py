"""engine-fallback, row-column-flip: plans by Comet, whose session has them all (run_rule_cases.py --kind comet)."""
from spark_corpus.rule_case import case

COMET = {"session": "comet"}
NO_REASONS = {"spark.sql.extendedExplainProviders": ""}


def plus_one(spark):
    spark.udf.register("plus_one", lambda number: number + 1, "int")
    spark.udf.registerJavaFunction("reverse_text", "planvet.TypedFunctions$Reverse", "string")
    return spark


def sql(text):
    return lambda spark: plus_one(spark).sql(text)


# ---- engine-fallback: the kind is that of the uppermost Spark operator of the part that fell back
def left(name, text, kind, severity="warning", **more):
    case("engine-fallback", "positive", name, text, (severity, kind, ""), **COMET, **more)


def stayed(kind, name, text, why, **more):
    case("engine-fallback", kind, name, text, why=why, **COMET, **more)


left("python_then_sort", sql("SELECT plus_one(store_id) AS k FROM retail.sales ORDER BY k"), "Project")
left("python_then_join", sql("SELECT s.k, p.name FROM (SELECT plus_one(product_id) AS k FROM retail.sales) s JOIN retail.product p ON s.k = p.product_id"), "Project",
     conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})
left("python_then_sort_simple_mode", sql("SELECT plus_one(store_id) AS k FROM retail.sales ORDER BY k"), "Project", mode="simple")
left("python_then_sort_after", sql("SELECT plus_one(store_id) AS k FROM retail.sales ORDER BY k"), "Project", phase="after")
left("join_with_range", "SELECT s.sale_id FROM retail.sales s JOIN RANGE(0, 20) r ON s.store_id = r.id ORDER BY s.sale_id", "Project",
     why="Range is Spark's own, but it takes the join with the native scan along")
left("join_with_literal_rows", "SELECT s.sale_id FROM retail.sales s JOIN VALUES (1), (2) AS v(k) ON s.store_id = v.k ORDER BY s.sale_id", "Project", why="the same")
left("json_filter_then_sort", "SELECT customer_id FROM retail.customer WHERE age > 30 ORDER BY customer_id", "Project", why="JSON is read by Spark, and filtered by it")
left("csv_filter_then_sort", "SELECT sale_id FROM retail.returns WHERE qty > 1 ORDER BY sale_id", "Project", why="CSV is read by Spark, and filtered by it")
left("window_switched_off", "SELECT store_id, s, COUNT(*) AS n FROM (SELECT store_id, SUM(qty) OVER (PARTITION BY store_id ORDER BY sale_id) AS s FROM retail.sales) "
     "GROUP BY store_id, s ORDER BY n", "HashAggregate", conf={"spark.comet.exec.window.enabled": "false"})
left("filter_switched_off", "SELECT sale_id FROM retail.sales WHERE qty > 5 ORDER BY sale_id", "Project", conf={"spark.comet.exec.filter.enabled": "false"})

stayed("negative", "all_native", "SELECT store_id, SUM(qty) AS s FROM retail.sales WHERE qty > 2 GROUP BY store_id", "nothing left")
stayed("negative", "native_join", "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id", "nothing left")
stayed("negative", "python_at_the_root", sql("SELECT plus_one(store_id) AS k FROM retail.sales WHERE qty > 5"), "one transition, at the root")
stayed("negative", "ordered_limit", "SELECT sale_id FROM retail.sales ORDER BY sale_id LIMIT 5", "nothing left")
stayed("negative", "limit", "SELECT sale_id FROM retail.sales LIMIT 5", "limits")
stayed("negative", "java_then_sort", sql("SELECT reverse_text(note) AS k FROM retail.sales ORDER BY k"), "Comet calls JVM functions inside of its operators")
stayed("negative", "python_then_group", sql("SELECT k, COUNT(*) AS n FROM (SELECT plus_one(store_id) AS k FROM retail.sales) GROUP BY k"),
       "all above is Spark's: rows never come back")
stayed("negative", "range_below", "SELECT id FROM RANGE(0, 100000) ORDER BY id", "Range is Spark's own")
stayed("negative", "literal_rows_below", "SELECT k FROM VALUES (1), (2) AS v(k) ORDER BY k", "LocalTableScan is Spark's own")
stayed("negative", "spark_alone", "SELECT store_id, SUM(qty) AS s FROM retail.sales GROUP BY store_id", "no native operator at all", conf={"spark.comet.enabled": "false"})
stayed("negative", "window", "SELECT sale_id, RANK() OVER (PARTITION BY store_id ORDER BY amount) AS r FROM retail.sales", "nothing left")
stayed("negative", "all_native_after", "SELECT store_id, SUM(qty) AS s FROM retail.sales GROUP BY store_id ORDER BY s", "query stages and reads are Spark's own", phase="after")
stayed("tiny", "known_groups", sql("SELECT plus_one(store_id) AS k, n FROM (SELECT store_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id) ORDER BY k"), "the stage says 40 rows", phase="after")
stayed("healed", "empty_side", sql("SELECT s.k, n.sale_id FROM (SELECT plus_one(store_id) AS k FROM retail.sales) s JOIN (SELECT sale_id, store_id FROM retail.sales WHERE qty < 0) n ON s.k = n.store_id"),
       "AQE saw the empty side", phase="after", conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})

# ---- row-column-flip: native rows made Spark's and native again, with nothing in between that fell back
FLIP = {"spark.comet.exec.globalLimit.enabled": "false", "spark.comet.exec.localLimit.enabled": "false",
        "spark.comet.exec.takeOrderedAndProject.enabled": "false"}
BACK = "ShuffleExchange"


def flip(name, text, severity="warning", **more):
    more.setdefault("conf", FLIP)
    case("row-column-flip", "positive", name, text, (severity, BACK, "rows-between"), **COMET, **more)


def no_flip(kind, name, text, why, **more):
    case("row-column-flip", kind, name, text, why=why, **COMET, **more)


LIMITED = "(SELECT sale_id, store_id, qty FROM retail.sales LIMIT 5000)"
flip("limit_then_sort", f"SELECT sale_id FROM {LIMITED} ORDER BY sale_id", why="limits stay with Spark here: no fallback, and rows all the same")
flip("limit_then_sort_simple_mode", f"SELECT sale_id FROM {LIMITED} ORDER BY sale_id", mode="simple")
flip("limit_then_group", f"SELECT store_id, MAX(qty) AS m FROM {LIMITED} GROUP BY store_id")
flip("limit_then_distinct", f"SELECT DISTINCT store_id FROM {LIMITED}")
flip("limit_then_repartition", f"SELECT /*+ REPARTITION(4, store_id) */ store_id FROM {LIMITED}")
flip("limit_without_adaptive", f"SELECT sale_id FROM {LIMITED} ORDER BY sale_id", conf={**FLIP, "spark.sql.adaptive.enabled": "false"})

no_flip("negative", "fallback", sql("SELECT plus_one(store_id) AS k FROM retail.sales ORDER BY k"), "engine-fallback owns it")
no_flip("negative", "limit_then_join", f"SELECT s.sale_id, p.name FROM {LIMITED} s JOIN retail.product p ON s.store_id = p.product_id",
        "the null test of the key fell back above the limit: engine-fallback owns it", conf={**FLIP, "spark.sql.autoBroadcastJoinThreshold": "-1"})
no_flip("negative", "all_native", "SELECT store_id, SUM(qty) AS s FROM retail.sales GROUP BY store_id ORDER BY s", "columns all the way")
no_flip("negative", "native_limit", f"SELECT sale_id FROM {LIMITED} ORDER BY sale_id", "the limit is native")
no_flip("negative", "round_robin", "SELECT /*+ REPARTITION(8) */ sale_id FROM retail.sales", "Comet's own shuffle of native rows")
no_flip("negative", "small_limit", "SELECT sale_id FROM (SELECT sale_id FROM retail.sales LIMIT 100) ORDER BY sale_id", "100 rows", conf=FLIP)
no_flip("negative", "csv_below", "SELECT sale_id, reason FROM retail.returns ORDER BY sale_id", "rows from the start: no columns were lost")
no_flip("negative", "range_below", "SELECT id FROM RANGE(0, 100000) ORDER BY id", "rows from the start")
no_flip("negative", "one_way", sql("SELECT plus_one(store_id) AS k FROM retail.sales"), "rows at the root, and never columns again")
no_flip("negative", "spark_alone", "SELECT sale_id FROM (SELECT sale_id FROM retail.sales LIMIT 5000) ORDER BY sale_id", "no native operator", conf={"spark.comet.enabled": "false"})
no_flip("tiny", "known_rows", f"SELECT store_id, COUNT(*) AS n FROM (SELECT store_id FROM retail.sales LIMIT 900) GROUP BY store_id", "900 rows", phase="after", conf=FLIP)
no_flip("healed", "empty", "SELECT sale_id FROM (SELECT sale_id FROM retail.sales WHERE qty < 0 LIMIT 5000) ORDER BY sale_id", "nothing came", phase="after", conf=FLIP)
