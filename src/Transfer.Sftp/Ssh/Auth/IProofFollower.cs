namespace Transfer.Sftp.Ssh.Auth;

/// <summary>Requests that leave in one flight with the first proof of identity.</summary>
internal interface IProofFollower
{
    /// <summary>Called after a proof was sent. Only the first proof is worth following.</summary>
    void Follow();

    /// <summary>Called when the server has refused the proof, or requires another.</summary>
    void GiveUp();
}
