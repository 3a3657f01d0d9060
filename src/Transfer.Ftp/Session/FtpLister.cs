using System.Runtime.CompilerServices;
using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>Lists one directory over a data connection: MLSD (RFC 3659 section 7), else LIST after a CWD, which says whether the directory exists and needs no quoting.</summary>
internal sealed class FtpLister
{
    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;

    public FtpLister(FtpSessionContext context, FtpDataOpener opener)
    {
        _context = context;
        _opener = opener;
    }

    /// <summary>Lists as the server does it best.</summary>
    public IAsyncEnumerable<RemoteEntry> ListAsync(string directory, CancellationToken ct) =>
        ListAsync(directory, _context.Profile.Mlst, _context.Profile.ListTakesOptions, ct);

    /// <summary>Lists by the command that is named.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="mlsd">MLSD, else LIST.</param>
    /// <param name="options">LIST gets <c>-a</c>.</param>
    /// <param name="ct">Cancels.</param>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, bool mlsd, bool options, [EnumeratorCancellation] CancellationToken ct)
    {
        await _opener.PrepareAsync(ct).ConfigureAwait(false);
        var path = _context.Expand(directory);
        var command = mlsd ? new FtpCommand("MLSD", path) : new FtpCommand("LIST", options ? "-a" : null);
        if (!mlsd)
        {
            var change = new FtpCommand("CWD", path);
            var reply = await _context.Control.ExecuteAsync(change, ct).ConfigureAwait(false);
            if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, change, directory, writes: false);
        }

        var exchange = await FtpExchange.StartAsync(_context, _opener, command, directory, sends: false, ct).ConfigureAwait(false);
        await using var ended = exchange.ConfigureAwait(false);
        var listing = new ListingContext { Now = _context.Options.TimeProvider.GetUtcNow(), Offset = _context.Options.ListingOffset };
        var entries = ListingReader.ReadAsync(exchange.ReadAsync, mlsd ? ListingKind.Mlsd : ListingKind.List, directory,
            _context.Control.Encoding, listing, _context.Logger, ct);
        await foreach (var entry in entries.ConfigureAwait(false))
            yield return entry with { IsLengthApproximate = entry.IsLengthApproximate || !_context.HasExactLengths };
        await exchange.FinishAsync(ct).ConfigureAwait(false);
    }
}
