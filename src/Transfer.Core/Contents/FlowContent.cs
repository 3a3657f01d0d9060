using System.Runtime.CompilerServices;
using Transfer.Sessions;

namespace Transfer.Contents;

/// <summary>A content whose bytes wait for the client's limit and the job's pause, in parts, so that sessions take turns.</summary>
internal sealed class FlowContent : IContent
{
    private readonly ContentFlow _flow;
    private readonly EngineContent _content;

    public FlowContent(ContentFlow flow, EngineContent content)
    {
        _flow = flow;
        _content = content;
    }

    public long? Length => _content.Length;

    public bool CanReplay => _content.CanReplay;

    public ValueTask WhenReadableAsync(long offset, CancellationToken ct) => _content.WhenReadableAsync(offset, ct);

    public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        _flow.IsUnthrottled ? _content.ReadAsync(offset, buffer, ct) : ReadInTurnAsync(offset, buffer, ct);

    public ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct) =>
        _flow.IsUnthrottled ? _content.WriteAsync(offset, data, ct) : WriteInTurnAsync(offset, data, ct);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReadInTurnAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        var most = Math.Min(buffer.Length, _flow.MostAtOnce);
        // Reading the end of a file takes no turn.
        var expected = (int)Math.Clamp((_content.Length ?? long.MaxValue) - offset, 0, most);
        await _flow.AdmitAsync(expected, ct).ConfigureAwait(false);
        var read = 0;
        try
        {
            return read = await _content.ReadAsync(offset, buffer[..most], ct).ConfigureAwait(false);
        }
        finally
        {
            _flow.Return(expected - read);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask WriteInTurnAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        do
        {
            var part = data[..Math.Min(data.Length, _flow.MostAtOnce)];
            await _flow.AdmitAsync(part.Length, ct).ConfigureAwait(false);
            await _content.WriteAsync(offset, part, ct).ConfigureAwait(false);
            offset += part.Length;
            data = data[part.Length..];
        }
        while (data.Length > 0);
    }
}
