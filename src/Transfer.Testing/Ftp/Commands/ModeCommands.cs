using System.Globalization;
using Transfer.Testing.Listing;

namespace Transfer.Testing.Ftp.Commands;

/// <summary>Parameters (RFC 959 4.1.2, RFC 2389 4) and SITE.</summary>
internal static class ModeCommands
{
    private static readonly string[] SiteTimes = ["yyyyMMddHHmmss", "yyyyMMddHHmm"];

    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("TYPE", new(TypeAsync, NeedsArgument: true)),
        new("MODE", new(ModeAsync, NeedsArgument: true)),
        new("STRU", new(StructureAsync, NeedsArgument: true)),
        new("OPTS", new(OptionsAsync, NeedsLogin: false, NeedsArgument: true)),
        new("SITE", new(SiteAsync, NeedsArgument: true)),
    ];

    private static Task TypeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        bool? binary = argument.ToUpperInvariant() switch { "I" or "L 8" or "L8" => true, "A" or "A N" => false, _ => null };
        session.State.IsBinary = binary ?? session.State.IsBinary;
        var (code, text) = binary is null ? (504, "Only TYPE A and I.") : (200, "Type set.");
        return session.ReplyAsync(code, text, ct).AsTask();
    }

    private static Task ModeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        bool? deflated = argument.ToUpperInvariant() switch { "S" => false, "Z" => true, _ => null };
        session.State.IsDeflated = deflated ?? session.State.IsDeflated;
        var (code, text) = deflated is null ? (504, "Only MODE S and Z.") : (200, "Mode set.");
        return session.ReplyAsync(code, text, ct).AsTask();
    }

    private static Task StructureAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var (code, text) = argument.Equals("F", StringComparison.OrdinalIgnoreCase) ? (200, "Structure set.") : (504, "Only STRU F.");
        return session.ReplyAsync(code, text, ct).AsTask();
    }

    private static Task OptionsAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var words = argument.Split(' ', 2, StringSplitOptions.TrimEntries);
        var value = words.Length > 1 ? words[1] : string.Empty;
        var (code, text) = words[0].ToUpperInvariant() switch
        {
            "UTF8" =>
                session.Options.Utf8 && !value.Equals("OFF", StringComparison.OrdinalIgnoreCase) ? (200, "UTF8 is on.") : (501,
                "Not here."),
            "MLST" => ChooseFacts(session, value),
            "HASH" => HashCommands.Choose(session, value),
            "MODE" => (200, "Noted."),
            _ => (501, "Unknown option."),
        };
        return session.ReplyAsync(code, text, ct).AsTask();
    }

    private static (int Code, string Text) ChooseFacts(FtpSession session, string value)
    {
        var wanted = value.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        session.State.Facts =
            MachineListing.AllFacts.Intersect(wanted, StringComparer.OrdinalIgnoreCase).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return (200, $"MLST OPTS {MachineListing.Describe(session.State.Facts, stars: false)}");
    }

    private static Task SiteAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var words = argument.Split(' ', 2);
        var rest = words.Length > 1 ? words[1] : string.Empty;
        return words[0].ToUpperInvariant() switch
        {
            "CHMOD" => ChangeModeAsync(session, rest, ct),
            "UTIME" => SetTimeAsync(session, rest, ct),
            "HELP" => session.ReplyAsync(214, "CHMOD UTIME HELP", ct).AsTask(),
            _ => session.ReplyAsync(504, "Unknown SITE command.", ct).AsTask(),
        };
    }

    private static async Task ChangeModeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var words = argument.Split(' ', 2);
        if (words.Length < 2 || words[0].Length is 0 or > 4 || words[0].AsSpan().ContainsAnyExceptInRange('0', '7'))
        {
            await session.ReplyAsync(501, "SITE CHMOD mode path.", ct).ConfigureAwait(false);
            return;
        }

        var mode = (UnixFileMode)Convert.ToInt32(words[0], 8);
        await session.Store.SetModeAsync(session.Resolve(words[1]), mode, ct).ConfigureAwait(false);
        await session.ReplyAsync(200, "Mode changed.", ct).ConfigureAwait(false);
    }

    /// <summary>Both existing forms: <c>time path</c>, and <c>path atime mtime ctime UTC</c>.</summary>
    private static async Task SetTimeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var words = argument.Split(' ');
        var (path, stamp) = words.Length >= 5 && words[^1].Equals("UTC", StringComparison.OrdinalIgnoreCase)
            ? (string.Join(' ', words[..^4]), words[^3])
            : (string.Join(' ', words[1..]), words[0]);
        var isTime = DateTimeOffset.TryParseExact(
            stamp, SiteTimes, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
            out var time);
        if (!isTime || path.Length == 0)
        {
            await session.ReplyAsync(501, "SITE UTIME time path.", ct).ConfigureAwait(false);
            return;
        }

        await session.Store.SetModifiedAsync(session.Resolve(path), time, ct).ConfigureAwait(false);
        await session.ReplyAsync(200, "Time set.", ct).ConfigureAwait(false);
    }
}
