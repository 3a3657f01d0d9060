using System.Buffers;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Delta;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>Computes the hashes of a sent file, if unchanged since.</summary>
internal static class FileSigner
{
    private const int LeastBuffer = 128 << 10;

    /// <summary>Reads a file once.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="stamp">The file's stamp when packed.</param>
    /// <param name="entries">A buffer with the hashes of the blocks, to be returned to the shared pool.</param>
    /// <param name="ct">Stops reading.</param>
    /// <returns>The file's SHA-256, and the length of the hashes in bytes; null: the file has changed, or can't be read.</returns>
    public static (byte[] Hash, int Length)? Sign(string path, SourceStamp stamp, out byte[] entries, CancellationToken ct)
    {
        var shape = BlockShape.ForOwn(stamp.Length);
        entries = ArrayPool<byte>.Shared.Rent(Math.Max(1, shape.SignatureLength));
        var buffer = ArrayPool<byte>.Shared.Rent(Math.Max(LeastBuffer, shape.Block));
        try
        {
            using var handle = DiskFiles.Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return SourceStamp.Of(handle, path) == stamp && Read(handle, shape, buffer, entries, ct) is { } hash
                && SourceStamp.Of(handle, path) == stamp ? (hash, shape.SignatureLength) : null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return null;
        }
        finally
        {
            // Cleared, since content to be sealed must not leak to the next renter.
            ArrayPool<byte>.Shared.Return(buffer, clearArray: true);
        }
    }

    private static byte[]? Read(SafeFileHandle handle, BlockShape shape, byte[] buffer, byte[] entries, CancellationToken ct)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var step = buffer.Length / shape.Block * shape.Block;
        var (block, used) = (0, 0);
        for (long offset = 0; offset < shape.Length;)
        {
            ct.ThrowIfCancellationRequested();
            var piece = buffer.AsSpan(0, (int)Math.Min(step, shape.Length - offset));
            for (var filled = 0; filled < piece.Length;)
            {
                var read = RandomAccess.Read(handle, piece[filled..], offset + filled);
                if (read == 0) return null;
                filled += read;
            }
            hash.AppendData(piece);
            offset += piece.Length;
            // A rest at the end may belong to no block.
            for (; block < shape.Blocks && !piece.IsEmpty; block++)
            {
                var length = (int)shape.LengthOf(block, 1);
                BaseSignature.WriteEntry(piece[..length], entries.AsSpan(used, shape.EntryLength));
                used += shape.EntryLength;
                piece = piece[length..];
            }
        }
        return hash.GetHashAndReset();
    }
}
