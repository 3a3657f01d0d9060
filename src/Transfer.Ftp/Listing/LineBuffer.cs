using System.Buffers;

namespace Transfer.Ftp.Listing;

/// <summary>
/// Cuts bytes into lines of at most 32 KiB, however the reads split them. A line ends with LF; CRs before the LF, and at the end of the
/// last line, are not part of the line (servers that translate twice send more than one). Any other CR is.
/// </summary>
internal sealed class LineBuffer : IDisposable
{
    /// <summary>The longest line in bytes, CRs included.</summary>
    public const int LongestLine = 32 * 1024;

    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(2 * LongestLine);
    private int _start;
    private int _searched;
    private int _end;

    /// <summary>Whether the last line taken has no end: the input ended inside.</summary>
    public bool IsCut { get; private set; }

    /// <summary>Reads more behind the unread rest; false at the end of the input.</summary>
    /// <exception cref="TransferException">The line does not end (<see cref="TransferError.Protocol"/>).</exception>
    public async ValueTask<bool> FillAsync(Func<Memory<byte>, CancellationToken, ValueTask<int>> read, CancellationToken ct)
    {
        if (_end - _start > LongestLine) throw TooLong();
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _searched -= _start;
        _start = 0;
        var count = await read(_buffer.AsMemory(_end), ct).ConfigureAwait(false);
        _end += count;
        return count > 0;
    }

    /// <summary>
    /// Takes the next line, which is valid until the next call; when the input is <paramref name="final"/>, also the bytes behind the last
    /// line end (<see cref="IsCut"/>).
    /// </summary>
    /// <exception cref="TransferException">The line is too long (<see cref="TransferError.Protocol"/>).</exception>
    public bool TryTake(bool final, out ReadOnlySpan<byte> line)
    {
        line = default;
        var length = _buffer.AsSpan(_searched, _end - _searched).IndexOf((byte)'\n');
        if (length < 0)
        {
            _searched = _end;
            if (!final || _start == _end) return false;
            length = _end - _start;
            line = _buffer.AsSpan(_start, length);
            _start = _end;
            IsCut = true;
        }
        else
        {
            length += _searched - _start;
            line = _buffer.AsSpan(_start, length);
            _start += length + 1;
            _searched = _start;
        }

        if (length > LongestLine) throw TooLong();
        line = line.TrimEnd((byte)'\r');
        return true;
    }

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);

    private static TransferException TooLong() => new(TransferError.Protocol, $"A line of the listing is longer than {LongestLine} bytes.");
}
