#!/usr/bin/env bash
# Makes the whole corpus again, one Spark after the other (about an hour on two cores).
#
#   setup_spark.sh [DIRECTORY] && PLANVET_SPARK_HOME=DIRECTORY make_corpus.sh
set -uo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export PLANVET_SPARK_HOME="${PLANVET_SPARK_HOME:-$HOME/.cache/planvet-spark}"
failed=0
run() { # version, then what run.py takes
  local version="$1"
  shift
  nice -n 5 "$PLANVET_SPARK_HOME/spark-$version/bin/python" "$here/run.py" "$@" || failed=1
}

# Every query in every mode by two versions; by the other two in formatted and simple mode.
run 3.5.9
run 4.3.0
run 4.1.4 --modes formatted simple
run 3.3.4 --modes formatted simple
for kind in hive delta iceberg comet; do
  run 3.5.9 --kind "$kind"
done
run 4.1.4 --kind comet
run 4.1.4 --kind hive --modes formatted simple
python3 "$here/coverage.py"
exit "$failed"
