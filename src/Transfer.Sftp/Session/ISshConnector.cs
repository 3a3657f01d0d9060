using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>Connects and logs in: the seam to the SSH transport.</summary>
internal interface ISshConnector
{
    /// <param name="early">What may begin with the log-in; null: nothing.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferConnectionException">No connection, a host key that is not trusted, or no log-in.</exception>
    /// <exception cref="Ssh.Auth.LogInHeldException">No log-in was tried: another connection is open, and its log-in cannot be repeated.</exception>
    ValueTask<ISshSessions> ConnectAsync(EarlyUse? early, CancellationToken ct);
}

/// <summary>A logged-in connection, as far as SFTP needs it.</summary>
internal interface ISshSessions : IAsyncDisposable
{
    /// <summary>The server's software as its identification string names it (RFC 4253 section 4.2), or null.</summary>
    string? Server { get; }

    /// <summary>False once the connection is lost.</summary>
    bool Usable { get; }

    /// <summary>The log-in took answers that count once: everything goes over this connection while it lives.</summary>
    bool HasOneTimeLogIn => false;

    /// <summary>How long the log-in took; pauses for a person excluded.</summary>
    TimeSpan LogInTime => TimeSpan.Zero;

    /// <summary>Opens a session channel and starts a subsystem on it (RFC 4254 section 6.5).</summary>
    /// <exception cref="TransferConnectionException">The connection is lost.</exception>
    /// <exception cref="TransferException">The server refuses the channel or the subsystem; the connection stays.</exception>
    ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct);

    /// <summary>Opens a session channel and runs a command on it (RFC 4254 section 6.5). That the server refuses the command shows when its output is read.</summary>
    /// <exception cref="TransferConnectionException">The connection is lost.</exception>
    /// <exception cref="TransferException">The server refuses the channel; the connection stays.</exception>
    ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct);
}
