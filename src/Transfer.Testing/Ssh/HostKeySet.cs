using Transfer.Sftp.Keys;

namespace Transfer.Testing.Ssh;

/// <summary>A server's host keys: those of the options, or a generated one.</summary>
internal sealed class HostKeySet : IDisposable
{
    private readonly SftpTestKey? _made;

    public HostKeySet(IReadOnlyList<SftpTestKey> given)
    {
        if (given.Count == 0) _made = SftpTestKey.Create();
        Keys = _made is null ? given : [_made];
    }

    public IReadOnlyList<SftpTestKey> Keys { get; }

    /// <summary>The names for the negotiation.</summary>
    public IReadOnlyList<string> Algorithms => [.. Keys.SelectMany(key => key.Key.PublicKey.SignatureAlgorithms)];

    /// <summary>The key that makes signatures of an algorithm.</summary>
    public SshPrivateKey Find(string algorithm) => Keys.First(key => key.Key.PublicKey.SignatureAlgorithms.Contains(algorithm)).Key;

    public void Dispose() => _made?.Dispose();
}
