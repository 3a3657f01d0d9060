using System.Runtime.CompilerServices;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Ftp;

/// <summary>A server behind no link at all: greets, and answers each line that is written.</summary>
internal sealed class AnsweringStream : Stream
{
    private readonly AsyncSignal _written = new();
    private int _owed = 1;
    private bool _closed;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    private static ReadOnlySpan<byte> Answer => "213 1048576\r\n"u8;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (Volatile.Read(ref _owed) == 0 && !Volatile.Read(ref _closed)) await _written.WaitAsync();
        var answers = Math.Min(Volatile.Read(ref _owed), buffer.Length / Answer.Length);
        for (var i = 0; i < answers; i++) Answer.CopyTo(buffer.Span[(i * Answer.Length)..]);
        Interlocked.Add(ref _owed, -answers);
        return answers * Answer.Length;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Interlocked.Add(ref _owed, buffer.Span.Count((byte)'\n'));
        _written.Set();
        return default;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
        // Nothing is held back.
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        Volatile.Write(ref _closed, true);
        _written.Set();
        base.Dispose(disposing);
    }
}
