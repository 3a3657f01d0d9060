using System.Globalization;
using Transfer.Testing.Listing;

namespace Transfer.Testing.Ftp.Commands;

/// <summary>Files without a data connection (RFC 959 4.1.3, RFC 3659 3, 4 and 7, draft-somers-ftp-mfxx).</summary>
internal static class FileCommands
{
    private const int TimeLength = 14;

    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("SIZE", new(SizeAsync, NeedsArgument: true)),
        new("MDTM", new(ModifiedAsync, NeedsArgument: true)),
        new("MFMT", new(SetModifiedAsync, NeedsArgument: true)),
        new("MLST", new(FactsAsync)),
        new("DELE", new(DeleteAsync, NeedsArgument: true)),
        new("RNFR", new(RenameFromAsync, NeedsArgument: true)),
        new("RNTO", new(RenameToAsync, NeedsArgument: true)),
        new("AVBL", new(AvailableAsync)),
    ];

    private static async Task SizeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        var entry = session.Core.Shown(await FileAsync(session, path, ct).ConfigureAwait(false), path);

        // The size is the length that RETR would send, so it depends on the type (RFC 3659 4); servers do not count line ends.
        var (code, text) = session.State.IsBinary
            ? (213, entry.Length.ToString(CultureInfo.InvariantCulture)) : (550, "SIZE not allowed in ASCII mode.");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task ModifiedAsync(FtpSession session, string argument, CancellationToken ct)
    {
        // vsftpd's way to set a time: MDTM YYYYMMDDHHMMSS name. A file of exactly that name wins.
        var asks = await session.Store.GetAsync(session.Resolve(argument), ct).ConfigureAwait(false) is not null;
        if (!asks && argument.Length > TimeLength + 1 && argument[TimeLength] == ' '
            && TimeValue.TryParse(argument.AsSpan(0, TimeLength), out var time))
        {
            await session.Store.SetModifiedAsync(session.Resolve(argument[(TimeLength + 1)..]), time, ct).ConfigureAwait(false);
            await session.ReplyAsync(213, "File modification time set.", ct).ConfigureAwait(false);
            return;
        }

        var entry = await EntryAsync(session, session.Resolve(argument), ct).ConfigureAwait(false);
        await session.ReplyAsync(213, TimeValue.Format(entry.Modified), ct).ConfigureAwait(false);
    }

    private static async Task SetModifiedAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var space = argument.IndexOf(' ');
        if (space < 0 || !TimeValue.TryParse(argument.AsSpan(0, space), out var time))
        {
            await session.ReplyAsync(501, "MFMT YYYYMMDDHHMMSS path.", ct).ConfigureAwait(false);
            return;
        }

        var name = argument[(space + 1)..];
        await session.Store.SetModifiedAsync(session.Resolve(name), time, ct).ConfigureAwait(false);
        await session.ReplyAsync(213, $"Modify={TimeValue.Format(time)}; {name}", ct).ConfigureAwait(false);
    }

    private static async Task FactsAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        var entry = session.Core.Followed(session.Core.Shown(await EntryAsync(session, path, ct).ConfigureAwait(false), path),
            inList: false);
        var line = MachineListing.Line(entry, path, session.State.Facts);
        await session.ReplyFormattedAsync(ReplyWriter.Format(250, $"Listing {path}", [line], "End"), ct).ConfigureAwait(false);
    }

    private static async Task DeleteAsync(FtpSession session, string argument, CancellationToken ct)
    {
        await session.Store.DeleteFileAsync(session.Resolve(argument), ct).ConfigureAwait(false);
        await session.ReplyAsync(250, "Deleted.", ct).ConfigureAwait(false);
    }

    private static async Task RenameFromAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        session.State.RenameFrom = null;
        await EntryAsync(session, path, ct).ConfigureAwait(false);
        session.State.RenameFrom = path;
        await session.ReplyAsync(350, "Ready for RNTO.", ct).ConfigureAwait(false);
    }

    private static async Task RenameToAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var from = session.State.RenameFrom;
        session.State.RenameFrom = null;
        if (from is null)
        {
            await session.ReplyAsync(503, "RNFR first.", ct).ConfigureAwait(false);
            return;
        }

        await session.Store.MoveAsync(from, session.Resolve(argument), replace: true, ct).ConfigureAwait(false);
        await session.ReplyAsync(250, "Renamed.", ct).ConfigureAwait(false);
    }

    private static async Task AvailableAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var (code, text) = session.Store.FreeBytes is { } free ? (213, free.ToString(CultureInfo.InvariantCulture)) : (550, "Unknown.");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async ValueTask<TestEntry> EntryAsync(FtpSession session, string path, CancellationToken ct) =>
        await session.Store.GetAsync(path, ct).ConfigureAwait(false) ?? throw new FileNotFoundException();

    private static async ValueTask<TestEntry> FileAsync(FtpSession session, string path, CancellationToken ct) =>
        await EntryAsync(session, path, ct).ConfigureAwait(false) is { IsDirectory: false } file
        ? file : throw new UnauthorizedAccessException();
}
