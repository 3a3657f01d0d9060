using System.Security.Cryptography;

namespace Transfer.Sftp.Ssh.Packets;

/// <summary>Random padding, drawn from the platform's generator a page at a time.</summary>
internal sealed class PaddingSource
{
    private readonly byte[] _pool = new byte[4096];
    private int _used = 4096;

    public void Fill(Span<byte> padding)
    {
        if (_pool.Length - _used < padding.Length)
        {
            RandomNumberGenerator.Fill(_pool);
            _used = 0;
        }

        _pool.AsSpan(_used, padding.Length).CopyTo(padding);
        _used += padding.Length;
    }
}
