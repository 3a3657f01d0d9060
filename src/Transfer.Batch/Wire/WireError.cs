namespace Transfer.Batch.Wire;

/// <summary>The numbers of <see cref="TransferError"/> in messages: fixed, independent of the enumeration's values.</summary>
internal static class WireError
{
    private static readonly TransferError[] Known =
    [
        TransferError.Protocol, TransferError.NotFound, TransferError.Exists, TransferError.Denied, TransferError.Quota, TransferError.Auth,
        TransferError.HostKey,
        TransferError.Tls, TransferError.Timeout, TransferError.Lost, TransferError.Integrity, TransferError.Unsupported,
        TransferError.Partial, TransferError.Unknown,
    ];

    public static byte Write(TransferError error) => (byte)Math.Max(0, Array.IndexOf(Known, error));

    /// <summary>Returns the error of a number; a number of a later version becomes <see cref="TransferError.Protocol"/>, since the text
    /// beside it explains more.</summary>
    public static TransferError Read(byte number) => number < Known.Length ? Known[number] : TransferError.Protocol;
}
