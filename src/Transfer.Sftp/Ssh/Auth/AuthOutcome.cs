namespace Transfer.Sftp.Ssh.Auth;

/// <summary>The outcome of one attempt.</summary>
internal enum AuthOutcome
{
    /// <summary>Logged in.</summary>
    Success,

    /// <summary>The attempt was right, and another method must follow (RFC 4252 section 5.1).</summary>
    Partial,

    /// <summary>Refused.</summary>
    Failure,

    /// <summary>The server's answer belongs to the method, which continues.</summary>
    MethodReply,

    /// <summary>No proof was sent: the key could not sign, or no password was given.</summary>
    Skipped,
}
