using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>
/// The data sent on a channel, as a pipe writer without a pipe: a flush seals the written bytes straight into the connection's buffer, and
/// waits only while the server's window is closed or that buffer is full. One writer at a time, as for every <see cref="PipeWriter"/>.
/// </summary>
internal sealed class ChannelOutput(OpenChannel channel) : PipeWriter, ISendWaiter
{
    private const int FirstSize = 64 * 1024;

    private readonly AsyncSignal _signal = new();
    private byte[] _buffer = [];
    private int _sent;
    private int _written;
    private bool _completed;
    private volatile bool _cancelPending;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _written - _sent;

    public void TrySendAgain() => _signal.Set();

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _buffer.AsMemory(_written);
    }

    public override Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _buffer.AsSpan(_written);
    }

    public override void Advance(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, _buffer.Length - _written);
        _written += bytes;
    }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<FlushResult>(cancellationToken);
        return Step() is { } result ? new ValueTask<FlushResult>(result) : FlushSlowAsync(cancellationToken);
    }

    /// <summary>Sends the caller's bytes without a copy; when the wait is cancelled, unsent bytes are kept as written.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        using var registration = cancellationToken.UnsafeRegister(static output => ((ChannelOutput)output!)._signal.Set(), this);
        while (true)
        {
            if (Step() is { } result)
            {
                if (result.IsCanceled) this.Write(source.Span);
                if (result.IsCanceled || result.IsCompleted) return result;
                int count;
                while ((count = TrySendChunk(source.Span)) > 0) source = source[count..];
                if (source.IsEmpty) return result;
                if (channel.SendsNoMore) continue;
            }

            await _signal.WaitAsync().ConfigureAwait(false);
            if (!cancellationToken.IsCancellationRequested) continue;
            this.Write(source.Span);
            throw new OperationCanceledException(cancellationToken);
        }
    }

    public override void CancelPendingFlush()
    {
        _cancelPending = true;
        _signal.Set();
    }

    /// <summary>Sends the remaining bytes and EOF; with an exception, closes the channel instead.</summary>
    public override void Complete(Exception? exception = null) => _ = CompleteAsync(exception).AsTask();

    public override async ValueTask CompleteAsync(Exception? exception = null)
    {
        if (_completed) return;
        _completed = true;
        if (exception is null)
        {
            try
            {
                await FlushAsync().ConfigureAwait(false);
                channel.SendEof();
            }
            catch (TransferException e)
            {
                // The connection or the channel has ended: the reader and the next user get the error.
                channel.NoteLate(e);
            }
        }
        else
        {
            await channel.DisposeAsync().ConfigureAwait(false);
        }

        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _sent = _written = 0;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> FlushSlowAsync(CancellationToken ct)
    {
        using var registration = ct.UnsafeRegister(static output => ((ChannelOutput)output!)._signal.Set(), this);
        while (true)
        {
            await _signal.WaitAsync().ConfigureAwait(false);
            ct.ThrowIfCancellationRequested();
            if (Step() is { } result) return result;
        }
    }

    /// <summary>Sends as much as possible; null while more has to wait.</summary>
    private FlushResult? Step()
    {
        channel.ThrowIfFailed();
        if (_cancelPending)
        {
            _cancelPending = false;
            return new FlushResult(isCanceled: true, isCompleted: false);
        }

        while (_sent < _written)
        {
            if (channel.SendsNoMore)
            {
                _sent = _written = 0;
                return new FlushResult(isCanceled: false, isCompleted: true);
            }

            var count = TrySendChunk(_buffer.AsSpan(_sent, _written - _sent));
            if (count == 0) return null;
            _sent += count;
        }

        _sent = _written = 0;
        return new FlushResult(isCanceled: false, isCompleted: channel.SendsNoMore);
    }

    private int TrySendChunk(ReadOnlySpan<byte> data)
    {
        var window = channel.Window;
        var count = (int)Math.Min(Math.Min(data.Length, channel.MaxSendData), window.Open);
        if (count <= 0 || !channel.TrySend(data[..count], this)) return 0;
        window.Use(count);
        return count;
    }

    private void EnsureRoom(int sizeHint)
    {
        ObjectDisposedException.ThrowIf(_completed, this);
        var wanted = Math.Max(sizeHint, 1);
        if (_buffer.Length - _written >= wanted) return;
        var unsent = _written - _sent;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(FirstSize, Math.Max(unsent + wanted, unsent * 2)));
        _buffer.AsSpan(_sent, unsent).CopyTo(larger);
        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
        _sent = 0;
        _written = unsent;
    }
}
