namespace Transfer.Sftp.Ssh.Packets;

/// <summary>A sender whose data found no room.</summary>
internal interface ISendWaiter
{
    /// <summary>There may be room now, or never again. Called on another task; must not block.</summary>
    void TrySendAgain();
}
