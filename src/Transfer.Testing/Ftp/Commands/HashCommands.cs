using System.Globalization;
using Transfer.Testing.Hashing;

namespace Transfer.Testing.Ftp.Commands;

/// <summary>Hashes of files: HASH and OPTS HASH (draft-bryan-ftp-hash), and the older X commands.</summary>
internal static class HashCommands
{
    private static readonly string[] Names = ["SHA-256", "SHA-512", "SHA-1", "MD5", "CRC32"];

    private static readonly Dictionary<string, string> Checksums = new()
    {
        ["XCRC"] = "CRC32",
        ["XMD5"] = "MD5",
        ["XSHA"] = "SHA-1",
        ["XSHA1"] = "SHA-1",
        ["XSHA256"] = "SHA-256",
        ["XSHA512"] = "SHA-512",
    };

    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("HASH", new(HashAsync, NeedsArgument: true)),
        .. ChecksumVerbs.Select(verb => new KeyValuePair<string, CommandEntry>(
            verb, new((session, argument, ct) => ChecksumAsync(session, Checksums[verb], argument, ct), NeedsArgument: true))),
    ];

    public static IEnumerable<string> ChecksumVerbs => Checksums.Keys.Order(StringComparer.Ordinal);

    /// <summary>The line of FEAT; the chosen algorithm has a star.</summary>
    public static string Feature(FtpSession session) =>
        "HASH " + string.Join(';', Names.Select(name => name == session.State.HashName ? name + "*" : name));

    public static (int Code, string Text) Choose(FtpSession session, string value)
    {
        if (value.Length == 0) return (200, session.State.HashName);
        if (Names.FirstOrDefault(name => name.Equals(value, StringComparison.OrdinalIgnoreCase)) is not { } chosen)
            return (504, "Unknown algorithm.");
        session.State.HashName = chosen;
        return (200, chosen);
    }

    private static async Task HashAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var name = session.State.HashName;
        var (hash, length) = await FileHash.ComputeAsync(session.Store, session.Resolve(argument), name, 0, long.MaxValue,
            ct).ConfigureAwait(false);
        await session.ReplyAsync(213,
            string.Create(CultureInfo.InvariantCulture, $"{name} 0-{length} {hash.ToLowerInvariant()} {argument}"),
            ct).ConfigureAwait(false);
    }

    private static async Task ChecksumAsync(FtpSession session, string name, string argument, CancellationToken ct)
    {
        var (path, start, end) = Split(argument);
        var (hash, _) = await FileHash.ComputeAsync(session.Store, session.Resolve(path), name, start, end, ct).ConfigureAwait(false);
        await session.ReplyAsync(250, hash, ct).ConfigureAwait(false);
    }

    /// <summary><c>path</c>, <c>"path"</c>, or <c>"path" start end</c> with the end exclusive.</summary>
    private static (string Path, long Start, long End) Split(string argument)
    {
        if (!argument.StartsWith('"') || argument.IndexOf('"', 1) is not (> 0 and var quote)) return (argument, 0, long.MaxValue);
        var numbers = argument[(quote + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var start = numbers.Length > 0 && long.TryParse(numbers[0], NumberStyles.None, CultureInfo.InvariantCulture, out var first) ? first
            : 0;
        var end = numbers.Length > 1 && long.TryParse(numbers[1], NumberStyles.None, CultureInfo.InvariantCulture, out var last) ? last
            : long.MaxValue;
        return (argument[1..quote], start, end);
    }
}
