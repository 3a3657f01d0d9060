namespace Transfer.Sftp.Ssh.Settings;

/// <summary>A connection that may have failed.</summary>
internal interface ISshLink
{
    /// <summary>The one reason for the end of the connection; null while it lives.</summary>
    TransferConnectionException? Failure { get; }
}
