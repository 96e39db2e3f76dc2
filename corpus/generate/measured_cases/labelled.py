"""What a labelled case of a measured rule is, and the tables that the cases read."""
import dataclasses

_cases: list["Case"] = []


@dataclasses.dataclass
class Case:
    rule: str
    kind: str        # positive | negative | healed | tiny
    name: str
    query: object    # SQL, whose rows go nowhere; or a function (spark, place) that runs one query
    expected: tuple  # of (severity, operator kind, reasons); empty: the rule must be silent
    conf: dict
    why: str         # why the label is what it is
    application: str  # that runs it: see APPLICATIONS

    @property
    def label(self) -> str:
        return f"{self.kind}-{self.name}"


# Each has an event log of its own: spark-<version>.zst, spark-<version>-<application>.zst. Versions: of those that run it;
# jars: beginnings of names, as of the applications in eventlog/.
APPLICATIONS = {
    "measured": {"versions": (), "jars": (), "conf": {}},
    "more": {"versions": (), "jars": (), "conf": {}},
    "comet": {"versions": ("3.5", "4.1"), "jars": ("comet-spark-spark{minor}_",), "conf": {
        "spark.plugins": "org.apache.spark.CometPlugin",
        "spark.shuffle.manager": "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager",
        "spark.comet.enabled": "true", "spark.comet.exec.enabled": "true", "spark.comet.exec.shuffle.enabled": "true",
        "spark.memory.offHeap.enabled": "true", "spark.memory.offHeap.size": "1g"}},
}


def case(rule, kind, name, query, *expected, conf=None, why="", application="measured"):
    if any(item.rule == rule and item.label == f"{kind}-{name}" for item in _cases):
        raise ValueError(f"two cases of {rule} are called {kind}-{name}")
    _cases.append(Case(rule, kind, name, query, expected, conf or {}, why, application))


def cases() -> list[Case]:
    return list(_cases)


def build_data(spark, place) -> None:
    """sales: 2 million rows in 8 files; tiny_sales: 2,000; store: 500; daily: 40 partitions; csv: text; many: 130 files."""
    sales = spark.range(0, 2000000, 1, 8).selectExpr(
        "id AS sale_id", "id % 500 AS store_id", "cast(id % 1000 AS int) AS qty",
        "date_add(date'2020-01-01', cast(id % 1800 AS int)) AS day", "hash(id) AS code",
        "array(hash(id, 1), hash(id, 2), hash(id, 3), hash(id, 4), hash(id, 5), hash(id, 6)) AS tags")
    sales.write.parquet(f"{place.data}/sales")
    sales.limit(2000).coalesce(1).write.parquet(f"{place.data}/tiny_sales")
    spark.range(0, 500, 1, 1).selectExpr("id AS store_id", "concat('store ', id) AS name").write.parquet(f"{place.data}/store")
    sales.selectExpr("sale_id", "code", "store_id % 40 AS dt").repartition(4, "dt").write.partitionBy("dt").parquet(f"{place.data}/daily")
    sales.limit(8000).selectExpr("sale_id", "code", "store_id % 40 AS dt").repartition(1).write.partitionBy("dt") \
        .parquet(f"{place.data}/tiny_daily")
    sales.selectExpr("sale_id", "store_id", "qty", "code").repartition(4).write.csv(f"{place.data}/text")
    sales.limit(2000).selectExpr("sale_id", "store_id").coalesce(1).write.csv(f"{place.data}/tiny_text")
    spark.range(0, 130000, 1, 130).selectExpr("id", "hash(id) AS code").write.parquet(f"{place.data}/many")


def tables(spark, place) -> None:
    """Views by name; each is an execution of its own in the log."""
    for name in ("sales", "tiny_sales", "store", "daily", "tiny_daily", "many"):
        spark.read.parquet(f"{place.data}/{name}").createOrReplaceTempView(name)
    schema = "sale_id bigint, store_id bigint, qty int, code int"
    spark.read.schema(schema).csv(f"{place.data}/text").createOrReplaceTempView("text_sales")
    spark.read.schema("sale_id bigint, store_id bigint").csv(f"{place.data}/tiny_text").createOrReplaceTempView("tiny_text")
