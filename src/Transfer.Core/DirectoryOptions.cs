namespace Transfer;

/// <summary>How a folder is uploaded, downloaded or copied.</summary>
public sealed record DirectoryOptions
{
    /// <summary>What to do with files that exist.</summary>
    public Overwrite Overwrite { get; init; } = Overwrite.Fail;

    /// <summary>How files appear under their names.</summary>
    public Publish Publish { get; init; } = Publish.Rename;

    /// <summary>How files are checked before they are published.</summary>
    public Verification Verify { get; init; } = Verification.Size;

    /// <summary>Keeps modification times.</summary>
    public bool PreserveModified { get; init; } = true;

    /// <summary>What to do with symbolic links.</summary>
    public Links Links { get; init; } = Links.Skip;

    /// <summary>Sessions to use; null: what <see cref="TransferClientOptions.MaxSessions"/> and the server allow.</summary>
    public int? Sessions { get; init; }

    /// <summary>Sessions that may move one large file together; null: as many as pay.</summary>
    public int? Segments { get; init; }

    /// <summary>Told of every item as it ends, from any thread, in no order.</summary>
    public IProgress<ItemResult>? Items { get; init; }
}
