using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Names with spaces. Some servers read a name up to a space, or without the spaces at its end, and so list, replace or delete another
/// entry. A server that is not known by name gets one CWD before the first such name, to a name that only such a server finds: that of the
/// log-in folder with a space behind it.
/// </summary>
/// <param name="context">The session.</param>
internal sealed class FtpSpaces(FtpSessionContext context)
{
    // In a folder of anybody's no entry has such a name.
    private const string Absent = " transfer-2f8c61d3a5e94b07";

    private FtpLadder<FtpSpaceUse> Ladder => context.Ladders.Spaces;

    // Below a log-in folder without slashes names are relative, and that folder's own name has a form of its own.
    private bool MayCut => context.Profile is { Flavor: FtpFlavor.Unknown, HasRelativeNames: false };

    /// <summary>Whether a path has a space that a server might read as an end.</summary>
    public static bool Has(string path) => path.Contains(' ', StringComparison.Ordinal);

    /// <summary>Finds out, before paths are sent, whether the server takes those with spaces whole.</summary>
    public async ValueTask ProveAsync(IEnumerable<string> paths, CancellationToken ct)
    {
        if (!MayCut) return;
        foreach (var path in paths.Where(path => Has(path) && WhyRefused(path) is null))
        {
            if (Ladder.Rung < FtpSpaceUse.None && !context.Host.TakesSpaces)
                context.Host.TakesSpaces = await ProveAsync(Absent, FtpSpaceUse.None, ct).ConfigureAwait(false);
            if (Ladder.IsOnFirst && EndsWithSpace(path) && !context.Host.TakesSpacesAtEnd)
                context.Host.TakesSpacesAtEnd = await ProveAsync(" ", FtpSpaceUse.NotAtEnd, ct).ConfigureAwait(false);
        }
    }

    /// <summary>The same, and refuses a path that the server would cut.</summary>
    /// <exception cref="TransferException">The server would take another path for one of these.</exception>
    public async ValueTask CheckAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        await ProveAsync(paths, ct).ConfigureAwait(false);
        foreach (var path in paths)
        {
            if (WhyRefused(path) is { } refusal) throw refusal;
        }
    }

    /// <summary>Why a path is not sent; null: the server takes the path whole, as far as known.</summary>
    public TransferException? WhyRefused(string path)
    {
        var reads = !MayCut ? null : Ladder.Rung switch
        {
            FtpSpaceUse.None when Has(path) => "only up to a space",
            FtpSpaceUse.NotAtEnd when EndsWithSpace(path) => "without the spaces at the end",
            _ => null,
        };
        return reads is null ? null : new TransferException(TransferError.Unsupported,
            $"{path} is not sent: the server reads names {reads}, and another entry might have the rest.")
        {
            RemotePath = path,
        };
    }

    private static bool EndsWithSpace(string path) => path.EndsWith(' ');

    // True: the server finds no such name. False: a cut one, or nothing is known, so that the next path asks again.
    private async ValueTask<bool> ProveAsync(string more, FtpSpaceUse left, CancellationToken ct)
    {
        var anchor = context.Anchor;
        var change = new FtpCommand("CWD", anchor + more);
        var reply = await context.Control.ExecuteAsync(change, ct).ConfigureAwait(false);
        if (!reply.IsSuccess) return reply.IsPermanentFailure;
        // Where any name can be entered, as in stores of objects, PWD has the whole one.
        var entered = FtpHome.Of(await context.ExecuteAsync("PWD", null, ct).ConfigureAwait(false));
        if (entered is null || entered.TrimEnd('/') != anchor.TrimEnd('/')) return true;
        for (var rung = Ladder.Rung; rung < left; rung++) Ladder.Leave(rung, $"{change} has entered {entered}");
        context.Ladders.Confirm();
        return false;
    }
}
