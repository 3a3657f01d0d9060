namespace Transfer.Sftp.Ssh.Packets;

/// <summary>A sender that waits for room for its data.</summary>
internal interface ISendWaiter
{
    /// <summary>There may be room now, or never again. Called on another task; must not block.</summary>
    void TrySendAgain();
}
