using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>A source that breaks in its middle, as a file on a share that goes away.</summary>
internal sealed class FailingStream : Stream
{
    private readonly int _length;
    private readonly int _failAt;
    private int _position;

    public FailingStream(int length, int failAt)
    {
        _length = length;
        _failAt = failAt;
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => _length;

    public override long Position { get => _position; set => throw new NotSupportedException(); }

    public override int Read(Span<byte> buffer)
    {
        if (_position == _failAt) throw new IOException("The share is gone.");
        var count = Math.Min(buffer.Length, _failAt - _position);
        SyntheticContent.Fill(buffer[..count], _position);
        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
