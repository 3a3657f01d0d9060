using System.Security.Cryptography;
using System.Text;

namespace Transfer.Sftp.Keys.Files;

/// <summary>Bytes that are zeroed after use, and pinned, so that the collector leaves no copies behind.</summary>
internal sealed class SecretBytes(int length) : IDisposable
{
    private readonly byte[] _bytes = GC.AllocateUninitializedArray<byte>(length, pinned: true);

    public Span<byte> Span => _bytes;

    public Memory<byte> Memory => _bytes;

    public static SecretBytes FromText(ReadOnlySpan<char> text)
    {
        var bytes = new SecretBytes(Encoding.UTF8.GetByteCount(text));
        Encoding.UTF8.GetBytes(text, bytes.Span);
        return bytes;
    }

    public void Dispose() => CryptographicOperations.ZeroMemory(_bytes);
}
