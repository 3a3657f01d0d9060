using System.Text;
using Transfer.Sessions;

namespace Transfer.Testing.Listing;

/// <summary>A listing as a stream of lines formatted during reading, so that a directory of any size takes no memory.</summary>
internal sealed class ListingStream : SequentialStream
{
    private const int BatchBytes = 32 * 1024;

    private readonly IAsyncEnumerable<string> _lines;
    private readonly Encoding _encoding;
    private IAsyncEnumerator<string>? _enumerator;
    private byte[] _batch = [];
    private int _at;

    public ListingStream(IAsyncEnumerable<string> lines, Encoding encoding)
    {
        _lines = lines;
        _encoding = encoding;
    }

    public override bool CanRead => true;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_at == _batch.Length)
        {
            _batch = await NextAsync(cancellationToken).ConfigureAwait(false);
            _at = 0;
        }

        var count = Math.Min(buffer.Length, _batch.Length - _at);
        _batch.AsMemory(_at, count).CopyTo(buffer);
        _at += count;
        return count;
    }

    public override async ValueTask DisposeAsync()
    {
        if (_enumerator is not null) await _enumerator.DisposeAsync().ConfigureAwait(false);
        _enumerator = null;
        await base.DisposeAsync().ConfigureAwait(false);
    }

    private async ValueTask<byte[]> NextAsync(CancellationToken ct)
    {
        _enumerator ??= _lines.GetAsyncEnumerator(ct);
        var text = new StringBuilder();
        while (text.Length < BatchBytes && await _enumerator.MoveNextAsync().ConfigureAwait(false))
            text.Append(_enumerator.Current).Append("\r\n");
        return _encoding.GetBytes(text.ToString());
    }
}
