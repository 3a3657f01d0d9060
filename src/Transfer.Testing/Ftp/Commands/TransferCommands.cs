using System.Globalization;
using Transfer.Testing.Ftp.Data;
using Transfer.Testing.Stores;

namespace Transfer.Testing.Ftp.Commands;

/// <summary>Files over a data connection (RFC 959 4.1.3, restarts by RFC 3659 5, ranges by draft-bryan-ftp-range-08).</summary>
internal static class TransferCommands
{
    private const int MaxUniqueNames = 10_000;

    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("RETR", new(RetrieveAsync, IsTransfer: true, NeedsArgument: true)),
        new("STOR", new(StoreAsync, IsTransfer: true, NeedsArgument: true)),
        new("APPE", new(AppendAsync, IsTransfer: true, NeedsArgument: true)),
        new("STOU", new(StoreUniqueAsync, IsTransfer: true)),
        new("REST", new(RestartAsync, NeedsArgument: true)),
        new("RANG", new(RangeAsync, NeedsArgument: true)),
        new("ALLO", new(AllocateAsync, NeedsArgument: true)),
        new("ABOR", new(AbortAsync, NeedsLogin: false)),
    ];

    private static async Task RetrieveAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        var end = session.State.RangeEnd;
        var offset = session.State.TakeRestart();
        var content = await session.Store.OpenReadAsync(path, offset, ct).ConfigureAwait(false);
        if (end is { } last) content = new RangeStream(content, last - offset);
        await DataTransfer.SendAsync(session, $"Opening data connection for {VirtualPath.Name(path)}.", content, ct).ConfigureAwait(false);
    }

    private static async Task StoreAsync(FtpSession session, string argument, CancellationToken ct)
    {
        // A restarted upload overwrites from the offset on; later bytes stay, as in common servers.
        var offset = session.State.TakeRestart();
        await ReceiveAsync(session, session.Resolve(argument), offset, truncate: offset == 0, "Ok to send data.", ct).ConfigureAwait(false);
    }

    private static Task AppendAsync(FtpSession session, string argument, CancellationToken ct)
    {
        session.State.TakeRestart();
        return ReceiveAsync(session, session.Resolve(argument), offset: -1, truncate: false, "Ok to send data.", ct);
    }

    private static async Task StoreUniqueAsync(FtpSession session, string argument, CancellationToken ct)
    {
        session.State.TakeRestart();
        var wanted = session.Resolve(argument.Length > 0 ? argument : "unique");
        var path = wanted;
        for (var i = 1; i < MaxUniqueNames && await session.Store.GetAsync(path, ct).ConfigureAwait(false) is not null; i++)
            path = string.Create(CultureInfo.InvariantCulture, $"{wanted}.{i}");
        await ReceiveAsync(session, path, offset: 0, truncate: true, $"FILE: {VirtualPath.Name(path)}", ct).ConfigureAwait(false);
    }

    private static async Task ReceiveAsync(FtpSession session, string path, long offset, bool truncate, string what, CancellationToken ct)
    {
        if (session.State.Data.Setup is null)
        {
            // Before the file is touched.
            await session.ReplyAsync(425, "Use PASV, EPSV, PORT or EPRT first.", ct).ConfigureAwait(false);
            return;
        }

        var target = await session.Store.OpenWriteAsync(path, offset, truncate, createNew: false, ct).ConfigureAwait(false);
        await DataTransfer.ReceiveAsync(session, what, target, ct).ConfigureAwait(false);
    }

    private static async Task RestartAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var isNumber = long.TryParse(argument, NumberStyles.None, CultureInfo.InvariantCulture, out var offset);
        if (isNumber) (session.State.Restart, session.State.RangeEnd) = (offset, null);
        var (code, text) = isNumber ? (350, $"Restarting at {argument}.") : (501, "That is no offset.");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    /// <summary>The first and the last byte; <c>1 0</c> takes a range back.</summary>
    private static async Task RangeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var words = argument.Split(' ');
        var (start, last) = (0L, 0L);
        var isRange = words.Length == 2
            && long.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out start)
            && long.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out last)
            && (start <= last || (start, last) == (1, 0));
        if (isRange) (session.State.Restart, session.State.RangeEnd) = start <= last ? (start, last + 1) : (0L, (long?)null);
        var (code, text) = isRange ? (350, $"Range {argument}.") : (501, "That is no range.");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task AllocateAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var isNumber = long.TryParse(argument.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out var bytes);
        var (code, text) = !isNumber ? (501, "That is no size.")
            : bytes > session.Store.FreeBytes ? (552, "No space left.")
            : (200, "There is room.");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    /// <summary>The transfer itself was ended when the command arrived, and has been answered 426.</summary>
    private static Task AbortAsync(FtpSession session, string argument, CancellationToken ct) =>
        session.ReplyAsync(226, "Abort successful.", ct).AsTask();
}
