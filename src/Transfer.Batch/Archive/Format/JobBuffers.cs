using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive.Format;

/// <summary>How the memory of one job is shared out (docs/limits.md, "Memory"). A waiter for one part never holds another part, so no two
/// can wait for each other.</summary>
internal sealed record JobBuffers
{
    /// <summary>The memory of a job, unless the options set another.</summary>
    public const long Usual = 64 << 20;

    private const long Least = 16 << 20;
    private const long LeastOfLane = 512 << 10;
    private const int LeastAhead = LinkConnection.SegmentLength;
    private const int LeastFrameBits = 14;

    // The memory of a spool's lane beside archives: an archive is read, and copied, in pieces.
    private const int SpoolPieces = 128 << 10;

    /// <summary>The buffers of a job without a limit.</summary>
    public static JobBuffers Unbounded { get; } = new() { Archives = new ByteBudget(long.MaxValue), Steps = new ByteBudget(long.MaxValue) };

    /// <summary>The budget of archives that are packed, held or unpacked at this moment.</summary>
    public required ByteBudget Archives { get; init; }

    /// <summary>The budget of the instructions of deltas that are planned and not confirmed.</summary>
    public ByteBudget Steps { get; init; } = new(0);

    /// <summary>The bytes for signatures that are requested and compared.</summary>
    public long Signatures { get; init; } = 32 << 20;

    /// <summary>The bytes that a connection reads ahead and that a connection writes behind, each.</summary>
    public int Ahead { get; init; } = LinkConnection.MostAhead;

    /// <summary>The payload of an archive's frames, as a power of two.</summary>
    public int FrameBits { get; init; } = ArchiveHeader.UsualFrameBits;

    /// <summary>The memory for packing an archive.</summary>
    public long Packing => PackingWith(FrameBits);

    /// <summary>Checks that a job has enough memory.</summary>
    /// <param name="bytes">The limit of the job.</param>
    /// <param name="lanes">The number of the job's lanes.</param>
    /// <param name="name">The name of the argument.</param>
    /// <exception cref="ArgumentOutOfRangeException">The limit is too low.</exception>
    public static void Check(long bytes, int lanes, string name)
    {
        var least = Math.Max(Least, LeastOfLane * lanes);
        if (bytes < least)
        {
            throw new ArgumentOutOfRangeException(name, bytes,
                $"MaxBufferBytes must be {least} at least: 16 MiB, and 512 KiB for each of {lanes} sessions.");
        }
    }

    /// <summary>Returns the buffers of a sender over connections: a quarter for writing behind and reading ahead, and, with deltas, nearly
    /// all of the rest for these.</summary>
    public static JobBuffers ForSending(long bytes, int lanes, bool deltas)
    {
        var ahead = AheadOf(bytes / 8, lanes);
        return Sending(bytes - (2L * ahead * lanes), deltas ? bytes / 2 : 0, deltas ? bytes / 16 : 0,
            archives => archives / lanes) with
        { Ahead = ahead };
    }

    /// <summary>Returns the buffers of a receiver over connections: half for the connections, and half for unpacking. The sender decides on
    /// the number of connections.</summary>
    public static JobBuffers ForReceiving(long bytes, int lanes)
    {
        var ahead = AheadOf(bytes / 4, lanes);
        return new JobBuffers { Archives = new ByteBudget(bytes - (2L * ahead * lanes)), Ahead = ahead };
    }

    /// <summary>Returns the buffers of a sender into a spool. The facts about recipients' files are local, so fewer requests run at once.
    /// Archives are held whole; packing has the memory that the line does not use.</summary>
    public static JobBuffers ForSpooling(long bytes, int lanes, bool deltas) =>
        Sending(bytes - (SpoolPieces * lanes), deltas ? bytes / 4 : 0, deltas ? bytes / 16 : 0, archives => archives / 4 / lanes);

    /// <summary>Returns the buffers of a fetcher.</summary>
    public static JobBuffers ForFetching(long bytes, int lanes) => new() { Archives = new ByteBudget(bytes - (SpoolPieces * lanes)) };

    private static JobBuffers Sending(long bytes, long signatures, long steps, Func<long, long> ofLane)
    {
        var archives = bytes - signatures - steps;
        var bits = ArchiveHeader.UsualFrameBits;
        // All lanes pack at once: shorter frames rather than lanes that stand still.
        while (bits > LeastFrameBits && PackingWith(bits) > ofLane(archives)) bits--;
        return new JobBuffers
        {
            Archives = new ByteBudget(archives),
            Steps = new ByteBudget(steps),
            Signatures = signatures,
            FrameBits = bits
        };
    }

    private static int AheadOf(long bytes, int lanes) => (int)Math.Clamp(bytes / lanes, LeastAhead, LinkConnection.MostAhead);

    private static long PackingWith(int frameBits) => ArchiveWriter.BytesFor(1 << frameBits) + LinkWriter.DataLength;
}
