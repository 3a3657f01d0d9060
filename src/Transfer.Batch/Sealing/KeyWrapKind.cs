namespace Transfer.Batch.Sealing;

/// <summary>How a job's secret is wrapped. The values are the format's.</summary>
internal enum KeyWrapKind : byte
{
    /// <summary>By a 32-byte key that both sides have.</summary>
    SharedKey = 1,

    /// <summary>By a passphrase.</summary>
    Passphrase = 2,

    /// <summary>For the holder of a P-256 key.</summary>
    Recipient = 3,
}
