using System.Buffers;
using System.Runtime.CompilerServices;
using Transfer.Sessions;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>A channel as a stream: for a connection through a tunnel, and a command's input and output.</summary>
internal sealed class ChannelStream(SshChannel channel) : SequentialStream
{
    public override bool CanRead => true;

    public override bool CanWrite => true;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var result = await channel.Input.ReadAsync(cancellationToken).ConfigureAwait(false);
        var count = (int)Math.Min(buffer.Length, result.Buffer.Length);
        var taken = result.Buffer.Slice(0, count);
        taken.CopyTo(buffer.Span);
        channel.Input.AdvanceTo(taken.End);
        return count;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var result = await channel.Output.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (result.IsCompleted)
            throw new TransferException(TransferError.Lost, "The server closed the channel before everything was written to it.");
    }

    // Applications read a command's output by a StreamReader, or copy it.
    public override int Read(byte[] buffer, int offset, int count) => ReadAsync(buffer, offset, count, default).GetAwaiter().GetResult();

    public override void Write(byte[] buffer, int offset, int count) => WriteAsync(buffer, offset, count, default).GetAwaiter().GetResult();

    public override async ValueTask DisposeAsync()
    {
        await channel.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        // Closing a channel never waits.
        if (disposing) _ = channel.DisposeAsync().AsTask();
        base.Dispose(disposing);
    }
}
