namespace Transfer;

/// <summary>Options for reading a file, or a part.</summary>
public sealed record ReadOptions
{
    /// <summary>The first byte to read.</summary>
    public long Offset { get; init; }

    /// <summary>The most bytes to read; null: to the end.</summary>
    public long? Length { get; init; }

    /// <summary>
    /// Whether the stream is read once, in order, without seeking. The opening then does not request the file's length, which saves a round
    /// trip, and fetching begins at once.
    /// </summary>
    public bool Sequential { get; init; }

    /// <summary>Refuses ranges that no file has.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A property is negative.</exception>
    internal void Validate()
    {
        var rules = new OptionRules(nameof(ReadOptions));
        rules.AtLeast(Offset, 0);
        rules.AtLeast(Length, 0);
    }
}
