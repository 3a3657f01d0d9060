using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Transfer.Local;

namespace Transfer.Engine.Operations;

/// <summary>
/// The targets of a job's files: of two sources with one target, one would replace the other, and count as arrived. A source that comes
/// again goes again. Paths are kept as 16 bytes of their hashes, since a job may have any number of files. Used by one caller at a time.
/// </summary>
internal sealed class TargetClaims
{
    private const int HashBytes = 16;

    private readonly Dictionary<string, string> _sources = new(StringComparer.Ordinal);

    /// <summary>Notes the target of a source; the error where another source has the same.</summary>
    public TransferException? Claim(string source, string target)
    {
        var (from, to) = (HashOf(source), HashOf(LocalCase.Usual.Ignored ? target.ToUpperInvariant() : target));
        if (_sources.TryAdd(to, from) || _sources[to] == from) return null;
        return new TransferException(
            TransferError.Exists, $"Another file of the job has the same target, {target}, and is not replaced by this one.");
    }

    private static string HashOf(string path)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        // By its characters: in an encoding, names that are not UTF-8 could be one (they have halves of surrogate pairs).
        SHA256.HashData(MemoryMarshal.AsBytes(path.AsSpan()), hash);
        return new string(MemoryMarshal.Cast<byte, char>(hash[..HashBytes]));
    }
}
