"""Runs real Spark on small data and writes down what it says about its plans.

    session   one Spark session with a fixed configuration, by kind (core, hive, delta, iceberg, hudi, comet)
    lake      the retail test data, built by the Spark version that reads it
    capture   one query execution in every explain mode, with the JVM's own plan tree, before and after it ran
    query     what a corpus query is, and the list of them
    neutral   machine paths made neutral
    events    plan events as they stand in the session's event log
"""
