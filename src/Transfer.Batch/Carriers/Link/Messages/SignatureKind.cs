namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The kind of a <see cref="SignatureMessage"/>.</summary>
internal enum SignatureKind : byte
{
    /// <summary>There is no useful version, or not any more.</summary>
    None = 0,

    /// <summary>Hashes of blocks.</summary>
    Blocks = 1,

    /// <summary>The existing file would be kept.</summary>
    Skipped = 2,
}
