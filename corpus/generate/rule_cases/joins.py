"""nested-loop-join, cartesian-product, null-aware-anti-join."""
from spark_corpus.rule_case import case

NEVER_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}

# ---- nested-loop-join: bare text justifies a warning; a one-row side or a known small one silences it.
LOOP = "BroadcastNestedLoopJoin"


def loop(name, sql, reason, **more):
    case("nested-loop-join", "positive", name, sql, ("warning", LOOP, reason), **more)


loop("range", "SELECT s.sale_id, p.promotion_id FROM retail.sales s JOIN retail.promotion p "
     "ON s.amount BETWEEN p.from_price AND p.to_price", "range-only")
loop("range_simple_mode", "SELECT s.sale_id, p.promotion_id FROM retail.sales s JOIN retail.promotion p "
     "ON s.amount BETWEEN p.from_price AND p.to_price", "range-only", mode="simple")
loop("range_extended_mode", "SELECT s.sale_id, p.promotion_id FROM retail.sales s JOIN retail.promotion p "
     "ON s.amount > p.from_price", "range-only", mode="extended")
loop("or_across_keys", "SELECT s.sale_id FROM retail.sales s JOIN retail.promotion p "
     "ON s.product_id = p.product_id OR s.store_id = p.promotion_id", "or-across-keys")
loop("left_outer_range", "SELECT s.sale_id, p.promotion_id FROM retail.sales s LEFT JOIN retail.promotion p "
     "ON s.amount > p.from_price AND s.amount < p.to_price", "range-only")
loop("full_outer_range", "SELECT s.sale_id, p.promotion_id FROM retail.sales s FULL JOIN retail.promotion p "
     "ON s.amount > p.from_price", "range-only")
loop("function_of_both_sides", "SELECT s.sale_id FROM retail.sales s JOIN retail.product p "
     "ON concat(s.note, p.name) = 'note 1product 1'", "function-of-both-sides")
loop("not_equal", "SELECT c.customer_id FROM retail.customer c JOIN retail.promotion p ON c.age <> p.promotion_id", "not-equal")
loop("cross_join", "SELECT /*+ BROADCAST(p) */ s.sale_id, p.promotion_id FROM retail.sales s CROSS JOIN retail.promotion p",
     "no-condition")
loop("exists_range", "SELECT s.sale_id FROM retail.sales s WHERE EXISTS "
     "(SELECT 1 FROM retail.promotion p WHERE p.from_price < s.amount)", "range-only")
loop("not_exists_range", "SELECT s.sale_id FROM retail.sales s WHERE NOT EXISTS "
     "(SELECT 1 FROM retail.promotion p WHERE p.from_price > s.amount)", "range-only")
loop("without_adaptive", "SELECT s.sale_id FROM retail.sales s JOIN retail.promotion p ON s.amount < p.to_price",
     "range-only", conf={"spark.sql.adaptive.enabled": "false"})
loop("in_subquery_plan", "SELECT sale_id FROM retail.sales WHERE qty > (SELECT COUNT(*) FROM retail.returns r "
     "JOIN retail.promotion p ON r.product_id > p.from_price)", "range-only")
loop("declared_large", "SELECT c.customer_id FROM retail.customer c JOIN retail.returns r ON c.customer_id < r.return_id",
     "range-only", why="planvet.toml declares a million rows each: >= 1e9 pairs, capped at warning")


def no_loop(kind, name, sql, why, **more):
    case("nested-loop-join", kind, name, sql, why=why, **more)


no_loop("negative", "equality", "SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id", "hash join")
no_loop("negative", "equality_and_range", "SELECT s.sale_id FROM retail.sales s JOIN retail.promotion p "
        "ON s.product_id = p.product_id AND s.amount > p.from_price", "hash join with a condition")
no_loop("negative", "global_aggregate_side", "SELECT s.sale_id FROM retail.sales s JOIN "
        "(SELECT MAX(from_price) AS top FROM retail.promotion) p ON s.amount > p.top", "one row")
no_loop("negative", "scalar_subquery", "SELECT sale_id FROM retail.sales WHERE amount > (SELECT AVG(from_price) FROM retail.promotion)",
        "a scalar subquery is no join")
no_loop("negative", "literal_rows", "SELECT s.sale_id FROM retail.sales s JOIN VALUES (1, 20), (20, 40) AS v(low, high) "
        "ON s.amount BETWEEN v.low AND v.high", "rows of the query text")
no_loop("negative", "small_range", "SELECT s.sale_id FROM retail.sales s JOIN RANGE(0, 12) r ON s.qty > r.id", "12 rows")
no_loop("negative", "limited_side", "SELECT s.sale_id FROM retail.sales s JOIN "
        "(SELECT from_price FROM retail.promotion LIMIT 10) p ON s.amount > p.from_price", "10 rows")
no_loop("negative", "one_row_relation", "SELECT s.sale_id, t.d FROM retail.sales s CROSS JOIN (SELECT current_date() AS d) t", "one row")
no_loop("negative", "not_in_two_columns", "SELECT sale_id FROM retail.sales WHERE (product_id, store_id) NOT IN "
        "(SELECT product_id, promotion_id FROM retail.promotion)", "null-aware-anti-join owns it")
no_loop("negative", "two_aggregates", "SELECT a.n, b.m FROM (SELECT COUNT(*) n FROM retail.sales) a "
        "CROSS JOIN (SELECT COUNT(*) m FROM retail.returns) b", "one row each")
no_loop("negative", "declared_small", "SELECT s.sale_id FROM retail.sales s JOIN retail.calendar c ON s.sale_date < c.day",
        "planvet.toml declares 10 rows")
no_loop("tiny", "known_rows", "SELECT s.sale_id FROM retail.sales s JOIN retail.promotion p ON s.amount < p.to_price",
        "the broadcast stage says 25 rows", phase="after")
no_loop("tiny", "known_rows_left_outer", "SELECT s.sale_id, p.promotion_id FROM retail.sales s LEFT JOIN retail.promotion p "
        "ON s.amount > p.from_price", "25 rows", phase="after")
no_loop("healed", "empty_side", "SELECT s.sale_id FROM retail.sales s JOIN retail.nothing n ON s.amount > n.product_id",
        "AQE saw the empty side and removed the join", phase="after")

# ---- cartesian-product
PRODUCT = "CartesianProduct"


def product(name, sql, reason, **more):
    more.setdefault("conf", NEVER_BROADCAST)
    case("cartesian-product", "positive", name, sql, ("warning", PRODUCT, reason), **more)


def no_product(kind, name, sql, why, **more):
    more.setdefault("conf", NEVER_BROADCAST)
    case("cartesian-product", kind, name, sql, why=why, **more)


product("cross_join", "SELECT s.sale_id, r.return_id FROM retail.sales s CROSS JOIN retail.returns r", "no-condition")
product("cross_join_simple_mode", "SELECT s.sale_id, r.return_id FROM retail.sales s CROSS JOIN retail.returns r",
        "no-condition", mode="simple")
product("range", "SELECT s.sale_id, p.promotion_id FROM retail.sales s JOIN retail.promotion p "
        "ON s.amount BETWEEN p.from_price AND p.to_price", "range-only")
product("or_across_keys", "SELECT s.sale_id FROM retail.sales s JOIN retail.returns r "
        "ON s.product_id = r.product_id OR s.sale_id = r.sale_id", "or-across-keys")
product("not_equal", "SELECT s.sale_id FROM retail.sales s JOIN retail.returns r ON s.product_id <> r.product_id", "not-equal")
product("hint", "SELECT /*+ SHUFFLE_REPLICATE_NL(p) */ s.sale_id FROM retail.sales s JOIN retail.promotion p "
        "ON s.amount < p.to_price", "range-only", conf={})
product("without_adaptive", "SELECT s.sale_id, r.return_id FROM retail.sales s CROSS JOIN retail.returns r", "no-condition",
        conf={**NEVER_BROADCAST, "spark.sql.adaptive.enabled": "false"})
product("declared_large", "SELECT c.customer_id FROM retail.customer c CROSS JOIN retail.web_log r", "no-condition",
        why="planvet.toml declares a million rows each, capped at warning")
product("after", "SELECT COUNT(*) FROM retail.returns a JOIN retail.promotion b ON a.product_id < b.from_price", "range-only",
        phase="after", why="scans have no row counts in text: still unknown")
no_product("negative", "equality", "SELECT s.sale_id FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id", "merge join")
no_product("negative", "salt", "SELECT /*+ SHUFFLE_REPLICATE_NL(r) */ s.sale_id, r.id FROM retail.sales s CROSS JOIN RANGE(0, 16) r",
           "salting with a tiny range is meant")
no_product("negative", "literal_rows", "SELECT s.sale_id FROM retail.sales s JOIN VALUES (1, 20), (20, 40) AS v(low, high) "
           "ON s.amount BETWEEN v.low AND v.high", "two rows")
no_product("negative", "global_aggregate_side", "SELECT s.sale_id FROM retail.sales s JOIN "
           "(SELECT MAX(from_price) AS top FROM retail.promotion) p ON s.amount > p.top", "one row")
no_product("negative", "limited_side", "SELECT s.sale_id FROM retail.sales s JOIN "
           "(SELECT from_price FROM retail.promotion LIMIT 5) p ON s.amount > p.from_price", "5 rows")
no_product("negative", "declared_small", "SELECT s.store_id FROM retail.calendar c JOIN retail.store s ON c.weekday < s.area",
           "planvet.toml declares 40 and 10 rows")
no_product("negative", "outer_range", "SELECT s.sale_id FROM retail.sales s LEFT JOIN retail.promotion p ON s.amount > p.from_price",
           "an outer join has no cartesian form: a nested loop")
no_product("negative", "null_safe_equality", "SELECT s.sale_id FROM retail.sales s JOIN retail.returns r ON s.note <=> r.reason",
           "merge join")
no_product("healed", "empty_side", "SELECT s.sale_id FROM retail.sales s JOIN (SELECT product_id, count(*) c FROM retail.nothing "
           "GROUP BY product_id) n ON s.amount > n.c", "AQE saw the empty side", phase="after")
no_product("tiny", "one_row_each", "SELECT a.n, b.m FROM (SELECT COUNT(*) n FROM retail.sales) a "
           "CROSS JOIN (SELECT COUNT(*) m FROM retail.returns) b", "one row each")

# ---- null-aware-anti-join


def not_in(name, sql, severity, kind, reason, **more):
    case("null-aware-anti-join", "positive", name, sql, (severity, kind, reason), **more)


ONE = "SELECT sale_id FROM retail.sales WHERE product_id NOT IN (SELECT product_id FROM retail.promotion)"
TWO = "SELECT sale_id FROM retail.sales WHERE (product_id, store_id) NOT IN (SELECT product_id, promotion_id FROM retail.promotion)"
not_in("hash_form", ONE, "info", "BroadcastHashJoin", "not-in-hash")
not_in("hash_form_simple_mode", ONE, "info", "BroadcastHashJoin", "not-in-hash", mode="simple")
not_in("hash_form_threshold_off", ONE, "info", "BroadcastHashJoin", "not-in-hash", conf=NEVER_BROADCAST)
not_in("two_columns", TWO, "warning", "BroadcastNestedLoopJoin", "not-in-nested-loop")
not_in("two_columns_simple_mode", TWO, "warning", "BroadcastNestedLoopJoin", "not-in-nested-loop", mode="simple")
not_in("expression", "SELECT sale_id FROM retail.sales WHERE qty + 1 NOT IN (SELECT promotion_id FROM retail.promotion)",
       "info", "BroadcastHashJoin", "not-in-hash")
not_in("correlated", "SELECT sale_id FROM retail.sales s WHERE s.product_id NOT IN "
       "(SELECT p.product_id FROM retail.promotion p WHERE p.from_price < s.amount)", "warning", "BroadcastNestedLoopJoin",
       "not-in-nested-loop", why="a correlated condition keeps it from the hash form")


def nulls_are_fine(kind, name, sql, why, **more):
    case("null-aware-anti-join", kind, name, sql, why=why, **more)


nulls_are_fine("negative", "not_exists", "SELECT sale_id FROM retail.sales s WHERE NOT EXISTS "
               "(SELECT 1 FROM retail.promotion p WHERE p.product_id = s.product_id)", "plain anti join")
nulls_are_fine("negative", "left_anti", "SELECT s.sale_id FROM retail.sales s LEFT ANTI JOIN retail.promotion p "
               "ON s.product_id = p.product_id", "plain anti join")
nulls_are_fine("negative", "literal_list", "SELECT sale_id FROM retail.sales WHERE product_id NOT IN (1, 2, 3)", "a filter")
nulls_are_fine("negative", "in", "SELECT sale_id FROM retail.sales WHERE product_id IN (SELECT product_id FROM retail.promotion)",
               "semi join")
nulls_are_fine("negative", "left_join_is_null", "SELECT s.sale_id FROM retail.sales s LEFT JOIN retail.promotion p "
               "ON s.product_id = p.product_id WHERE p.product_id IS NULL", "outer join and a filter, or an anti join")
nulls_are_fine("negative", "anti_range", "SELECT s.sale_id FROM retail.sales s LEFT ANTI JOIN retail.promotion p "
               "ON s.amount > p.from_price", "nested loop, but no null in question")
nulls_are_fine("negative", "anti_merge", "SELECT s.sale_id FROM retail.sales s LEFT ANTI JOIN retail.returns r ON s.sale_id = r.sale_id",
               "sort merge anti join", conf=NEVER_BROADCAST)
nulls_are_fine("tiny", "known_rows", ONE, "the broadcast stage says 25 rows", phase="after")
nulls_are_fine("healed", "empty_subquery", "SELECT sale_id FROM retail.sales WHERE product_id NOT IN (SELECT product_id FROM retail.nothing)",
               "AQE saw the empty side: every row stays, no join", phase="after")
