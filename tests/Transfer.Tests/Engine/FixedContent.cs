using Transfer.Contents;

namespace Transfer.Tests.Engine;

/// <summary>So many bytes of no interest; null: nobody knows how many, and there are none.</summary>
internal sealed class FixedContent(long? length) : EngineContent
{
    public override long? Length => length;

    public override bool CanReplay => true;

    public override ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        new((int)Math.Min(buffer.Length, (length ?? 0) - offset));
}
