using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;

namespace Transfer.Batch.Archive.Tar;

/// <summary>The values of pax records.</summary>
internal static class PaxValue
{
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the value is no number, or a negative one.</exception>
    public static long Number(ReadOnlySpan<byte> value) =>
        long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : throw Malformed();

    /// <summary>Parses a SHA-256 in hexadecimal digits.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the value is no hash.</exception>
    public static byte[] Hash(ReadOnlySpan<byte> value)
    {
        var hash = new byte[SHA256.HashSizeInBytes];
        return value.Length == 2 * hash.Length && Convert.FromHexString(value, hash, out _, out _) == OperationStatus.Done
            ? hash : throw Malformed();
    }

    /// <summary>Returns the exception for a malformed header.</summary>
    public static TransferException Malformed() => new(TransferError.Protocol, "An extended header in the archive is malformed.");
}
