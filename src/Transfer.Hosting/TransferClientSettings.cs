namespace Transfer.Hosting;

/// <summary>
/// The settings of a named client, in configuration: <c>"Inbox": { "Url": "sftp://files.example.com/in", "UserName": "app", "Identities":
/// ["/run/secrets/key"] }</c>. Other options are set in code (<see cref="TransferClientBuilder.ConfigureFtp"/>,
/// <see cref="TransferClientBuilder.ConfigureSftp"/>).
/// </summary>
public sealed class TransferClientSettings
{
    /// <summary>
    /// The server and the folder that paths start from: <c>ftp</c>, <c>ftpes</c>, <c>ftps</c>, <c>sftp</c> or <c>file</c>. A password does
    /// not belong here.
    /// </summary>
    public Uri? Url { get; set; }

    /// <summary>The user to log in as; null: the URL's.</summary>
    public string? UserName { get; set; }

    /// <summary>
    /// The password: from a secret store, not from a file beside the program. See <see cref="PasswordFile"/> and
    /// <see cref="TransferClientBuilder.WithCredential"/>, too.
    /// </summary>
    public string? Password { get; set; }

    /// <summary>A file with the password in the first line, as orchestrators mount secrets. Read for each client that is made.</summary>
    public string? PasswordFile { get; set; }

    /// <summary>SFTP: files of private keys.</summary>
    public IList<string> Identities { get; } = [];

    /// <summary>SFTP: the passphrase of <see cref="Identities"/>.</summary>
    public string? IdentityPassphrase { get; set; }

    /// <summary>
    /// Public keys to trust instead of known_hosts and certificate authorities: <c>SHA256:</c> and base64. Of the host key for SFTP, of
    /// the certificate's SubjectPublicKeyInfo for FTPS.
    /// </summary>
    public IList<string> Pins { get; } = [];

    /// <summary>SFTP: the file of known host keys; null: OpenSSH's.</summary>
    public string? KnownHosts { get; set; }

    /// <summary>Most sessions at once; null: the default of <see cref="TransferClientOptions.MaxSessions"/>.</summary>
    public int? MaxSessions { get; set; }

    /// <summary>How long nothing may move; null: the default of <see cref="TransferClientOptions.IdleTimeout"/>.</summary>
    public TimeSpan? IdleTimeout { get; set; }

    /// <summary>
    /// The time limit of connecting and logging in; null: the default of <see cref="TransferClientOptions.LogInTimeout"/>.
    /// </summary>
    public TimeSpan? LogInTimeout { get; set; }

    /// <summary>The most bytes of content a second; null: no limit.</summary>
    public long? MaxBytesPerSecond { get; set; }

    /// <summary>
    /// The changes of a limit that depends on the time, instead of <see cref="MaxBytesPerSecond"/>, as in
    /// <see cref="TransferClientOptions.RateSchedule"/>: <c>"RateChanges": [ { "Time": "08:00", "BytesPerSecond": 1048576 }, { "Time":
    /// "18:00" } ]</c>. Without <c>BytesPerSecond</c> there is no limit from then on.
    /// </summary>
    public IList<RateChange> RateChanges { get; } = [];

    /// <summary>Returns the type's name, without any secret.</summary>
    public override string ToString() => nameof(TransferClientSettings);
}
