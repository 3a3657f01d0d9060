namespace Transfer.ServerTests.Chaos;

/// <summary>What is killed.</summary>
internal enum Victim
{
    /// <summary>The command: <c>kill -9</c>.</summary>
    Command,

    /// <summary>The server with all its connections.</summary>
    Server,

    /// <summary>One connection at the server.</summary>
    Session,
}
