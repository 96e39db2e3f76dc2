"""One application: a Spark context of its own, so that its event log holds nothing else. And the data that all share."""
import dataclasses
import glob
import importlib
import os
import pkgutil
import shutil
import sys
from typing import Callable

COMMON = {
    "spark.master": "local[2,3]",  # a task may fail twice
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.session.timeZone": "UTC",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Duser.timezone=UTC"
# Where jars of other engines are: the folder that setup_spark.sh made.
SPARK_HOME = os.environ.get("PLANVET_SPARK_HOME", os.path.expanduser("~/.cache/planvet-spark"))

_applications: list["Application"] = []


@dataclasses.dataclass
class Application:
    name: str
    covers: str        # one line: what it is here for
    conf: dict         # what differs from COMMON
    versions: tuple    # minor versions that run it; empty: all
    is_alone: bool     # needs a JVM of its own: other jars, another master, or it does not survive
    jars: tuple        # beginnings of the names of the jars that it needs; {minor}: 3.5
    has_workers: bool  # on two standalone workers, which have two addresses
    is_compacted: bool  # its log goes through a History Server that drops what has ended
    function: Callable

    def runs_on(self, version: str) -> bool:
        return not self.versions or version.rsplit(".", 1)[0] in self.versions


def case(covers: str, conf: dict | None = None, versions: tuple = (), is_alone: bool = False, jars: tuple = (),
         has_workers: bool = False, is_compacted: bool = False):
    """Decorates a function (spark, place): what one application does."""
    def add(function):
        if any(item.name == function.__name__ for item in _applications):
            raise ValueError(f"two applications are called {function.__name__}")
        _applications.append(Application(function.__name__, covers, conf or {}, versions,
                                         is_alone or bool(jars) or has_workers, jars, has_workers, is_compacted,
                                         function))
        return function
    return add


def load(directory: str) -> list[Application]:
    for module in sorted(name for _, name, _ in pkgutil.iter_modules([directory])):
        importlib.import_module(f"{os.path.basename(directory)}.{module}")
    return list(_applications)


@dataclasses.dataclass
class Place:
    """Where data and logs stand while the applications run."""
    root: str

    @property
    def data(self):
        return f"{self.root}/data"

    @property
    def output(self):
        return f"{self.root}/output"

    @property
    def code(self):
        return f"{self.root}/code"

    def python(self, version: str) -> str:
        return f"{self.root}/spark-{version}/bin/python"

    def logs(self, name: str):
        return f"{self.root}/logs/{name}"

    @staticmethod
    def of_environment() -> "Place":
        return Place(os.environ.get("PLANVET_EVENTLOG_DATA", "/tmp/planvet-eventlog"))

    def empty(self) -> None:
        """Empties the folder; one that is not ours is left alone."""
        marker = f"{self.root}/.planvet-eventlog"
        if os.path.exists(self.root) and os.listdir(self.root) and not os.path.exists(marker):
            raise FileExistsError(f"{self.root} was not made here: choose another by PLANVET_EVENTLOG_DATA")
        shutil.rmtree(self.root, ignore_errors=True)
        for folder in ("data", "logs", "output"):
            os.makedirs(f"{self.root}/{folder}")
        open(marker, "w").close()

    def bring(self, code: str, version: str) -> None:
        """Spark and code at neutral places. Links to folders would not do: Spark names the files behind them."""
        shutil.copytree(code, self.code, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(sys.prefix, f"{self.root}/spark-{version}", symlinks=True, copy_function=link_or_copy)

    def bring_jar(self, jar: str) -> str:
        target = f"{self.root}/jars/{os.path.basename(jar)}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target):
            link_or_copy(jar, target)
        return target


def link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def find_jar(prefix: str, version: str) -> str:
    prefix = prefix.format(minor=version.rsplit(".", 1)[0])
    found = sorted(glob.glob(f"{SPARK_HOME}/jars/{prefix}*.jar"))
    if not found:
        raise FileNotFoundError(f"no {prefix}*.jar in {SPARK_HOME}/jars: run setup_spark.sh")
    return found[-1]


def start(name: str, place: Place, conf: dict, jars: list[str]):
    """A context with this configuration. All of one process share a JVM, so memory and class path are fixed."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["TZ"] = "UTC"
    class_path = f"--driver-class-path {':'.join(jars)} --conf spark.executor.extraClassPath={':'.join(jars)} " if jars else ""
    os.environ["PYSPARK_SUBMIT_ARGS"] = (
        f'--driver-memory 1g {class_path}--driver-java-options "{JAVA_OPTIONS}" pyspark-shell')
    os.chdir(place.root)
    builder = SparkSession.builder.appName(name)
    settings = {**COMMON, "spark.eventLog.dir": f"file:{place.logs(name)}",
                "spark.sql.warehouse.dir": f"{place.output}/warehouse-{name}", **conf}
    for key, value in settings.items():
        builder = builder.config(key, value.format(output=place.output))
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def run(item: Application, place: Place, conf: dict) -> None:
    """Leaves its event log as the only thing in place.logs(name)."""
    import pyspark

    os.makedirs(place.logs(item.name))
    jars = [place.bring_jar(find_jar(prefix, pyspark.__version__)) for prefix in item.jars]
    spark = start(item.name, place, {**item.conf, **conf}, jars)
    try:
        item.function(spark, place)
    finally:
        spark.stop()


def build_data(place: Place) -> None:
    """Tables as Parquet files: sales (60,000 rows, 4 files), product (500), returns (skewed: one product has half)."""
    spark = start("data", place, {"spark.eventLog.enabled": "false"}, [])
    spark.range(0, 60000, 1, 4).selectExpr(
        "id AS sale_id", "id % 500 AS product_id", "id % 20 AS store_id", "cast(id % 7 AS int) AS qty",
        "date_add(date'2024-01-01', cast(id % 30 AS int)) AS day").write.parquet(f"{place.data}/sales")
    spark.range(0, 500, 1, 1).selectExpr(
        "id AS product_id", "concat('product ', id) AS name", "id % 10 AS category_id",
        "cast(id AS double) / 3 AS price").write.parquet(f"{place.data}/product")
    spark.range(0, 40000, 1, 4).selectExpr(
        "CASE WHEN id % 2 = 0 THEN 7 ELSE id % 500 END AS product_id", "id % 11 AS reason_id",
        "repeat(cast(uuid() AS string), 2) AS note").write.parquet(f"{place.data}/returns")
    spark.range(0, 6000, 1, 1).selectExpr("id AS sale_id", "id % 30 AS d", "id % 9 AS qty").repartition(2, "d").write \
        .partitionBy("d").parquet(f"{place.data}/daily")
    spark.stop()


def tables(spark, place: Place) -> None:
    """The data as temporary views; each is an execution of its own in the log."""
    for name in ("sales", "product", "returns", "daily"):
        spark.read.parquet(f"{place.data}/{name}").createOrReplaceTempView(name)
