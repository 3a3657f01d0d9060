namespace Transfer.Journal;

/// <summary>A file goes on where an earlier run of its job was broken off: what was there has been looked at.</summary>
/// <param name="Temporary">Where the beginning is: a path of the target's side.</param>
/// <param name="Holes">What is missing, in order; something always is.</param>
internal sealed record Continuation(string Temporary, IReadOnlyList<(long Start, long End)> Holes)
{
    /// <summary>The ends of what is there were compared with the source.</summary>
    public bool IsCompared { get; init; }

    /// <summary>Several sessions wrote it.</summary>
    public bool IsDivided { get; init; }

    // Sent once more where nothing is missing: so that a file always ends by the same way.
    private const long LeastHole = 64 << 10;

    /// <summary>What is missing beside what has arrived.</summary>
    public static Continuation Of(string temporary, ByteRanges arrived, long length)
    {
        var holes = arrived.Holes(length);
        return new(temporary, holes.Count > 0 ? holes : [(Math.Max(0, length - LeastHole), length)]);
    }

    /// <summary>Bytes that are there.</summary>
    public long Kept(long length) => length - Holes.Sum(hole => hole.End - hole.Start);
}
