#!/usr/bin/env python3
"""Writes a stored event log in every codec of Spark's, by Spark's own streams: the same log, so that answers can be compared.

    /path/spark-3.5.9/bin/python compress.py ../../eventlogs/spark-3.5.9/writes

Makes <case>/codecs/eventlog.{zstd,lz4,snappy,lzf}, flushed where Spark's writer flushes: after events about jobs and stages.
"""
import os
import subprocess
import sys


def main() -> int:
    case = os.path.abspath(sys.argv[1])
    plain = subprocess.run(["zstd", "-dcq", f"{case}/eventlog.zst"], stdout=subprocess.PIPE, check=True).stdout
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--driver-memory 512m pyspark-shell"
    from pyspark.java_gateway import launch_gateway

    gateway = launch_gateway()
    jvm = gateway.jvm
    os.makedirs(f"{case}/codecs", exist_ok=True)
    for name in ("zstd", "lz4", "snappy", "lzf"):
        codec = jvm.org.apache.spark.io.CompressionCodec.createCodec(jvm.org.apache.spark.SparkConf(False), name)
        file = jvm.java.io.FileOutputStream(f"{case}/codecs/eventlog.{name}")
        stream = jvm.java.io.BufferedOutputStream(codec.compressedContinuousOutputStream(file), 100 * 1024)
        for line in plain.splitlines(keepends=True):
            stream.write(bytearray(line))
            if not line.startswith((b'{"Event":"SparkListenerTask', b'{"Event":"org.apache')):
                stream.flush()
        stream.close()
        print(name, os.path.getsize(f"{case}/codecs/eventlog.{name}"), "bytes")
    gateway.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
