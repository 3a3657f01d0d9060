using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.Extensions.Logging;

namespace Transfer.Ftp.Listing;

/// <summary>Reads the listing of MLSD or LIST from a data connection.</summary>
internal static class ListingReader
{
    /// <summary>
    /// Returns the entries as they arrive, without <c>.</c> and <c>..</c>; memory does not grow with the listing. A line that no format
    /// fits is counted and skipped, with one warning for the listing.
    /// </summary>
    /// <param name="read">Fills a part of the memory and returns the number of bytes; 0 is the end.</param>
    /// <param name="kind">The command that was sent.</param>
    /// <param name="directory">The listed directory's path, with which the entries' paths begin.</param>
    /// <param name="encoding">The encoding of names; ASCII bytes must mean ASCII.</param>
    /// <param name="context">The clock for LIST.</param>
    /// <param name="summary">Counts the lines; complete when the enumeration has ended.</param>
    /// <param name="logger">Receives the warnings.</param>
    /// <param name="ct">Cancels the reading.</param>
    /// <exception cref="TransferException">A line is longer than 32 KiB (<see cref="TransferError.Protocol"/>), or too many lines give no
    /// entry (<see cref="TransferError.Partial"/>).</exception>
    public static async IAsyncEnumerable<RemoteEntry> ReadAsync(
        Func<Memory<byte>, CancellationToken, ValueTask<int>> read,
        ListingKind kind,
        string directory,
        Encoding encoding,
        ListingContext context,
        ListingSummary summary,
        ILogger logger,
        [EnumeratorCancellation] CancellationToken ct = default)
    {
        using var lines = new LineBuffer();
        using var interpreter = new ListingInterpreter(kind, directory, encoding, context, summary);
        try
        {
            bool more;
            do
            {
                ct.ThrowIfCancellationRequested();
                more = await lines.FillAsync(read, ct).ConfigureAwait(false);
                while (interpreter.TryRead(lines, final: !more, out var entry)) yield return entry;
            }
            while (more);
        }
        finally
        {
            interpreter.Complete();
            if (summary.Skipped > 0) Log.ListingLinesSkipped(logger, summary.Skipped, directory);
            if (summary.Dropped > 0) Log.ListingNamesDropped(logger, summary.Dropped, directory);
        }
    }
}
