namespace Transfer.Hosting;

/// <summary>
/// The settings of a named client, as configuration has them: <c>"Inbox": { "Url": "sftp://files.example.com/in", "UserName": "app", "Identities": ["/run/secrets/key"] }</c>. What is not here is set in code
/// (<see cref="TransferClientBuilder.ConfigureFtp"/>, <see cref="TransferClientBuilder.ConfigureSftp"/>).
/// </summary>
public sealed class TransferClientSettings
{
    /// <summary>The server and the folder that paths start from: <c>ftp</c>, <c>ftpes</c>, <c>ftps</c>, <c>sftp</c> or <c>file</c>. A password does not belong here.</summary>
    public Uri? Url { get; set; }

    /// <summary>The user to log in as; null: the URL's.</summary>
    public string? UserName { get; set; }

    /// <summary>The password: from a secret store, not from a file beside the program. See <see cref="PasswordFile"/> and <see cref="TransferClientBuilder.WithCredential"/> too.</summary>
    public string? Password { get; set; }

    /// <summary>A file whose first line is the password, as orchestrators mount secrets. Read for each client that is made.</summary>
    public string? PasswordFile { get; set; }

    /// <summary>SFTP: files of private keys.</summary>
    public IList<string> Identities { get; } = [];

    /// <summary>SFTP: what <see cref="Identities"/> are encrypted with.</summary>
    public string? IdentityPassphrase { get; set; }

    /// <summary>Public keys to trust instead of known_hosts and certificate authorities: <c>SHA256:</c> and base64. Of the host key for SFTP, of the certificate's SubjectPublicKeyInfo for FTPS.</summary>
    public IList<string> Pins { get; } = [];

    /// <summary>SFTP: the file of known host keys; null: OpenSSH's.</summary>
    public string? KnownHosts { get; set; }

    /// <summary>Most sessions at once; null: the default of <see cref="TransferClientOptions.MaxSessions"/>.</summary>
    public int? MaxSessions { get; set; }

    /// <summary>How long nothing may move; null: the default of <see cref="TransferClientOptions.IdleTimeout"/>.</summary>
    public TimeSpan? IdleTimeout { get; set; }

    /// <summary>How long connecting and logging in may take; null: the default of <see cref="TransferClientOptions.LogInTimeout"/>.</summary>
    public TimeSpan? LogInTimeout { get; set; }

    /// <summary>Most bytes of content a second; null: as fast as it goes.</summary>
    public long? MaxBytesPerSecond { get; set; }

    /// <summary>Says which client it is of, and nothing of secrets.</summary>
    public override string ToString() => nameof(TransferClientSettings);
}
