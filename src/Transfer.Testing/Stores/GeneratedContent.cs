namespace Transfer.Testing.Stores;

/// <summary><see cref="SyntheticContent"/> as a read-only file.</summary>
internal sealed class GeneratedContent : MemoryContent
{
    private readonly int _seed;

    public GeneratedContent(long length, int seed)
    {
        Length = length;
        _seed = seed;
    }

    public override long Length { get; }

    public override int Read(long offset, Span<byte> destination)
    {
        var count = (int)Math.Clamp(Length - offset, 0, destination.Length);
        SyntheticContent.Fill(destination[..count], offset, _seed);
        return count;
    }

    public override void Write(long offset, ReadOnlySpan<byte> source) =>
        throw new UnauthorizedAccessException("Generated files are read-only.");

    public override void Truncate(long length) => throw new UnauthorizedAccessException("Generated files are read-only.");
}
