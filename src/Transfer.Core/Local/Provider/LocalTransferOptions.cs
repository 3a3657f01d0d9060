namespace Transfer;

/// <summary>What a client for <c>file:</c> URLs can be told beside the common options.</summary>
public sealed record LocalTransferOptions : TransferClientOptions
{
    /// <summary>Creates options with the defaults.</summary>
    public LocalTransferOptions()
    {
    }

    /// <summary>Takes over what all clients share.</summary>
    public LocalTransferOptions(TransferClientOptions common)
        : base(common)
    {
    }

    /// <summary>Follows symbolic links, also to what is outside the root. Off: a path through a link is refused.</summary>
    public bool FollowLinks { get; init; }
}
