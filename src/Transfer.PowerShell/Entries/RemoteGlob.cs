using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Paths of a server with PowerShell's wildcards, in any part of the path.</summary>
internal static class RemoteGlob
{
    public static bool IsPattern(string path) => WildcardPattern.ContainsWildcardCharacters(path);

    /// <summary>Those of some paths that name one entry each, as the server has their names.</summary>
    public static IEnumerable<string> Literal(IEnumerable<string> paths) =>
        paths.Where(path => !IsPattern(path)).Select(WildcardPattern.Unescape);

    /// <summary>Those that may name several.</summary>
    public static IEnumerable<string> Patterns(IEnumerable<string> paths) => paths.Where(IsPattern);

    /// <summary>The entries that match, folder by folder. A folder that does not exist has none.</summary>
    /// <exception cref="TransferException">Thrown behind the entries that were found: a folder could not be listed.</exception>
    public static IAsyncEnumerable<RemoteEntry> FindAsync(TransferClient client, string pattern, CancellationToken ct) =>
        new GlobWalk(client, ct).FindAsync(pattern);
}
