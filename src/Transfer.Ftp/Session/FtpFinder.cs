using System.Buffers;
using System.Security.Cryptography;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Finds the entries of many directories in one flight, by STAT (RFC 959 section 4.1.3): lines of <c>ls -l</c> on the control connection.
/// STAT proves no absence: servers cut the lines without notice (Pure-FTPd), and an empty answer has other reasons too.
/// </summary>
/// <remarks>
/// A name with a line end can look like the end of one reply and the beginning of another, and give one directory's entries to the next.
/// Such names only add replies. So the flight ends with commands of two kinds in an order of chance: with a reply too many, theirs come
/// late, and nobody who makes names knows the order.
/// </remarks>
internal sealed class FtpFinder
{
    /// <summary>The most directories in one flight.</summary>
    public const int Together = 256;

    private const int Marks = 32;

    // Of all lines in one flight.
    private const int MostBytes = 8 << 20;

    // Characters of patterns, options and quotes, which servers take for more than a name.
    private static readonly SearchValues<char> Special = SearchValues.Create("*?[]{}~\\ \t\"'");

    private readonly FtpSessionContext _context;
    private int _tooLong;
    private int _found;

    /// <param name="context">The session.</param>
    public FtpFinder(FtpSessionContext context) => _context = context;

    /// <summary>
    /// Whether STAT may be used. Where MLST shows links as directories, each directory found would cost a proof
    /// (<see cref="FtpDirectoryProofs"/>). Long directories are listed in any case: where these prevail, their lines would come twice.
    /// </summary>
    public bool IsOffered => _context.Ladders.Find.IsOnFirst && _context.Pipelining == FtpPipelining.Batched
        && _context.Profile is { Mlst: false, HasRelativeNames: false } && _tooLong <= 2 * _found + Together;

    /// <summary>Whether STAT was compared with a listing of this host.</summary>
    public bool IsTrusted => IsOffered && _context.Host.FindsByStat;

    /// <summary>Whether STAT takes the path of a directory for that and nothing else.</summary>
    public bool Takes(string directory)
    {
        var path = _context.Expand(directory);
        return path is ['/', ..] && !path.AsSpan().ContainsAny(Special)
            && FtpNames.WhyUnsendable(path, _context.Control.Encoding) is null;
    }

    /// <summary>Finds the entries of directories. One result a directory: null: to be listed, since STAT shows none, or not all.</summary>
    /// <exception cref="TransferConnectionException">The session is lost, maybe for a reply that fits nothing.</exception>
    public async ValueTask<IReadOnlyList<IReadOnlyList<RemoteEntry>?>> FindAsync(IReadOnlyList<string> directories, CancellationToken ct)
    {
        var room = new FtpLineRoom(MostBytes);
        FtpReplyLines[] lines = [.. directories.Select(_ => new FtpReplyLines(room))];
        var marks = RandomNumberGenerator.GetItems<FtpCommand>([new("NOOP"), new("PWD")], Marks);
        FtpCommand[] commands =
        [
            .. directories.Select((directory, i) => new FtpCommand("STAT", _context.Expand(directory)) { Lines = lines[i] }), .. marks,
        ];
        var found = new IReadOnlyList<RemoteEntry>?[lines.Length];
        try
        {
            var replies = await new FtpCommandWindow(_context, commands) { HoldsNames = true }.RunAsync(ct).ConfigureAwait(false);
            for (var i = 0; i < Marks; i++)
            {
                if (replies[lines.Length + i].Code != (marks[i].Is("PWD") ? 257 : 200))
                    throw Broken($"a reply too many ({replies[lines.Length + i].Code} to {marks[i]})");
            }
            for (var i = 0; i < found.Length; i++)
                found[i] = await ReadAsync(directories[i], replies[i], lines[i], ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException e) when (e.Error is TransferError.Protocol or TransferError.Timeout)
        {
            _context.Ladders.Find.Leave(FtpOffer.Used, e.Message, mayPass: e.Error == TransferError.Timeout);
            throw;
        }
        return found;
    }

    /// <summary>Compares STAT of a directory with a listing, once a host, before STAT is trusted.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="listed">The names and types of the listing.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask CompareAsync(string directory, IReadOnlyDictionary<string, RemoteEntryType> listed, CancellationToken ct)
    {
        var found = (await FindAsync([directory], ct).ConfigureAwait(false))[0];
        if (found is not null && IsSame(found, listed)) _context.Host.FindsByStat = true;
        // The directory may have changed meanwhile.
        else _context.Ladders.Find.Leave(FtpOffer.Used, "STAT and a listing show different entries", mayPass: found is not null);
    }

    // MLSD follows links on some servers, and omits those that lead nowhere.
    private static bool IsSame(IReadOnlyList<RemoteEntry> found, IReadOnlyDictionary<string, RemoteEntryType> listed)
    {
        var names = found.Select(entry => entry.Name).ToHashSet(StringComparer.Ordinal);
        return listed.Keys.All(names.Contains) && found.All(
            entry => entry.Type == RemoteEntryType.Link || listed.TryGetValue(entry.Name, out var type) && type == entry.Type);
    }

    private async ValueTask<IReadOnlyList<RemoteEntry>?> ReadAsync(string directory, FtpReply reply, FtpReplyLines lines,
        CancellationToken ct)
    {
        if (reply.Code >= 400) return null;
        if (reply.Code is < 211 or > 213) throw Broken($"the reply {reply.Code} to STAT");
        if (lines.IsTooLong)
        {
            _tooLong++;
            return null;
        }
        var (entries, summary, rest) = (new List<RemoteEntry>(), new ListingSummary(), lines.Text);
        var clock = new ListingContext { Now = _context.Options.TimeProvider.GetUtcNow(), Offset = _context.Options.ListingOffset };
        var read = ListingReader.ReadAsync((buffer, _) => new(Take(ref rest, buffer)), ListingKind.List, directory,
            _context.Control.Encoding, clock, summary, _context.Logger, ct);
        await foreach (var entry in read.ConfigureAwait(false))
            entries.Add(_context.HasExactLengths ? entry : entry with { IsLengthApproximate = true });
        if (summary.Skipped > 0 || entries.Count > 0 && !summary.IsUnix)
            throw Broken($"a line that fits nothing ({summary.FirstSkipped})");
        if (summary.Dropped > 0 || entries.Count == 0) return null;
        _found++;
        return entries;
    }

    private static int Take(ref ReadOnlyMemory<byte> rest, Memory<byte> buffer)
    {
        var count = Math.Min(rest.Length, buffer.Length);
        rest[..count].CopyTo(buffer);
        rest = rest[count..];
        return count;
    }

    private TransferConnectionException Broken(string what)
    {
        var fault = new TransferConnectionException(TransferError.Protocol, $"The server's answers to STAT hold {what}.")
        {
            IsTransient = true
        };
        _context.Control.Break(fault);
        return fault;
    }
}
