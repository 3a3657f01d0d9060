namespace Transfer.Engine;

/// <summary>The folder a job reads.</summary>
internal interface ISourceTree
{
    /// <summary>The finest step of its modification times.</summary>
    TimeSpan TimePrecision { get; }

    /// <summary>Reads one directory to its end. No session is held when it returns.</summary>
    /// <exception cref="TransferException">It cannot be read.</exception>
    ValueTask<IReadOnlyList<TreeEntry>> ListAsync(PlannedDirectory directory, CancellationToken ct);

    /// <summary>Follows links of one directory, within the job's folder; one end for each, in order.</summary>
    /// <exception cref="TransferException">That can't be done here at all.</exception>
    ValueTask<IReadOnlyList<LinkEnd>> FollowAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> links, CancellationToken ct);

    /// <summary>Reads the texts of links of one directory; one for each, in order.</summary>
    /// <exception cref="TransferException">That can't be done here at all.</exception>
    ValueTask<IReadOnlyList<LinkText>> ReadLinksAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> links, CancellationToken ct);
}
