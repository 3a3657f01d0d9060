using Npgsql;

namespace Transfer.Fleet;

/// <summary>
/// Plans and their steps in the database. Each change is one statement or one transaction, and holds or not, whatever dies.
/// </summary>
/// <param name="source">The database.</param>
internal sealed class FleetStore(NpgsqlDataSource source)
{
    /// <summary>Makes the tables unless they are there.</summary>
    public async Task CreateTablesAsync(CancellationToken ct = default)
    {
        await using var command = source.CreateCommand(FleetSchema.Create);
        await command.ExecuteNonQueryAsync(ct);
    }

    /// <summary>Adds a plan with its planning; false: there is one of that name.</summary>
    public Task<bool> AddPlanAsync(PlanRequest request, CancellationToken ct) => ChangesAsync("""
        WITH added AS (
            INSERT INTO fleet_plans (name, source, target, parts, deletes, max_delete) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT DO NOTHING RETURNING name)
        INSERT INTO fleet_parts (plan, part, state) SELECT name, 'plan', 'Queued' FROM added
        """, ct, request.Name, request.From, request.To, request.Parts, request.Delete, (object?)request.MaxDelete ?? DBNull.Value);

    /// <summary>
    /// Notes that a run begins: it is the last one from now on, and the outcome of an earlier one that goes on unseen does not count.
    /// False: the step is done, and nothing is left to do.
    /// </summary>
    public Task<bool> BeginAsync(string plan, string part, string worker, string firing, CancellationToken ct) => ChangesAsync("""
        UPDATE fleet_parts SET state = 'Running', attempts = attempts + 1, worker = $3, firing = $4, error = NULL, message = NULL
        WHERE plan = $1 AND part = $2 AND state <> 'Done'
        """, ct, plan, part, worker, firing);

    /// <summary>Notes that the last run has failed as a whole, or is in line again. What earlier runs sent stays.</summary>
    public Task<bool> EndAsync(string plan, string part, string firing, PartState state, Exception? error, CancellationToken ct) =>
        ChangesAsync("""
            UPDATE fleet_parts SET state = $4, error = $5, message = $6 WHERE plan = $1 AND part = $2 AND firing = $3
            """, ct, plan, part, firing, state.ToString(),
            error switch { null => DBNull.Value, TransferException e => e.Error.ToString(), _ => error.GetType().Name },
            (object?)error?.Message ?? DBNull.Value);

    /// <summary>Notes the end of the last run, with its outcome.</summary>
    public Task<bool> EndAsync(string plan, string part, string firing, PartState state, PartOutcome outcome, CancellationToken ct) =>
        ChangesAsync("""
            UPDATE fleet_parts SET state = $4, error = $5, message = $6, files = $7, bytes = $8, confirmed = $9, deleted = $10,
                failed = $11, seconds = $12
            WHERE plan = $1 AND part = $2 AND firing = $3
            """, ct, plan, part, firing, state.ToString(), (object?)outcome.Error ?? DBNull.Value, (object?)outcome.Message ?? DBNull.Value,
            outcome.Files, outcome.Bytes, outcome.Confirmed, outcome.Deleted, outcome.Failed, outcome.Seconds);

    /// <summary>Notes that a step is in line again; false: it is done, or waits for others.</summary>
    public Task<bool> QueueAsync(string plan, string part, CancellationToken ct) => ChangesAsync(
        "UPDATE fleet_parts SET state = 'Queued' WHERE plan = $1 AND part = $2 AND state NOT IN ('Done', 'Open')", ct, plan, part);

    /// <summary>
    /// Notes that the last phase is in line; false: a part is not done, or the last phase has begun. A worker that dies between this and
    /// the queue finds the phase in line again, when its part is recovered.
    /// </summary>
    public Task<bool> QueueFinalAsync(string plan, CancellationToken ct) => ChangesAsync("""
        UPDATE fleet_parts SET state = 'Queued' WHERE plan = $1 AND part = 'final' AND state IN ('Open', 'Queued')
            AND NOT EXISTS (SELECT FROM fleet_parts others WHERE others.plan = $1 AND others.part <> 'final' AND others.state <> 'Done')
        """, ct, plan);

    /// <summary>Makes a plan the one that is applied, with its parts in line; false: another run has planned before.</summary>
    /// <param name="plan">The plan's name.</param>
    /// <param name="folder">The folder of the manifests.</param>
    /// <param name="summary">The summary.</param>
    /// <param name="ct">Cancels.</param>
    public Task<bool> SetFolderAsync(string plan, string folder, PlanSummary summary, CancellationToken ct) => ChangesAsync("""
        WITH planned AS (
            UPDATE fleet_plans SET folder = $2, files = $3, bytes = $4, deletions = $5, failed = $6
            WHERE name = $1 AND folder IS NULL RETURNING name)
        INSERT INTO fleet_parts (plan, part, state) SELECT name, part, CASE part WHEN 'final' THEN 'Open' ELSE 'Queued' END
            FROM planned CROSS JOIN unnest($7) AS part
        """, ct, plan, folder, summary.Files, summary.Bytes, summary.Deletions, summary.Failed,
        Enumerable.Range(0, summary.Parts).Select(PartKeys.OfPart).Append(PartKeys.Final).ToArray());

    /// <summary>Reads a plan.</summary>
    public async Task<FleetPlan?> FindPlanAsync(string name, CancellationToken ct) =>
        await ReadPlansAsync("WHERE name = $1", ct, name) is [var plan, ..] ? plan : null;

    /// <summary>Reads all plans, the newest first.</summary>
    public Task<List<FleetPlan>> ReadPlansAsync(CancellationToken ct) => ReadPlansAsync("ORDER BY submitted DESC, name", ct);

    /// <summary>Reads the steps of a plan or, with null, of all: the planning, the parts, the last phase.</summary>
    public async Task<List<FleetPart>> ReadPartsAsync(string? plan, CancellationToken ct)
    {
        await using var command = Command("""
            SELECT plan, part, state, attempts, worker, firing, error, message, files, bytes, confirmed, deleted, failed, seconds
            FROM fleet_parts WHERE $1 IS NULL OR plan = $1 ORDER BY plan, part = 'final', part <> 'plan', part
            """, new NpgsqlParameter<string?> { TypedValue = plan });
        var parts = new List<FleetPart>();
        await using var reader = await command.ExecuteReaderAsync(ct);
        while (await reader.ReadAsync(ct))
        {
            parts.Add(new(
                reader.GetString(0), reader.GetString(1), Enum.Parse<PartState>(reader.GetString(2)), reader.GetInt32(3), Text(reader, 4),
                Text(reader, 5), new()
                {
                    Error = Text(reader, 6),
                    Message = Text(reader, 7),
                    Files = reader.GetInt64(8),
                    Bytes = reader.GetInt64(9),
                    Confirmed = reader.GetInt64(10),
                    Deleted = reader.GetInt64(11),
                    Failed = reader.GetInt64(12),
                    Seconds = reader.GetDouble(13),
                }));
        }
        return parts;
    }

    private async Task<List<FleetPlan>> ReadPlansAsync(string which, CancellationToken ct, params object[] values)
    {
        await using var command = Command($"""
            SELECT name, source, target, parts, deletes, max_delete, submitted, folder, files, bytes, deletions, failed
            FROM fleet_plans {which}
            """, values);
        var plans = new List<FleetPlan>();
        await using var reader = await command.ExecuteReaderAsync(ct);
        while (await reader.ReadAsync(ct))
        {
            plans.Add(new(
                reader.GetString(0), Place(reader, 1), Place(reader, 2), reader.GetInt32(3), reader.GetBoolean(4),
                reader.IsDBNull(5) ? null : reader.GetInt64(5), reader.GetFieldValue<DateTimeOffset>(6), Text(reader, 7),
                reader.GetInt64(8), reader.GetInt64(9), reader.GetInt64(10), reader.GetInt64(11)));
        }
        return plans;
    }

    private async Task<bool> ChangesAsync(string statement, CancellationToken ct, params object[] values)
    {
        await using var command = Command(statement, values);
        return await command.ExecuteNonQueryAsync(ct) > 0;
    }

    private NpgsqlCommand Command(string statement, params object[] values)
    {
        var command = source.CreateCommand(statement);
        foreach (var value in values) command.Parameters.Add(value as NpgsqlParameter ?? new NpgsqlParameter { Value = value });
        return command;
    }

    private static string? Text(NpgsqlDataReader reader, int column) => reader.IsDBNull(column) ? null : reader.GetString(column);

    private static FleetPlace Place(NpgsqlDataReader reader, int column) => FleetPlace.TryParse(reader.GetString(column), out var place)
        ? place : throw new InvalidOperationException($"fleet_plans: {reader.GetString(column)} is not {FleetPlace.Form}.");
}
