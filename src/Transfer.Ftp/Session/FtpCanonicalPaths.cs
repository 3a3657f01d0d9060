using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Distinguishes directories from links by CWD and PWD (RFC 959 sections 4.1.1 and 4.1.3), where PWD shows the path on the disk: that of a
/// directory is the path of the directory above and the name, that of a link is another one.
/// </summary>
internal static class FtpCanonicalPaths
{
    /// <summary>The commands that prove entries of one directory or several.</summary>
    public static IReadOnlyList<FtpCommand> CommandsFor(FtpSessionContext context, IReadOnlyList<RemoteEntry> entries) =>
        [.. PathsOf(entries).SelectMany(path => new FtpCommand[] { new("CWD", context.Expand(path)), new("PWD") })];

    /// <summary>Returns one proof an entry, in order, by the replies to the commands.</summary>
    public static DirectoryProof[] Judge(FtpSessionContext context, IReadOnlyList<RemoteEntry> entries, IReadOnlyList<FtpReply> replies)
    {
        var paths = PathsOf(entries);
        var parents = paths.Length - entries.Count;
        var known = new Dictionary<string, string?>(parents, StringComparer.Ordinal);
        for (var i = 0; i < parents; i++) known[paths[i]] = PathOn(context, replies, i);
        return [.. entries.Select((entry, i) => Judge(known[ParentOf(entry.Path)], entry.Name, PathOn(context, replies, parents + i)))];
    }

    /// <summary>The directory that holds an entry.</summary>
    public static string ParentOf(string path) => RemotePath.GetParent(path) is { Length: > 0 } parent ? parent : "/";

    private static string[] PathsOf(IReadOnlyList<RemoteEntry> entries) =>
        [.. entries.Select(entry => ParentOf(entry.Path)).Distinct(), .. entries.Select(entry => entry.Path)];

    private static DirectoryProof Judge(string? above, string name, string? found)
    {
        if (above is null || found is null) return DirectoryProof.Unknown;
        return found == RemotePath.Combine(above, name) ? DirectoryProof.Child : DirectoryProof.Link;
    }

    // Behind a refused CWD, PWD shows the directory before. Behind the path there are no quotes.
    private static string? PathOn(FtpSessionContext context, IReadOnlyList<FtpReply> replies, int i)
    {
        var (change, print) = (replies[2 * i], replies[(2 * i) + 1]);
        if (!change.IsSuccess || print.Code != 257) return null;
        var (start, end) = (print.Text.IndexOf('"', StringComparison.Ordinal) + 1, print.Text.LastIndexOf('"'));
        if (end <= start) return null;
        var path = print.Text[start..end];
        return context.Profile.DoublesQuotes ? path.Replace("\"\"", "\"", StringComparison.Ordinal) : path;
    }
}
