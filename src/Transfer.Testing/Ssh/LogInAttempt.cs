namespace Transfer.Testing.Ssh;

/// <summary>What an attempt to log in has come to.</summary>
internal enum LogInAttempt
{
    Refused,

    /// <summary>The method was right.</summary>
    Accepted,

    /// <summary>The server has answered with a question, or that a key would do: neither right nor wrong.</summary>
    Pending,
}
