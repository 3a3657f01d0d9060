using System.Buffers;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Converts line ends for TYPE A (RFC 959 section 3.1.1.1): the system's own here, CR LF on the wire. Calls come strictly in order,
/// with offsets of the wire.
/// </summary>
internal sealed class AsciiContent : IContent
{
    private static readonly bool SystemUsesCrLf = Environment.NewLine == "\r\n";

    private readonly IContent _inner;
    private long _position;
    private bool _afterCr;

    public AsciiContent(IContent inner) => _inner = inner;

    /// <summary>The number of bytes of the text with local line ends.</summary>
    public long Position => _position;

    public long? Length => null;

    public bool CanReplay => false;

    public ValueTask WhenReadableAsync(long offset, CancellationToken ct) => _inner.WhenReadableAsync(_position, ct);

    public async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        // Each byte may become two.
        var raw = ArrayPool<byte>.Shared.Rent(Math.Max(1, buffer.Length / 2));
        try
        {
            var count = await _inner.ReadAsync(_position, raw.AsMemory(0, Math.Max(1, buffer.Length / 2)), ct).ConfigureAwait(false);
            _position += count;
            return ToWire(raw.AsSpan(0, count), buffer.Span);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(raw);
        }
    }

    public async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        var local = ArrayPool<byte>.Shared.Rent(data.Length + 1);
        try
        {
            var count = FromWire(data.Span, local);
            await _inner.WriteAsync(_position, local.AsMemory(0, count), ct).ConfigureAwait(false);
            _position += count;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(local);
        }
    }

    /// <summary>Writes a CR that was held back because an LF might have followed.</summary>
    public async ValueTask FinishAsync(CancellationToken ct)
    {
        if (!_afterCr) return;
        _afterCr = false;
        await _inner.WriteAsync(_position++, "\r"u8.ToArray(), ct).ConfigureAwait(false);
    }

    private int ToWire(ReadOnlySpan<byte> raw, Span<byte> wire)
    {
        var length = 0;
        foreach (var value in raw)
        {
            if (value == '\n' && !_afterCr) wire[length++] = (byte)'\r';
            wire[length++] = value;
            _afterCr = value == '\r';
        }
        return length;
    }

    private int FromWire(ReadOnlySpan<byte> wire, Span<byte> local)
    {
        var length = 0;
        foreach (var value in wire)
        {
            if (_afterCr && (value != '\n' || SystemUsesCrLf)) local[length++] = (byte)'\r';
            _afterCr = value == '\r';
            if (!_afterCr) local[length++] = value;
        }
        return length;
    }
}
