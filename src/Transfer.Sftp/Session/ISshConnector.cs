using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>Connects and logs in: the seam to the SSH transport.</summary>
internal interface ISshConnector
{
    /// <param name="early">The channel use that may begin with the log-in; null for none.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferConnectionException">No connection, a host key that is not trusted, or no log-in.</exception>
    /// <exception cref="Ssh.Auth.LogInHeldException">No log-in was tried: a connection with an unrepeatable log-in is open.</exception>
    ValueTask<ISshSessions> ConnectAsync(EarlyUse? early, CancellationToken ct);
}

/// <summary>A logged-in connection, as far as SFTP needs one.</summary>
internal interface ISshSessions : IAsyncDisposable
{
    /// <summary>The server's software, from the identification string (RFC 4253 section 4.2), or null.</summary>
    string? Server { get; }

    /// <summary>The methods of SSH that were agreed.</summary>
    IReadOnlyList<ServerFact> Methods => [];

    /// <summary>Whether the connection is alive.</summary>
    bool Usable { get; }

    /// <summary>Whether the log-in took one-time answers: all sessions then share this connection while it lives.</summary>
    bool HasOneTimeLogIn => false;

    /// <summary>How long the log-in took; pauses for a person excluded.</summary>
    TimeSpan LogInTime => TimeSpan.Zero;

    /// <summary>Opens a session channel and starts a subsystem on it (RFC 4254 section 6.5).</summary>
    /// <exception cref="TransferConnectionException">The connection is lost.</exception>
    /// <exception cref="TransferException">The server refuses the channel or the subsystem; the connection stays.</exception>
    ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct);

    /// <summary>
    /// Opens a session channel and runs a command there (RFC 4254 section 6.5). A refusal of the command shows when the output is read.
    /// </summary>
    /// <exception cref="TransferConnectionException">The connection is lost.</exception>
    /// <exception cref="TransferException">The server refuses the channel; the connection stays.</exception>
    ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct);
}
