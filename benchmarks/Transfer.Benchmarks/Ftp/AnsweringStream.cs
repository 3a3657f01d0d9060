using System.Runtime.CompilerServices;
using Transfer.Sessions;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Ftp;

/// <summary>A server behind no link at all: greets, and answers each line that is written.</summary>
internal sealed class AnsweringStream : SequentialStream
{
    private readonly AsyncSignal _written = new();
    private int _owed = 1;
    private bool _closed;

    public override bool CanRead => true;

    public override bool CanWrite => true;

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

    protected override void Dispose(bool disposing)
    {
        Volatile.Write(ref _closed, true);
        _written.Set();
        base.Dispose(disposing);
    }
}
