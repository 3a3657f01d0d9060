using System.Text.Json;
using Transfer.Plans;

namespace Transfer;

/// <summary>The contents of a plan: the file <c>plan.json</c> of the plan's folder, which is written last.</summary>
public sealed record PlanSummary
{
    /// <summary>The version of the format.</summary>
    public int Version { get; init; } = PlanHeader.CurrentVersion;

    /// <summary>The identity of the plan.</summary>
    public required string Id { get; init; }

    /// <summary>See <see cref="PlanHeader.Source"/>.</summary>
    public required string Source { get; init; }

    /// <summary>See <see cref="PlanHeader.Target"/>.</summary>
    public required string Target { get; init; }

    /// <summary>The number of parts; the last phase is none of them.</summary>
    public required int Parts { get; init; }

    /// <summary>The files and links to send.</summary>
    public long Files { get; init; }

    /// <summary>The bytes of the files, as listed.</summary>
    public long Bytes { get; init; }

    /// <summary>The empty folders to make, in the last phase.</summary>
    public long Directories { get; init; }

    /// <summary>The entries to delete, in the last phase.</summary>
    public long Deletions { get; init; }

    /// <summary>The entries that could not be planned.</summary>
    public long Failed { get; init; }

    /// <summary>Returns the JSON of the file, in one line.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, PlanJson.Default.PlanSummary);
}
