namespace Transfer.ServerTests.Servers;

/// <summary>How long a server's log files were at some moment.</summary>
public sealed class ServerLogMark(IReadOnlyDictionary<string, long>? lengths = null)
{
    public long Length(string file) => lengths?.GetValueOrDefault(file) ?? 0;
}
