namespace Transfer.Sftp.Ssh.Settings;

/// <summary>A connection that may have failed.</summary>
internal interface ISshLink
{
    /// <summary>The one reason for the end of everything on the connection; null: it is alive.</summary>
    TransferConnectionException? Failure { get; }
}
