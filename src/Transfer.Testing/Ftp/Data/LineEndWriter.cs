using System.Buffers;
using Transfer.Sessions;

namespace Transfer.Testing.Ftp.Data;

/// <summary>TYPE A (RFC 959 3.1.1.1): lines end with CR LF on the network and with LF in the store.</summary>
internal sealed class LineEndWriter : SequentialStream
{
    private const byte Cr = (byte)'\r';
    private const byte Lf = (byte)'\n';

    private readonly Stream _inner;
    private readonly bool _toNetwork;
    private bool _afterCr;

    public LineEndWriter(Stream inner, bool toNetwork)
    {
        _inner = inner;
        _toNetwork = toNetwork;
    }

    public override bool CanWrite => true;

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var output = ArrayPool<byte>.Shared.Rent(2 * buffer.Length + 1);
        try
        {
            var count = Convert(buffer.Span, output);
            await _inner.WriteAsync(output.AsMemory(0, count), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(output);
        }
    }

    /// <summary>Also writes a CR that was held back for a possible LF: call only at the end.</summary>
    public override async Task FlushAsync(CancellationToken cancellationToken)
    {
        if (!_toNetwork && _afterCr)
        {
            _afterCr = false;
            await _inner.WriteAsync(new[] { Cr }, cancellationToken).ConfigureAwait(false);
        }

        await _inner.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    public override void Flush() => throw new NotSupportedException("Async only.");

    private int Convert(ReadOnlySpan<byte> input, Span<byte> output)
    {
        var count = 0;
        foreach (var value in input)
        {
            if (_toNetwork)
            {
                if (value == Lf && !_afterCr) output[count++] = Cr;
                output[count++] = value;
                _afterCr = value == Cr;
                continue;
            }

            if (_afterCr && value != Lf) output[count++] = Cr;
            _afterCr = value == Cr;
            if (!_afterCr) output[count++] = value;
        }

        return count;
    }
}
