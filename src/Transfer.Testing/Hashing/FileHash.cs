using System.Buffers;
using System.Security.Cryptography;

namespace Transfer.Testing.Hashing;

/// <summary>Hashes of a store's files.</summary>
internal static class FileHash
{
    private const int BufferSize = 128 * 1024;

    /// <summary>
    /// Hashes the bytes from start to end (exclusive), or to the file's end; returns upper-case hex and the number of bytes.
    /// </summary>
    public static async Task<(string Hash, long Length)> ComputeAsync(ITestStore store, string path, string name, long start, long end,
        CancellationToken ct)
    {
        using var hash = name == "CRC32"
            ? null : IncrementalHash.CreateHash(new HashAlgorithmName(name.Replace("SHA-", "SHA", StringComparison.Ordinal)));
        var crc = Crc32.Start;
        var content = await store.OpenReadAsync(path, start, ct).ConfigureAwait(false);
        await using var owned = content.ConfigureAwait(false);
        var buffer = ArrayPool<byte>.Shared.Rent(BufferSize);
        try
        {
            var done = 0L;
            while (done < end - start)
            {
                var count = await content.ReadAsync(buffer.AsMemory(0, (int)Math.Min(BufferSize, end - start - done)),
                    ct).ConfigureAwait(false);
                if (count == 0) break;
                done += count;
                if (hash is null) crc = Crc32.Append(crc, buffer.AsSpan(0, count));
                else hash.AppendData(buffer, 0, count);
            }

            return (hash is null ? Crc32.Finish(crc) : Convert.ToHexString(hash.GetHashAndReset()), done);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
