using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive.Format;

/// <summary>How the memory of one job is shared out (docs/limits.md, "Memory"). What waits for one part never keeps another, so no two can wait for each other.</summary>
internal sealed record JobBuffers
{
    /// <summary>What a job has unless it is told otherwise.</summary>
    public const long Usual = 64 << 20;

    private const long Least = 16 << 20;
    private const long LeastOfLane = 512 << 10;
    private const int LeastAhead = LinkConnection.SegmentLength;
    private const int LeastFrameBits = 14;

    // What a lane of a spool has beside archives: an archive is read, and copied, in pieces.
    private const int SpoolPieces = 128 << 10;

    /// <summary>Where nobody has said how much there may be.</summary>
    public static JobBuffers Unbounded { get; } = new() { Archives = new ByteBudget(long.MaxValue), Steps = new ByteBudget(long.MaxValue) };

    /// <summary>For archives that are packed, held or unpacked at this moment.</summary>
    public required ByteBudget Archives { get; init; }

    /// <summary>For the instructions of deltas that are planned and not confirmed.</summary>
    public ByteBudget Steps { get; init; } = new(0);

    /// <summary>Bytes for signatures that are asked for and compared.</summary>
    public long Signatures { get; init; } = 32 << 20;

    /// <summary>What a connection reads ahead, and what it writes behind, each.</summary>
    public int Ahead { get; init; } = LinkConnection.MostAhead;

    /// <summary>The payload of an archive's frames, as a power of two.</summary>
    public int FrameBits { get; init; } = ArchiveHeader.UsualFrameBits;

    /// <summary>What packing an archive takes.</summary>
    public long Packing => PackingWith(FrameBits);

    /// <summary>Refuses what is too little.</summary>
    /// <param name="bytes">What the job may have.</param>
    /// <param name="lanes">Its lanes.</param>
    /// <param name="name">Of the argument.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is too little.</exception>
    public static void Check(long bytes, int lanes, string name)
    {
        var least = Math.Max(Least, LeastOfLane * lanes);
        if (bytes < least) throw new ArgumentOutOfRangeException(name, bytes, $"MaxBufferBytes must be {least} at least: 16 MiB, and 512 KiB for each of {lanes} sessions.");
    }

    /// <summary>Of a sender over connections: a quarter for what they write behind and read ahead, and of what is left nearly all for deltas, if there are any.</summary>
    public static JobBuffers ForSending(long bytes, int lanes, bool deltas)
    {
        var ahead = AheadOf(bytes / 8, lanes);
        return Sending(bytes - (2L * ahead * lanes), deltas ? bytes / 2 : 0, deltas ? bytes / 16 : 0, archives => archives / lanes) with { Ahead = ahead };
    }

    /// <summary>Of a receiver over connections: half of it for them, and half for what is unpacked. How many there will be is the sender's word.</summary>
    public static JobBuffers ForReceiving(long bytes, int lanes)
    {
        var ahead = AheadOf(bytes / 4, lanes);
        return new JobBuffers { Archives = new ByteBudget(bytes - (2L * ahead * lanes)), Ahead = ahead };
    }

    /// <summary>Of a sender into a spool: what is known of files is at hand, so that less is asked for at once. Archives are held whole, and packing has what is left to the line.</summary>
    public static JobBuffers ForSpooling(long bytes, int lanes, bool deltas) =>
        Sending(bytes - (SpoolPieces * lanes), deltas ? bytes / 4 : 0, deltas ? bytes / 16 : 0, archives => archives / 4 / lanes);

    /// <summary>Of a fetcher.</summary>
    public static JobBuffers ForFetching(long bytes, int lanes) => new() { Archives = new ByteBudget(bytes - (SpoolPieces * lanes)) };

    private static JobBuffers Sending(long bytes, long signatures, long steps, Func<long, long> ofLane)
    {
        var archives = bytes - signatures - steps;
        var bits = ArchiveHeader.UsualFrameBits;
        // All lanes pack at once: shorter frames rather than lanes that stand still.
        while (bits > LeastFrameBits && PackingWith(bits) > ofLane(archives)) bits--;
        return new JobBuffers { Archives = new ByteBudget(archives), Steps = new ByteBudget(steps), Signatures = signatures, FrameBits = bits };
    }

    private static int AheadOf(long bytes, int lanes) => (int)Math.Clamp(bytes / lanes, LeastAhead, LinkConnection.MostAhead);

    private static long PackingWith(int frameBits) => ArchiveWriter.BytesFor(1 << frameBits) + LinkWriter.DataLength;
}
