using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Engine.Journal;

/// <summary>128 bits of the SHA-256 of a file's name in its job: a million finished files are remembered in little memory.</summary>
internal readonly record struct NameKey(ulong High, ulong Low)
{
    public static NameKey Of(string name)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes(name), hash);
        return new NameKey(BinaryPrimitives.ReadUInt64LittleEndian(hash), BinaryPrimitives.ReadUInt64LittleEndian(hash[8..]));
    }
}
