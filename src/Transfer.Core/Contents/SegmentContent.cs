namespace Transfer.Contents;

/// <summary>A segment's view of the file's content; beginning and ending the file is not the segment's part.</summary>
internal sealed class SegmentContent : EngineContent
{
    private readonly EngineContent _whole;
    private readonly IContentRange _range;
    private long _arrived;

    public SegmentContent(EngineContent whole, IContentRange range)
    {
        _whole = whole;
        _range = range;
        _arrived = range.Start;
    }

    public override long? Length => _whole.Length;

    public override bool CanReplay => _whole.CanReplay;

    public override void Prepare() => _whole.Prepare();

    public override ValueTask WhenReadableAsync(long offset, CancellationToken ct) => _whole.WhenReadableAsync(offset, ct);

    public override ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        _whole.ReadAsync(offset, buffer, ct);

    public override ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        _whole.ReadBackAsync(offset, buffer, ct);

    public override async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        await _whole.WriteAsync(offset, data, ct).ConfigureAwait(false);
        // Sessions write in ascending order.
        _arrived = offset + data.Length;
    }

    /// <summary>Keeps the bytes written here. Bytes sent may or may not have arrived, and are sent again.</summary>
    public override ValueTask ResetAsync()
    {
        _range.ContinueAt(_arrived);
        return default;
    }
}
