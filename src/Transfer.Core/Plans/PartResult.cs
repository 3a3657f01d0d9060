using System.Text.Json;
using System.Text.Json.Serialization;
using Transfer.Plans;

namespace Transfer;

/// <summary>
/// The outcome of a part of a plan: the file beside the manifest. What was sent is the sum of all runs that have ended; the rest is of the
/// last one.
/// </summary>
public sealed record PartResult
{
    /// <summary>The most failures kept in <see cref="Failures"/>.</summary>
    public const int MaxFailures = 100;

    /// <summary>The version of the format.</summary>
    public int Version { get; init; } = PlanHeader.CurrentVersion;

    /// <summary>The identity of the plan.</summary>
    public required string Plan { get; init; }

    /// <summary>The number of the part.</summary>
    public int Part { get; init; }

    /// <summary>Whether this is the last phase.</summary>
    public bool IsFinal { get; init; }

    /// <summary>The name of the machine of the last run.</summary>
    public string Host { get; init; } = string.Empty;

    /// <summary>The end of the last run.</summary>
    public DateTimeOffset Ended { get; init; }

    /// <summary>The runs that have ended; a run that was killed or interrupted leaves no result.</summary>
    public int Runs { get; init; }

    /// <summary>The items of the manifest.</summary>
    public long Items { get; init; }

    /// <summary>Files and links that were sent, in all runs.</summary>
    public long Files { get; init; }

    /// <summary>Bytes of those.</summary>
    public long Bytes { get; init; }

    /// <summary>Items that were at the target already.</summary>
    public long Unchanged { get; init; }

    /// <summary>Entries that were deleted, in all runs.</summary>
    public long Deleted { get; init; }

    /// <summary>Entries of the last phase that were not deleted, because files had failed.</summary>
    public long NotDeleted { get; init; }

    /// <summary>Items that failed.</summary>
    public long Failed { get; init; }

    /// <summary>Files among these that were to be sent: while there are any, the last phase deletes nothing.</summary>
    public long Lost { get; init; }

    /// <summary>Files that were put in line again after their session was lost.</summary>
    public int Retries { get; init; }

    /// <summary>The most sessions at once.</summary>
    public int Sessions { get; init; }

    /// <summary>The time of all runs.</summary>
    public double Seconds { get; init; }

    /// <summary>Why the part ended as a whole; null: each item was tried.</summary>
    public string? Error { get; init; }

    /// <summary>The first failures.</summary>
    public IReadOnlyList<PartFailure> Failures { get; init; } = [];

    /// <summary>
    /// Whether each item was tried, and each file that was to be sent is at the target; in the last phase, whether nothing was held back.
    /// </summary>
    [JsonIgnore]
    public bool IsDone => Error is null && Lost == 0 && NotDeleted == 0;

    /// <summary>Reads a result; null: there is none.</summary>
    /// <param name="path">The file: <see cref="PlanManifest.ResultPath"/>.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">The file is torn, of another version, or cannot be read.</exception>
    public static async Task<PartResult?> ReadAsync(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (await PlanFiles.ReadAsync(path, cancellationToken).ConfigureAwait(false) is not { } json) return null;
        var result = PlanFiles.Parse(path, () => JsonSerializer.Deserialize(json, PlanJson.Default.PartResult));
        PlanFiles.CheckVersion(path, result.Version);
        return result;
    }

    internal void Write(string path) => PlanFiles.Write(path, JsonSerializer.SerializeToUtf8Bytes(this, PlanJson.Default.PartResult));
}
