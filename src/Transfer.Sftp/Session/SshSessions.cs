using Transfer.Sftp.Ssh;

namespace Transfer.Sftp.Session;

/// <summary>A connection that carries SFTP sessions.</summary>
internal sealed class SshSessions : ISshSessions
{
    private readonly SshConnection _connection;

    public SshSessions(SshConnection connection) => _connection = connection;

    public string? Server => _connection.ServerVersion;

    public bool Usable => _connection.IsUsable;

    public ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct) => _connection.OpenSubsystemAsync(name, ct);

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
