"""Joins by the rows that really came."""
from measured_cases.labelled import case

NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
LATE = {**NEVER, "spark.sql.adaptive.autoBroadcastJoinThreshold": "10MB"}
MERGE, HASH, LOOP, BROADCAST = "SortMergeJoin", "BroadcastHashJoin", "BroadcastNestedLoopJoin", "BroadcastExchange"


def rows(count, columns="id"):
    return f"(SELECT {columns} FROM range(0, {count}, 1, 4))"


# ---- nested-loop-join: warning from a million pairs, error from a billion.
PAIRS = "SELECT a.id FROM {a} a JOIN {b} b ON a.id * 3 < b.id - {apart}"
case("nested-loop-join", "positive", "millions", PAIRS.format(a=rows(6000), b=rows(5000), apart=4900), ("warning", LOOP, "range-only"))
case("nested-loop-join", "positive", "billion", PAIRS.format(a=rows(40000), b=rows(30000), apart=29900), ("error", LOOP, "range-only"),
     why="1.2 billion pairs")
case("nested-loop-join", "tiny", "hundreds", PAIRS.format(a=rows(1200), b=rows(700), apart=650), why="a side of 700 rows")
case("nested-loop-join", "tiny", "few_pairs", "SELECT a.sale_id FROM tiny_sales a JOIN store b ON a.qty < b.store_id - 400", why="500 stores")
case("nested-loop-join", "negative", "filtered_small", "SELECT a.sale_id FROM sales a JOIN (SELECT * FROM sales WHERE sale_id % 100000 = 7) b "
     "ON a.qty < b.store_id - 400", why="20 rows are left on one side: the plan alone could not know")
case("nested-loop-join", "negative", "one_row", "SELECT a.sale_id FROM sales a JOIN (SELECT max(qty) AS m FROM sales) b ON a.qty > b.m - 2",
     why="one row")

# ---- missed-broadcast: measured sizes of both sides.
STORES = "SELECT s.sale_id, s.qty, s.code, t.name FROM {s} s {join} store t ON s.store_id = t.store_id"
WIDE = "(SELECT *, concat('note of ', sale_id) AS note FROM sales)"
case("missed-broadcast", "positive", "threshold_off", f"SELECT s.sale_id, s.note, t.name FROM {WIDE} s JOIN store t ON s.store_id = t.store_id",
     ("warning", MERGE, "threshold-off"), conf=NEVER, why="2 million rows against 500")
case("missed-broadcast", "positive", "left_join", f"SELECT s.sale_id, s.note, t.name FROM {WIDE} s LEFT JOIN store t ON s.store_id = t.store_id",
     ("warning", MERGE, "threshold-off"), conf=NEVER)
case("missed-broadcast", "positive", "small_join", "SELECT s.sale_id, t.name FROM (SELECT * FROM sales WHERE sale_id < 200000) s JOIN store t "
     "ON s.store_id = t.store_id", ("info", MERGE, "threshold-off"), conf=NEVER, why="the large side has 5 MB")
case("missed-broadcast", "negative", "full_outer", f"SELECT s.sale_id, s.note, t.name FROM {WIDE} s FULL JOIN store t ON s.store_id = t.store_id",
     conf=NEVER, why="neither side can be built")
case("missed-broadcast", "negative", "wrong_side", f"SELECT s.sale_id, s.note, t.name FROM store t LEFT JOIN {WIDE} s ON s.store_id = t.store_id",
     conf=NEVER, why="a left join builds its right side only, and that is the large one")
case("missed-broadcast", "negative", "both_large", f"SELECT s.note, t.code FROM {WIDE} s JOIN sales t ON s.sale_id = t.sale_id", conf=NEVER)
case("missed-broadcast", "healed", "adaptive", STORES.format(s="sales", join="JOIN"), conf=LATE, why="AQE broadcast it")
case("missed-broadcast", "tiny", "both_small", STORES.format(s="tiny_sales", join="JOIN"), conf=NEVER, why="2,000 rows are not ten times 500 with names")

# ---- oversized-broadcast: planvet.toml has 8 MiB for a warning and 32 MiB for an error here.
SENT = "SELECT /*+ BROADCAST(b) */ a.sale_id FROM sales a JOIN {b} b ON a.sale_id = b.sale_id AND a.qty + 1 > b.qty"
case("oversized-broadcast", "positive", "hinted", SENT.format(b="(SELECT sale_id, qty, code FROM sales WHERE sale_id < 500000)"),
     ("warning", BROADCAST, ""), why="500,000 rows of the 2 columns that are used: 12 MB")
case("oversized-broadcast", "positive", "large", SENT.format(b="(SELECT sale_id, qty, code, day FROM sales WHERE sale_id < 1000000)"),
     ("warning", BROADCAST, ""), why="a million rows of the 2 columns that are used: 24 MB")
case("oversized-broadcast", "negative", "small", SENT.format(b="(SELECT sale_id, qty, code FROM sales WHERE sale_id < 100000)"), why="3.2 MB")
case("oversized-broadcast", "tiny", "pages", STORES.format(s="sales", join="JOIN"), why="500 rows in hash pages of megabytes")

# ---- exploding-join
KEYS = "SELECT a.id, b.id AS r FROM (SELECT id, id % {keys} AS k FROM range(0, {left}, 1, 4)) a {join} " \
       "(SELECT id, id % {keys} AS k FROM range(0, {right}, 1, 2)) b ON a.k = b.k"


def joined(left, right, keys, join="JOIN"):
    return KEYS.format(left=left, right=right, keys=keys, join=join)


case("exploding-join", "positive", "merge", joined(20000, 2000, 20), ("warning", MERGE, ""), conf=NEVER, why="2 million rows of 20,000")
case("exploding-join", "positive", "broadcast", joined(20000, 2000, 20), ("warning", HASH, ""), why="bare plans cannot count those")
case("exploding-join", "positive", "aggregated", f"SELECT count(*), max(r) FROM ({joined(20000, 2000, 20)})", ("warning", HASH, ""),
     why="nothing above the join keeps its rows")
case("exploding-join", "positive", "hundredfold", joined(30000, 5000, 1), ("error", HASH, ""), why="150 million rows of 30,000")
case("exploding-join", "negative", "one_to_many", STORES.format(s="sales", join="JOIN"), why="as many rows as sales")
case("exploding-join", "negative", "five_times", joined(300000, 2000, 400), why="1.5 million rows of 300,000")
case("exploding-join", "negative", "semi", joined(20000, 2000, 20, "LEFT SEMI JOIN").replace(", b.id AS r", ""), why="cannot make more rows")
case("exploding-join", "tiny", "thousands", joined(2000, 400, 20), why="40,000 rows")
