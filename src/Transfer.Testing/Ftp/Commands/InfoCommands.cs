namespace Transfer.Testing.Ftp.Commands;

/// <summary>The server's system and features (RFC 959 4.1.3, RFC 2389).</summary>
internal static class InfoCommands
{
    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("SYST", new(SystemAsync, NeedsLogin: false)),
        new("FEAT", new(FeaturesAsync, NeedsLogin: false)),
        new("HELP", new(HelpAsync, NeedsLogin: false)),
        new("NOOP", new((session, _, ct) => session.ReplyAsync(200, "Still here.", ct).AsTask(), NeedsLogin: false)),
        new("STAT", new(StatusAsync)),
    ];

    private static Task SystemAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var standard = session.Options.ListingStyle == FtpListingStyle.Windows ? "Windows_NT" : "UNIX Type: L8";
        return session.ReplyAsync(215, session.Options.SystemType ?? standard, ct).AsTask();
    }

    private static Task FeaturesAsync(FtpSession session, string argument, CancellationToken ct) =>
        session.ReplyFormattedAsync(ReplyWriter.Format(211, "Features:", FeatureList.Of(session), "End"), ct).AsTask();

    private static Task HelpAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var verbs = CommandDispatcher.Verbs.Where(verb => !session.Core.IsDisabled(verb)).Order(StringComparer.Ordinal);
        return session.ReplyFormattedAsync(ReplyWriter.Format(214, "Known commands:", [string.Join(' ', verbs)], "End"), ct).AsTask();
    }

    private static async Task StatusAsync(FtpSession session, string argument, CancellationToken ct)
    {
        if (argument.Length == 0)
        {
            string[] status = [$"User {session.State.User}", session.State.IsBinary ? "TYPE I" : "TYPE A",
                session.IsProtected ? "TLS" : "No TLS"];
            await session.ReplyFormattedAsync(ReplyWriter.Format(211, "Status:", status, "End"), ct).ConfigureAwait(false);
            return;
        }

        var target = await ListTarget.FindAsync(session, argument, ct).ConfigureAwait(false);
        var lines = new List<string>();
        await foreach (var line in ListCommands.Lines(session, target, ct).ConfigureAwait(false))
        {
            if (lines.Count == session.Options.MaxStatusLines) break;
            lines.Add(line);
        }
        // As vsftpd, ProFTPD and Pure-FTPd do where hidden names are shown.
        if (target is { File: null, Pattern: null } && session.Options.ListingStyle == FtpListingStyle.Unix)
            lines.InsertRange(0, await ListCommands.DotLinesAsync(session, target.Path, ct).ConfigureAwait(false));

        await session.ReplyFormattedAsync(ReplyWriter.Format(213, "Status follows:", lines, "End"), ct).ConfigureAwait(false);
    }
}
