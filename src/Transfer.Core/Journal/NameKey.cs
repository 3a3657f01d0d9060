using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Transfer.Journal;

/// <summary>128 bits of the SHA-256 of a file's name in the job: a million finished files are remembered in little memory.</summary>
internal readonly record struct NameKey(ulong High, ulong Low)
{
    public static NameKey Of(string name)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        // As in memory: see JournalRecord.
        SHA256.HashData(MemoryMarshal.AsBytes(name.AsSpan()), hash);
        return new NameKey(BinaryPrimitives.ReadUInt64LittleEndian(hash), BinaryPrimitives.ReadUInt64LittleEndian(hash[8..]));
    }
}
