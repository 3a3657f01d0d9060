namespace Transfer.Benchmarks.Columns;

/// <summary>How much one invocation moves, for the columns that tell of bytes.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class MovesAttribute(long bytes) : Attribute
{
    public long Bytes => bytes;

    /// <summary>The bytes of one piece, a packet or a file; 0: <see cref="PieceParameter"/> says it, or there are none.</summary>
    public int PieceSize { get; init; }

    /// <summary>The parameter that holds the bytes of one piece.</summary>
    public string? PieceParameter { get; init; }
}
