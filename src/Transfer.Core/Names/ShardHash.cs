using System.Buffers;
using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Names;

/// <summary>The hash that divides a job's paths: see <see cref="TransferShard"/>.</summary>
internal static class ShardHash
{
    /// <summary>Returns the first eight bytes of the SHA-256 of a path, folded.</summary>
    public static ulong Of(string path)
    {
        var folded = Fold(path);
        var bytes = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetMaxByteCount(folded.Length));
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(bytes.AsSpan(0, Encoding.UTF8.GetBytes(folded, bytes)), hash);
        ArrayPool<byte>.Shared.Return(bytes);
        return BinaryPrimitives.ReadUInt64BigEndian(hash);
    }

    // By upper case first: several characters have one upper case, such as the two small sigmas. Surrogates without their other half, which
    // stand for bytes that are no UTF-8, are all one character here: that they share a part does no harm.
    private static string Fold(string path)
    {
        if (Ascii.IsValid(path)) return path.ToLowerInvariant();
        var text = Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(path)).Normalize(NormalizationForm.FormC);
        return text.ToUpperInvariant().ToLowerInvariant().Normalize(NormalizationForm.FormC);
    }
}
