"""unbounded-state: plans of streams, as explain prints them before they start."""
from spark_corpus.neutral import lake_directory
from spark_corpus.rule_case import case

SCHEMA = "event_id long, user_id int, page string, at timestamp, ms int"


def events(spark, watermark=True):
    stream = spark.readStream.schema(SCHEMA).json(f"{lake_directory()}/retail/event/*")
    return stream.withWatermark("at", "10 minutes") if watermark else stream


def window(size="5 minutes"):
    from pyspark.sql.functions import window
    return window("at", size)


def session_window():
    from pyspark.sql.functions import session_window
    return session_window("at", "2 minutes")


def joined(spark, left_watermark, right_watermark, condition, how="inner"):
    from pyspark.sql.functions import expr
    left = events(spark, left_watermark).selectExpr("user_id AS left_user", "at AS left_at", "page")
    right = events(spark, right_watermark).selectExpr("user_id AS right_user", "at AS right_at", "ms")
    return left.join(right, expr(condition), how)


BOUND = "left_user = right_user AND right_at BETWEEN left_at AND left_at + INTERVAL 5 MINUTES"
TOTAL = "user_id int, total long"


def pandas_state(spark, watermark, timeout):
    from pyspark.sql.streaming.state import GroupStateTimeout

    def count(key, groups, state):
        yield from ()
    return events(spark, watermark).groupBy("user_id").applyInPandasWithState(count, TOTAL, "total long", "update", getattr(GroupStateTimeout, timeout))


def unbounded(name, frame, severity, kind, reason, **more):
    case("unbounded-state", "positive", name, frame, (severity, kind, reason), **more)


def bounded(kind, name, frame, why, **more):
    case("unbounded-state", kind, name, frame, why=why, **more)


unbounded("window_without_watermark", lambda spark: events(spark, False).groupBy(window(), "page").count(), "warning", "StateStoreSave", "no-watermark")
unbounded("timestamp_key_without_watermark", lambda spark: events(spark, False).groupBy("at").count(), "info", "StateStoreSave", "no-time-key",
          why="a stream that has not started prints no types: nothing says that `at` is a timestamp")
unbounded("session_without_watermark", lambda spark: events(spark, False).groupBy(session_window(), "user_id").count(), "warning", "SessionWindowStateStoreSave", "no-watermark")
unbounded("deduplicate_without_watermark", lambda spark: events(spark, False).dropDuplicates(["user_id", "at"]), "warning", "StreamingDeduplicate", "no-watermark")
unbounded("deduplicate_by_key_only", lambda spark: events(spark).dropDuplicates(["event_id"]), "warning", "StreamingDeduplicate", "no-time-key",
          why="the watermark's column is no key: nothing ever leaves the state")
unbounded("join_without_watermark", lambda spark: joined(spark, False, False, "left_user = right_user"), "warning", "StreamingSymmetricHashJoin", "no-watermark")
unbounded("join_without_bound", lambda spark: joined(spark, True, True, "left_user = right_user"), "warning", "StreamingSymmetricHashJoin", "no-time-bound")
unbounded("join_one_watermark", lambda spark: joined(spark, True, False, BOUND), "warning", "StreamingSymmetricHashJoin", "no-watermark")
unbounded("page_key", lambda spark: events(spark, False).groupBy("page").count(), "info", "StateStoreSave", "no-time-key", why="pages may be few")
unbounded("page_key_with_watermark", lambda spark: events(spark).groupBy("page").count(), "info", "StateStoreSave", "no-time-key")
unbounded("simple_mode", lambda spark: events(spark, False).dropDuplicates(["event_id"]), "warning", "StreamingDeduplicate", "no-watermark", mode="simple")
unbounded("group_state", lambda spark: pandas_state(spark, False, "NoTimeout"), "info", "FlatMapGroupsInPandasWithState", "no-timeout",
          why="the function may remove state by itself")

bounded("negative", "window", lambda spark: events(spark).groupBy(window(), "page").count(), "watermark and window")
bounded("negative", "timestamp_key", lambda spark: events(spark).groupBy("at", "page").count(), "watermark, and its column is a key")
bounded("negative", "session", lambda spark: events(spark).groupBy(session_window(), "user_id").count(), "watermark and session")
bounded("negative", "deduplicate", lambda spark: events(spark).dropDuplicates(["user_id", "at"]), "watermark, and its column is a key")
bounded("negative", "deduplicate_within_watermark", lambda spark: events(spark).dropDuplicatesWithinWatermark(["user_id"]), "bounded by what it is")
bounded("negative", "join", lambda spark: joined(spark, True, True, BOUND), "both watermarks and a bound")
bounded("negative", "join_left", lambda spark: joined(spark, True, True, BOUND, "leftOuter"), "both watermarks and a bound")
bounded("negative", "join_on_time", lambda spark: joined(spark, True, True, "left_user = right_user AND left_at = right_at"), "the time is a key of both sides")
bounded("negative", "total", lambda spark: events(spark, False).groupBy().count(), "one row of state")
bounded("negative", "remainder_key", lambda spark: events(spark, False).selectExpr("event_id % 10 AS k").groupBy("k").count(), "ten keys at most")
bounded("negative", "hour_key", lambda spark: events(spark, False).selectExpr("hour(at) AS h", "ms > 50 AS slow").groupBy("h", "slow").count(), "48 keys at most")
bounded("negative", "limit", lambda spark: events(spark, False).select("event_id").limit(7), "a counter")
bounded("negative", "stateless", lambda spark: events(spark, False).where("ms > 50").select("page"), "no state")
bounded("negative", "static_join", lambda spark: events(spark, False).join(spark.table("retail.store").withColumnRenamed("store_id", "user_id"), "user_id").select("page", "region"), "a table keeps no state")
bounded("negative", "group_state_with_timeout", lambda spark: pandas_state(spark, True, "EventTimeTimeout"), "a timeout")
bounded("negative", "batch", "SELECT store_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id", "no stream")
bounded("tiny", "flag_key", lambda spark: events(spark, False).selectExpr("ms > 50 AS slow").groupBy("slow").count(), "three keys at most")
bounded("healed", "daily_key", lambda spark: events(spark).groupBy(window("1 day")).count(), "a watermark: Spark drops what is past it")
