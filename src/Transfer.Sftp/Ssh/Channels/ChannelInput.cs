using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>The server's data on a channel, as a pipe reader that reports consumed bytes.</summary>
internal sealed class ChannelInput(PipeReader inner, Action<long> consumed, Action completed) : PipeReader
{
    private ReadOnlySequence<byte> _last;

    public override bool TryRead(out ReadResult result)
    {
        if (!inner.TryRead(out result)) return false;
        _last = result.Buffer;
        return true;
    }

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        var read = inner.ReadAsync(cancellationToken);
        if (!read.IsCompletedSuccessfully) return SlowAsync(read);
        var result = read.Result;
        _last = result.Buffer;
        return new ValueTask<ReadResult>(result);
    }

    public override void AdvanceTo(SequencePosition consumedTo) => AdvanceTo(consumedTo, consumedTo);

    public override void AdvanceTo(SequencePosition consumedTo, SequencePosition examined)
    {
        var count = _last.Slice(_last.Start, consumedTo).Length;
        _last = default;
        inner.AdvanceTo(consumedTo, examined);
        consumed(count);
    }

    public override void CancelPendingRead() => inner.CancelPendingRead();

    public override void Complete(Exception? exception = null)
    {
        inner.Complete(exception);
        completed();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> SlowAsync(ValueTask<ReadResult> read)
    {
        var result = await read.ConfigureAwait(false);
        _last = result.Buffer;
        return result;
    }
}
