namespace Transfer.Sftp.Ssh.Auth;

/// <summary>What leaves in one flight with the first proof of who we are.</summary>
internal interface IProofFollower
{
    /// <summary>A proof has just been sent. Only what follows the first is likely to be wanted.</summary>
    void Follow();

    /// <summary>The server has refused the proof, or wants more.</summary>
    void GiveUp();
}
