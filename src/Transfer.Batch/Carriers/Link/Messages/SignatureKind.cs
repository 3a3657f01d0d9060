namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>What a <see cref="SignatureMessage"/> says.</summary>
internal enum SignatureKind : byte
{
    /// <summary>There is nothing that helps, or not any more.</summary>
    None = 0,

    /// <summary>Hashes of blocks.</summary>
    Blocks = 1,

    /// <summary>There is something that would be left as it is.</summary>
    Left = 2,
}
