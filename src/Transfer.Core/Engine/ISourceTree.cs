namespace Transfer.Engine;

/// <summary>The folder a job reads.</summary>
internal interface ISourceTree
{
    /// <summary>The finest step of its modification times.</summary>
    TimeSpan TimePrecision { get; }

    /// <summary>Reads one directory to its end. No session is held when it returns.</summary>
    /// <exception cref="TransferException">It cannot be read.</exception>
    ValueTask<IReadOnlyList<TreeEntry>> ListAsync(PlannedDirectory directory, CancellationToken ct);
}
