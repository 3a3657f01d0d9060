namespace Transfer.Sftp.Ssh.Auth;

/// <summary>What came of one attempt.</summary>
internal enum AuthOutcome
{
    /// <summary>Logged in.</summary>
    Success,

    /// <summary>The attempt was right, and another method must follow (RFC 4252 section 5.1).</summary>
    Partial,

    /// <summary>Refused.</summary>
    Failure,

    /// <summary>The server answers with something that the method knows how to go on with.</summary>
    MethodReply,

    /// <summary>Nothing was proved to the server: the key could not sign, or nobody gave a password.</summary>
    Skipped,
}
