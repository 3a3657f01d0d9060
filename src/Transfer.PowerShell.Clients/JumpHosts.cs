using Transfer.Sftp;

namespace Transfer.PowerShell.Clients;

/// <summary>Reads the hosts of <c>-Jump</c>.</summary>
internal static class JumpHosts
{
    private const string None = "none";

    /// <summary>The hosts in their order. Null: none is given, so that the configuration's count.</summary>
    /// <exception cref="ArgumentException">One is no host.</exception>
    public static IReadOnlyList<SshJumpHost>? Parse(IReadOnlyList<string> texts)
    {
        string[] hosts = [.. texts.SelectMany(static text => text.Split(','))];
        if (hosts.Length == 0) return null;
        return hosts is [var only] && only.Equals(None, StringComparison.OrdinalIgnoreCase) ? [] : [.. hosts.Select(SshJumpHost.Parse)];
    }
}
