namespace Transfer.Cli.Host;

/// <summary>The command was called in a way it refuses (exit code 2). The message never holds a secret: it is printed as it is.</summary>
internal sealed class UsageException(string message) : Exception(message);
