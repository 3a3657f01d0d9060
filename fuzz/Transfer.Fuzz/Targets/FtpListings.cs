using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Ftp.Listing;

namespace Transfer.Fuzz.Targets;

/// <summary>Listings, in every format and by inference.</summary>
internal static class FtpListings
{
    private const string Folder = "/pub";

    private static readonly ListingContext Context = new() { Now = new DateTimeOffset(2024, 6, 15, 12, 0, 0, TimeSpan.Zero) };

    public static void ReadList(byte[] input) => Read(ListingKind.List, input);

    public static void ReadMlsd(byte[] input) => Read(ListingKind.Mlsd, input);

    private static void Read(ListingKind kind, byte[] input)
    {
        var whole = ReadAsync(kind, input, 4096).AsTask().GetAwaiter().GetResult();
        foreach (var entry in whole.Entries)
        {
            if (entry.Name.Length == 0 || entry.Name.AsSpan().ContainsAny('\0', '/') || entry.Name is "." or "..")
                throw new FuzzException("A name that no folder can hold is given.");
            if (entry.Length < 0) throw new FuzzException("A length is negative.");
        }

        var pieces = ReadAsync(kind, input, 7).AsTask().GetAwaiter().GetResult();
        if (whole.Summary.Skipped != pieces.Summary.Skipped || !whole.Entries.SequenceEqual(pieces.Entries))
            throw new FuzzException("In pieces it is another listing.");
    }

    private static async ValueTask<(List<RemoteEntry> Entries, ListingSummary Summary)> ReadAsync(ListingKind kind, byte[] input, int step)
    {
        var at = 0;
        var (entries, summary) = (new List<RemoteEntry>(), new ListingSummary());
        await foreach (var entry in ListingReader.ReadAsync(Next, kind, Folder, NameEncoding.LosslessUtf8, Context, summary,
            NullLogger.Instance))
        {
            entries.Add(entry);
        }

        return (entries, summary);

        ValueTask<int> Next(Memory<byte> into, CancellationToken ct)
        {
            var count = Math.Min(Math.Min(step, into.Length), input.Length - at);
            input.AsMemory(at, count).CopyTo(into);
            at += count;
            return new(count);
        }
    }
}
