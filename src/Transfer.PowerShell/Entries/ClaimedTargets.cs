using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Transfer.PowerShell.Entries;

/// <summary>
/// The targets of one command's files and folders, over all its jobs and servers: of two sources with one target, one would replace the
/// other, and count as arrived. A source that comes again goes again. Paths are kept as hashes, since a pipeline may have any number.
/// </summary>
internal sealed class ClaimedTargets
{
    private readonly Dictionary<(TransferClient? Side, UInt128 Path), (TransferClient? Side, UInt128 Path)> _sources = [];

    /// <summary>Notes the target of a source; the error where another source has the same.</summary>
    /// <param name="from">The server of the source; null: this machine.</param>
    /// <param name="source">The source.</param>
    /// <param name="to">The server of the target; null: this machine.</param>
    /// <param name="target">The target.</param>
    public TransferException? Claim(TransferClient? from, string source, TransferClient? to, string target)
    {
        // As the jobs compare their targets: by the rule of this system, whichever side the target is on.
        var name = OperatingSystem.IsWindows() || OperatingSystem.IsMacOS() ? target.ToUpperInvariant() : target;
        var (claimed, claim) = ((to, HashOf(name)), (from, HashOf(source)));
        if (_sources.TryAdd(claimed, claim) || _sources[claimed] == claim) return null;
        return new TransferException(TransferError.Exists,
            $"{source}: another source of the command has the same target, {target}, and is not replaced by this one.");
    }

    private static UInt128 HashOf(string path)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(MemoryMarshal.AsBytes(path.AsSpan()), hash);
        return BinaryPrimitives.ReadUInt128LittleEndian(hash);
    }
}
