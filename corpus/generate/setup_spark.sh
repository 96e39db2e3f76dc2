#!/usr/bin/env bash
# Makes one virtual environment per Spark version that the corpus uses, and fetches the jars of the
# table formats and engines that some queries need.
#
#   setup_spark.sh [DIRECTORY]      (or PLANVET_SPARK_HOME; default: ~/.cache/planvet-spark)
#   SPARK_VERSIONS="3.5.9 4.1.4" setup_spark.sh    to make fewer
#
# Needs python3 (3.11), a Java 17 for Spark itself and Maven for the jars. Nothing here is needed to
# build or to use planvet. A second run only adds what is missing.
set -euo pipefail

directory="${1:-${PLANVET_SPARK_HOME:-$HOME/.cache/planvet-spark}}"
versions="${SPARK_VERSIONS:-3.5.9 3.3.4 4.1.4 4.3.0}"
mkdir -p "$directory"

for version in $versions; do
  environment="$directory/spark-$version"
  if [ ! -x "$environment/bin/python" ] || ! "$environment/bin/python" -c 'import pyspark' 2>/dev/null; then
    python3 -m venv "$environment"
    # protobuf is what transformWithState of 4.x speaks with its Python worker.
    "$environment/bin/pip" install --quiet "pyspark==$version" 'numpy<2' 'pandas<2.3' 'pyarrow<21' protobuf setuptools
  fi
  # The cloudpickle inside of PySpark before 3.4 cannot pickle functions of Python 3.11.
  case "$version" in
    3.2.* | 3.3.*)
      "$environment/bin/pip" install --quiet 'pandas<2' cloudpickle
      cloudpickle="$("$environment/bin/python" -c 'import pyspark, os; print(os.path.dirname(pyspark.__file__))')/cloudpickle"
      printf 'from cloudpickle import *\nfrom cloudpickle import CloudPickler, Pickler, dumps, loads\n' >"$cloudpickle/__init__.py"
      printf 'from cloudpickle.cloudpickle import *\n' >"$cloudpickle/cloudpickle.py"
      printf 'from cloudpickle import CloudPickler, Pickler, dumps, dump\n' >"$cloudpickle/cloudpickle_fast.py"
      ;;
  esac
done

# group:artifact:version; PySpark brings none of these.
jars="
io.delta:delta-spark_2.12:3.3.2
io.delta:delta-storage:3.3.2
org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.9.2
org.apache.hudi:hudi-spark3.5-bundle_2.12:1.0.2
org.apache.datafusion:comet-spark-spark3.5_2.12:0.12.0
org.apache.datafusion:comet-spark-spark4.1_2.13:1.2.0
com.h2database:h2:2.2.224
"
mkdir -p "$directory/jars"
for coordinate in $jars; do
  artifact="$(echo "$coordinate" | cut -d: -f2)"
  version="$(echo "$coordinate" | cut -d: -f3)"
  if [ ! -s "$directory/jars/$artifact-$version.jar" ]; then
    mvn --quiet dependency:copy -Dartifact="$coordinate" -DoutputDirectory="$directory/jars" -Dmdep.useBaseVersion=true ||
      echo "setup_spark.sh: $coordinate cannot be had; its queries will be skipped" >&2
  fi
done
ls -1 "$directory" "$directory/jars"
