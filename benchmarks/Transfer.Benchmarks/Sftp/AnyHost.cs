using Transfer.Sftp.Keys;

namespace Transfer.Benchmarks.Sftp;

/// <summary>Trusts the responder in this process.</summary>
internal sealed class AnyHost : IHostTrust
{
    public IReadOnlyList<string> KnownTypes(string host, int port) => [];

    public ValueTask VerifyAsync(string host, int port, SshPublicKey key, CancellationToken ct) => default;
}
