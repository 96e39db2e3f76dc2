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

# Every query in every mode by two versions; by the other two in formatted and simple mode, and few streams.
run 3.5.9
run 4.3.0
subjects="joins adaptive aggregates subqueries windows scans writes filters nasty python typed"
streams="stream_aggregate_append stream_join stream_deduplicate stream_stateless stream_sessions stream_transform_with_state"
for version in 4.1.4 3.3.4; do
  # shellcheck disable=SC2086
  run "$version" --modes formatted simple --subject $subjects
  # shellcheck disable=SC2086
  run "$version" --modes formatted simple --only $streams
done
for kind in hive delta iceberg comet; do
  run 3.5.9 --kind "$kind"
done
run 4.1.4 --kind comet
python3 "$here/coverage.py"
exit "$failed"
