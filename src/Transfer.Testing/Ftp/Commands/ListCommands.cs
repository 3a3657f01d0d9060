using System.IO.Enumeration;
using System.Runtime.CompilerServices;
using Transfer.Testing.Ftp.Data;
using Transfer.Testing.Listing;
using Transfer.Testing.Stores;

namespace Transfer.Testing.Ftp.Commands;

/// <summary>Listings over a data connection (RFC 959 4.1.3, RFC 3659 7).</summary>
internal static class ListCommands
{
    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("LIST", new(ListAsync, IsTransfer: true)),
        new("NLST", new(NamesAsync, IsTransfer: true)),
        new("MLSD", new(MachineAsync, IsTransfer: true)),
    ];

    /// <summary>The lines of a folder itself and of the one above.</summary>
    public static async Task<string[]> DotLinesAsync(FtpSession session, string folder, CancellationToken ct)
    {
        var now = session.Options.TimeProvider.GetUtcNow();
        return await session.Store.GetAsync(folder, ct).ConfigureAwait(false) is { } entry
            ? [HumanListing.Line(entry, ".", FtpListingStyle.Unix, now), HumanListing.Line(entry, "..", FtpListingStyle.Unix, now)] : [];
    }

    /// <summary>Lines of LIST for a folder, a file or a pattern.</summary>
    public static IAsyncEnumerable<string> Lines(FtpSession session, ListTarget target, CancellationToken ct)
    {
        var now = session.Options.TimeProvider.GetUtcNow();
        return EntriesAsync(session, target, ct).Select(
            entry => HumanListing.Line(session.Core.Followed(entry, inList: true), entry.Name, session.Options.ListingStyle, now));
    }

    private static async Task ListAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var target = await ListTarget.FindAsync(session, argument, ct).ConfigureAwait(false);
        await SendAsync(session, Lines(session, target, ct), ct).ConfigureAwait(false);
    }

    private static async Task NamesAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var target = await ListTarget.FindAsync(session, argument, ct).ConfigureAwait(false);
        var prefix = target.NamePrefix;
        await SendAsync(session, EntriesAsync(session, target, ct).Select(entry => prefix + entry.Name), ct).ConfigureAwait(false);
    }

    private static async Task MachineAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        var entry = await session.Store.GetAsync(path, ct).ConfigureAwait(false) ?? throw new DirectoryNotFoundException();
        if (!entry.IsDirectory)
        {
            // RFC 3659 7.2.1: 501 when the argument is no directory.
            await session.State.Data.DropSetupAsync().ConfigureAwait(false);
            await session.ReplyAsync(501, "That is no directory.", ct).ConfigureAwait(false);
            return;
        }

        await SendAsync(session, MachineLinesAsync(session, path, entry, ct), ct).ConfigureAwait(false);
    }

    private static async IAsyncEnumerable<string> MachineLinesAsync(FtpSession session, string path, TestEntry folder,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var facts = session.State.Facts;
        yield return MachineListing.Line(folder, ".", facts, "cdir");
        if (path != "/") yield return MachineListing.Line(folder, "..", facts, "pdir");
        await foreach (var entry in session.Store.ListAsync(path, ct).ConfigureAwait(false))
        {
            if (entry.IsDangling && session.Options.LinkListing == FtpLinkListing.ListOnly) continue;
            yield return MachineListing.Line(
                session.Core.Followed(session.Core.Shown(entry, VirtualPath.Combine(path, entry.Name)), inList: false), entry.Name, facts);
        }
    }

    private static async IAsyncEnumerable<TestEntry> EntriesAsync(FtpSession session, ListTarget target,
        [EnumeratorCancellation] CancellationToken ct)
    {
        if (target.File is { } file)
        {
            yield return session.Core.Shown(file, target.Path);
            yield break;
        }

        await foreach (var entry in session.Store.ListAsync(target.Path, ct).ConfigureAwait(false))
        {
            if (target.Pattern is { } pattern && !FileSystemName.MatchesSimpleExpression(pattern, entry.Name, ignoreCase: false)) continue;
            yield return session.Core.Shown(entry, VirtualPath.Combine(target.Path, entry.Name));
        }
    }

    private static Task SendAsync(FtpSession session, IAsyncEnumerable<string> lines, CancellationToken ct) =>
        DataTransfer.SendAsync(session, "Here comes the listing.", new ListingStream(lines, session.Core.Encoding), ct);
}
