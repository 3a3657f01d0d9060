namespace Transfer.Testing.Ssh;

/// <summary>The result of an attempt to log in.</summary>
internal enum LogInAttempt
{
    Refused,

    /// <summary>The method was right.</summary>
    Accepted,

    /// <summary>The server has sent a question, or accepted a key without a signature: neither right nor wrong.</summary>
    Pending,
}
