namespace Transfer;

/// <summary>The options of a client for <c>file:</c> URLs, with the common options.</summary>
public sealed record LocalTransferOptions : TransferClientOptions
{
    /// <summary>Creates options with the defaults.</summary>
    public LocalTransferOptions()
    {
    }

    /// <summary>Copies the common options.</summary>
    public LocalTransferOptions(TransferClientOptions common)
        : base(common)
    {
    }

    /// <summary>Whether symbolic links are followed, also out of the root. False: a path through a link is refused.</summary>
    public bool FollowLinks { get; init; }
}
