using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Routes;

/// <summary>A connection, and the lease of the carrying jump host's connection.</summary>
internal sealed class RoutedConnection(SshConnection connection, HopLease? through) : ISshSessions
{
    public SshConnection Connection => connection;

    public string? Server => connection.ServerVersion;

    public IReadOnlyList<ServerFact> Methods => connection.Methods;

    public bool HasOneTimeLogIn => connection.HasOneTimeLogIn;

    public bool Usable => connection.IsUsable;

    public TimeSpan LogInTime => connection.LogInTime;

    public ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct) => connection.OpenSubsystemAsync(name, ct);

    public ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct) => connection.OpenCommandAsync(command, ct);

    public async ValueTask DisposeAsync()
    {
        await connection.DisposeAsync().ConfigureAwait(false);
        if (through is not null) await through.DisposeAsync().ConfigureAwait(false);
    }
}
