namespace Transfer.Sessions;

/// <summary>Failures of an item's content.</summary>
internal static class LocalEnd
{
    /// <summary>The error of a content that was cancelled by its own side, and not with the item.</summary>
    public static TransferException Failed(WorkItem item, Exception cause) =>
        new(TransferError.Lost, $"{item.AskedPath}: the local end of the transfer failed: {cause.Message}", cause)
        {
            RemotePath = item.AskedPath,
            IsTransient = false,
        };
}
