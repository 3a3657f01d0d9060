using System.Text;

namespace Transfer.FluentFtp.Session;

/// <summary>Cuts the data of a data connection into lines, in bounded memory.</summary>
/// <param name="encoding">The encoding of names.</param>
internal sealed class LineReader(Encoding encoding)
{
    private const int MostBytes = 64 << 10;

    private readonly byte[] _bytes = new byte[MostBytes];
    private int _count;
    private int _start;

    /// <summary>Whether the data ended inside a line.</summary>
    public bool IsCut => _count > _start;

    /// <summary>Reads on.</summary>
    /// <returns>False: the data has ended.</returns>
    /// <exception cref="TransferException">A line is longer than any name.</exception>
    public async ValueTask<bool> FillAsync(FluentData data, string path, CancellationToken ct)
    {
        if (_start > 0)
        {
            _bytes.AsSpan(_start, _count - _start).CopyTo(_bytes);
            (_count, _start) = (_count - _start, 0);
        }
        if (_count == _bytes.Length)
            throw new TransferException(TransferError.Protocol, $"A line is longer than {MostBytes} bytes.") { RemotePath = path };
        var read = await data.ReadAsync(_bytes.AsMemory(_count), ct).ConfigureAwait(false);
        _count += read;
        return read > 0;
    }

    /// <summary>Returns the next line without the line end; null when incomplete.</summary>
    public string? Next()
    {
        var end = _bytes.AsSpan(_start, _count - _start).IndexOf((byte)'\n');
        if (end < 0) return null;
        var line = _bytes.AsSpan(_start, end);
        _start += end + 1;
        return encoding.GetString(line is [.. var text, (byte)'\r'] ? text : line);
    }
}
