using System.Net.Sockets;

namespace Transfer.Testing.Tls;

/// <summary>
/// Reads for an SslStream and never returns bytes of two TLS records in one read: so the SslStream swallows no bytes after the last
/// record, and the connection can go on in the clear after CCC.
/// </summary>
internal sealed class RecordBoundaryStream : PassThroughStream
{
    private const int HeaderLength = 5;
    private const byte FirstRecordType = 20;
    private const byte LastRecordType = 24;

    private readonly byte[] _header = new byte[HeaderLength];
    private int _headerRead;
    private int _headerGiven;
    private int _left;
    private bool _ending;
    private bool _plain;

    public RecordBoundaryStream(NetworkStream inner)
        : base(inner)
    {
    }

    /// <summary>
    /// From here on bytes that are no TLS record end the TLS stream instead of breaking it: some clients skip close_notify.
    /// </summary>
    public void ExpectEndOfTls() => _ending = true;

    /// <summary>Passes bytes through unchanged from here on.</summary>
    public void EndTls() => _plain = true;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (buffer.IsEmpty) return 0;
        if (_plain)
        {
            if (_headerGiven < _headerRead) return GiveHeader(buffer);
            return await Inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }

        if (_left > 0)
        {
            var count = await Inner.ReadAsync(buffer[..Math.Min(buffer.Length, _left)], cancellationToken).ConfigureAwait(false);
            _left -= count;
            return count;
        }

        if (_headerGiven == HeaderLength) _headerRead = _headerGiven = 0;
        while (_headerRead < HeaderLength)
        {
            var count = await Inner.ReadAsync(_header.AsMemory(_headerRead), cancellationToken).ConfigureAwait(false);
            if (count == 0) return 0;
            _headerRead += count;
            if (_ending && _header[0] is < FirstRecordType or > LastRecordType) return 0;
        }

        if (_ending && _header[0] is < FirstRecordType or > LastRecordType) return 0;
        var given = GiveHeader(buffer);
        if (_headerGiven == HeaderLength) _left = (_header[3] << 8) | _header[4];
        return given;
    }

    private int GiveHeader(Memory<byte> buffer)
    {
        var count = Math.Min(buffer.Length, _headerRead - _headerGiven);
        _header.AsMemory(_headerGiven, count).CopyTo(buffer);
        _headerGiven += count;
        return count;
    }
}
