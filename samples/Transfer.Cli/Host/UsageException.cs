namespace Transfer.Cli.Host;

/// <summary>The command was called in a way it refuses (exit code 2). The message never holds a secret: it is printed as it is.</summary>
internal sealed class UsageException(string message) : Exception(message)
{
    /// <summary>Refuses an empty path, such as that of a variable without a value.</summary>
    public static void ThrowIfEmpty(string path)
    {
        if (path.Length == 0) throw new UsageException("An empty path names nothing.");
    }
}
