namespace Transfer.Fleet;

/// <summary>The tables of plans and their steps, beside those of Quartz.</summary>
internal static class FleetSchema
{
    /// <summary>
    /// Makes the tables, once for all workers that start at the same time: hence the lock, which ends with the transaction.
    /// </summary>
    public const string Create = """
        BEGIN;
        SELECT pg_advisory_xact_lock(7236278465129);
        CREATE TABLE IF NOT EXISTS fleet_plans (
            name text PRIMARY KEY,
            source text NOT NULL,
            target text NOT NULL,
            parts integer NOT NULL,
            deletes boolean NOT NULL,
            max_delete bigint,
            submitted timestamptz NOT NULL DEFAULT now(),
            folder text,
            files bigint NOT NULL DEFAULT 0,
            bytes bigint NOT NULL DEFAULT 0,
            deletions bigint NOT NULL DEFAULT 0,
            failed bigint NOT NULL DEFAULT 0);
        CREATE TABLE IF NOT EXISTS fleet_parts (
            plan text NOT NULL REFERENCES fleet_plans,
            part text NOT NULL,
            state text NOT NULL,
            attempts integer NOT NULL DEFAULT 0,
            worker text,
            firing text,
            error text,
            message text,
            files bigint NOT NULL DEFAULT 0,
            bytes bigint NOT NULL DEFAULT 0,
            confirmed bigint NOT NULL DEFAULT 0,
            deleted bigint NOT NULL DEFAULT 0,
            failed bigint NOT NULL DEFAULT 0,
            seconds double precision NOT NULL DEFAULT 0,
            PRIMARY KEY (plan, part));
        COMMIT;
        """;
}
