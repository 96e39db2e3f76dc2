"""One Spark session with a fixed configuration. A process has one JVM, so one session kind a process."""
import fcntl
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from . import neutral

SPARK_HOME = os.environ.get("PLANVET_SPARK_HOME", os.path.expanduser("~/.cache/planvet-spark"))

COMMON = {
    "spark.master": "local[2]",
    "spark.app.name": "planvet-corpus",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "16",
    "spark.sql.session.timeZone": "UTC",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
    "spark.sql.warehouse.dir": "{lake}/warehouse",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Duser.timezone=UTC -Dderby.system.home={scratch}",
}

COMET = {
    "spark.plugins": "org.apache.spark.CometPlugin",
    "spark.shuffle.manager": "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager",
    "spark.comet.enabled": "true",
    "spark.comet.exec.enabled": "true",
    "spark.comet.exec.shuffle.enabled": "true",
    "spark.memory.offHeap.enabled": "true",
    "spark.memory.offHeap.size": "1g",
    "spark.sql.extendedExplainProviders": "org.apache.comet.ExtendedExplainInfo",
}

# What each kind adds, and the jars it needs by the beginning of their names.
KINDS = {
    "core": ({"spark.sql.catalog.h2": "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog",
              "spark.sql.catalog.h2.url": "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1",
              "spark.sql.catalog.h2.driver": "org.h2.Driver",
              "spark.sql.catalog.h2.pushDownAggregate": "true",
              "spark.sql.catalog.h2.pushDownLimit": "true",
              "spark.sql.catalog.h2.pushDownOffset": "true"}, ["h2-"]),
    "hive": ({"spark.sql.catalogImplementation": "hive",
              "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:memory:metastore;create=true",
              "spark.sql.hive.metastorePartitionPruningFallbackOnException": "true",
              "spark.hadoop.hive.exec.scratchdir": "{scratch}/hive"}, []),
    "delta": ({"spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
               "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog"},
              ["delta-spark_", "delta-storage-"]),
    "iceberg": ({"spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
                 "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
                 "spark.sql.catalog.ice.type": "hadoop",
                 "spark.sql.catalog.ice.warehouse": "{lake}/iceberg"}, ["iceberg-spark-runtime-"]),
    "hudi": ({"spark.serializer": "org.apache.spark.serializer.KryoSerializer",
              "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
              "spark.sql.extensions": "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
              "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog"},
             ["hudi-spark{minor}-bundle_"]),
    "comet": (COMET, ["comet-spark-spark{minor}_"]),
}


class MissingJar(Exception):
    """A jar that setup_spark.sh could not fetch."""


def _jar(prefix: str) -> str:
    found = sorted(glob.glob(f"{SPARK_HOME}/jars/{prefix}*.jar"))
    if not found:
        raise MissingJar(f"no {prefix}*.jar in {SPARK_HOME}/jars: run setup_spark.sh")
    return found[-1]


def _take_lake(lake: str):
    """Of two sessions on one lake the second would delete what the first reads: it waits until that one has ended."""
    os.makedirs(os.path.dirname(lake), exist_ok=True)
    lock = open(f"{lake}.lock", "w")  # held until the process ends
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"{lake} is used by another run: waiting (PLANVET_LAKE names another)", file=sys.stderr, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def _empty_lake(lake: str) -> None:
    """Every session builds its own lake; a folder that is no lake of ours is left alone."""
    marker = f"{lake}/.planvet-lake"
    if os.path.exists(lake) and os.listdir(lake) and not os.path.exists(marker):
        raise FileExistsError(f"{lake} is not a lake made here: choose another by PLANVET_LAKE")
    shutil.rmtree(lake, ignore_errors=True)
    os.makedirs(f"{lake}/warehouse")
    open(marker, "w").close()


def _compile_java(scratch: str) -> str:
    """Compiles our Java functions (typed Dataset operations need real, serialisable classes)."""
    import pyspark

    classes = f"{scratch}/classes"
    os.makedirs(classes, exist_ok=True)
    sources = glob.glob(os.path.join(os.path.dirname(os.path.dirname(__file__)), "java", "*.java"))
    jars = os.path.join(os.path.dirname(pyspark.__file__), "jars", "*")
    if sources:
        subprocess.run(["javac", "-nowarn", "-proc:none", "-cp", jars, "-d", classes] + sources, check=True)
    return classes


def start(kind: str = "core", conf: dict | None = None):
    """Starts the session of a kind; `conf` is added last. Takes about six seconds."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", os.path.join(os.path.dirname(sys.executable), "python"))
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["TZ"] = "UTC"
    lake = neutral.lake_directory()
    lock = _take_lake(lake)
    _empty_lake(lake)
    scratch = tempfile.mkdtemp(prefix="planvet-spark-")
    os.makedirs(f"{scratch}/events")
    minor = ".".join(pyspark.__version__.split(".")[:2])

    settings, jar_prefixes = KINDS[kind]
    settings = dict(COMMON, **settings)
    settings["spark.eventLog.dir"] = f"file:{scratch}/events"
    jars = [_jar(prefix.format(minor=minor)) for prefix in jar_prefixes]
    if jars:
        settings["spark.jars"] = ",".join(jars)
    settings["spark.driver.extraClassPath"] = ":".join([_compile_java(scratch)] + jars)
    settings.update(conf or {})

    # Memory and class path must be known before the JVM starts.
    arguments = []
    for key, value in settings.items():
        arguments += ["--conf", f"{key}={value.format(lake=lake, scratch=scratch)}"]
    os.environ["PYSPARK_SUBMIT_ARGS"] = subprocess.list2cmdline(arguments) + " pyspark-shell"
    os.chdir(scratch)  # spark-warehouse, metastore_db, derby.log and the like stay out of the tree
    spark = SparkSession.builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.planvet_scratch = scratch
    spark.planvet_kind = kind
    spark.planvet_lake_lock = lock
    return spark


def stop(spark) -> str:
    """Stops the session; gives the path of its event log."""
    scratch = spark.planvet_scratch
    spark.stop()
    return sorted(glob.glob(f"{scratch}/events/*"))[0]


def set_name(kind: str, version: str) -> str:
    """The folder below corpus/ for what this kind of session makes: spark-3.5.9, delta-3.3.2-spark-3.5.9, .."""
    if kind == "core":
        return f"spark-{version}"
    if kind == "hive":
        return f"hive-spark-{version}"
    minor = ".".join(version.split(".")[:2])
    jar = os.path.basename(_jar(KINDS[kind][1][0].format(minor=minor)))
    return f"{kind}-{jar.rsplit('-', 1)[1].removesuffix('.jar')}-spark-{version}"
