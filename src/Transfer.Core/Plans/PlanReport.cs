namespace Transfer;

/// <summary>The state of a plan: the sum of the results that are there.</summary>
public sealed record PlanReport
{
    /// <summary>The plan.</summary>
    public required PlanSummary Plan { get; init; }

    /// <summary>The results of the parts that have one, in order.</summary>
    public required IReadOnlyList<PartResult> Parts { get; init; }

    /// <summary>The result of the last phase; null: none yet.</summary>
    public PartResult? Final { get; init; }

    /// <summary>All results that are there: those of the parts, and behind them that of the last phase.</summary>
    public IEnumerable<PartResult> Results => Final is null ? Parts : Parts.Append(Final);

    /// <summary>The number of parts that are done; see <see cref="PartResult.IsDone"/>.</summary>
    public int Done => Parts.Count(part => part.IsDone);

    /// <summary>The numbers of the parts that are to be applied, for the first time or again.</summary>
    public IEnumerable<int> Open => Enumerable.Range(0, Plan.Parts).Except(Parts.Where(part => part.IsDone).Select(part => part.Part));

    /// <summary>Whether all parts and the last phase are done.</summary>
    public bool IsDone => Done == Plan.Parts && Final is { IsDone: true, Failed: 0 };

    /// <summary>Files and links that were sent.</summary>
    public long Files => Results.Sum(part => part.Files);

    /// <summary>Bytes of those.</summary>
    public long Bytes => LengthSum.Of(Results.Select(part => part.Bytes));

    /// <summary>Items that were at the target already.</summary>
    public long Unchanged => Results.Sum(part => part.Unchanged);

    /// <summary>Entries that were deleted.</summary>
    public long Deleted => Results.Sum(part => part.Deleted);

    /// <summary>Items that failed, and those that could not be planned.</summary>
    public long Failed => Plan.Failed + Results.Sum(part => part.Failed);

    /// <summary>The parts by their time, the slowest first.</summary>
    public IEnumerable<PartResult> Slowest => Parts.OrderByDescending(part => part.Seconds).ThenBy(part => part.Part);
}
