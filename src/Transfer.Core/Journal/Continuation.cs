namespace Transfer.Journal;

/// <summary>The continuation of a file that an earlier run or attempt left unfinished, after a look at the bytes there.</summary>
/// <param name="Temporary">The path of the partial file, at the target's side.</param>
/// <param name="Holes">The missing ranges, in order; never empty.</param>
internal sealed record Continuation(string Temporary, IReadOnlyList<(long Start, long End)> Holes)
{
    /// <summary>Whether the ends of the ranges there were compared with the source.</summary>
    public bool IsCompared { get; init; }

    /// <summary>Whether several sessions wrote the file.</summary>
    public bool IsDivided { get; init; }

    // Bytes sent again where none are missing, so that every file ends in the same way.
    private const long LeastHole = 64 << 10;

    /// <summary>The continuation of a file of which some ranges have arrived.</summary>
    public static Continuation Of(string temporary, ByteRanges arrived, long length)
    {
        var holes = arrived.Holes(length);
        return new(temporary, holes.Count > 0 ? holes : [(Math.Max(0, length - LeastHole), length)]);
    }

    /// <summary>The number of bytes that are there.</summary>
    public long ArrivedBytes(long length) => length - Holes.Sum(hole => hole.End - hole.Start);
}
