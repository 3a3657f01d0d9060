using System.Buffers;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Link;

/// <summary>Answers the requests of one lane's sender, one after the other, beside the arriving archives.</summary>
internal sealed class LaneResponder : IAsyncDisposable
{
    private readonly Channel<SignatureWantedMessage> _questions = Channel.CreateUnbounded<SignatureWantedMessage>();
    private readonly CancellationTokenSource _stop;
    private readonly LinkConnection _link;
    private readonly IBaseFiles? _bases;
    private readonly ByteBudget _budget;
    private readonly ILogger _logger;
    private Task? _answering;
    private int _unanswered;

    /// <param name="link">The lane.</param>
    /// <param name="bases">The existing files; null: none that the sender may know of.</param>
    /// <param name="budget">The job's memory.</param>
    /// <param name="logger">Logs errors.</param>
    /// <param name="ct">Ends with the lane.</param>
    public LaneResponder(LinkConnection link, IBaseFiles? bases, ByteBudget budget, ILogger logger, CancellationToken ct)
    {
        _link = link;
        _bases = bases;
        _budget = budget;
        _logger = logger;
        _stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
    }

    /// <summary>Takes a request. Not for concurrent calls.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: too many requests have no answer.</exception>
    public void Take(SignatureWantedMessage question)
    {
        if (Interlocked.Increment(ref _unanswered) > SignatureWantedMessage.MostUnanswered)
        {
            throw new TransferException(TransferError.Protocol,
                $"The sender asks for more than {SignatureWantedMessage.MostUnanswered} files at once.");
        }

        _questions.Writer.TryWrite(question);
        _answering ??= Task.Run(AnswerAsync);
    }

    /// <summary>Stops answering; open requests stay without an answer.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        if (_answering is not null) await _answering.ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task AnswerAsync()
    {
        try
        {
            await foreach (var question in _questions.Reader.ReadAllAsync(_stop.Token).ConfigureAwait(false))
                await AnswerAsync(question, _stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or TransferException)
        {
            // The lane has ended, and its reader knows why.
        }
        catch (Exception e)
        {
            // A fault of this SDK: the sender must not wait for an answer that never arrives.
            Log.AnswerFault(_logger, e);
            _link.Abort(new TransferConnectionException(TransferError.Protocol, "A signature could not be computed.", e));
        }
    }

    private async ValueTask AnswerAsync(SignatureWantedMessage question, CancellationToken ct)
    {
        using var found = _bases?.Find(question.Path, question.FileLength, question.Modified);
        if (found is not { HasBlocks: true } || !await SendSignatureAsync(question.Number, found, ct).ConfigureAwait(false))
        {
            Interlocked.Decrement(ref _unanswered);
            await _link.Writer.WriteAsync(SignatureMessage.Without(question.Number,
                found is { IsSkipped: true } ? SignatureKind.Skipped : SignatureKind.None), ct).ConfigureAwait(false);
        }
    }

    // False: the file can't be read, or has become shorter.
    private async ValueTask<bool> SendSignatureAsync(long number, BaseFile file, CancellationToken ct)
    {
        var most = BaseFile.BufferFor(file.Shape);
        using var share = await _budget.TakeAsync(SignatureMessage.MostEntries + most, ct).ConfigureAwait(false);
        var entries = ArrayPool<byte>.Shared.Rent(SignatureMessage.MostEntries);
        var blocks = ArrayPool<byte>.Shared.Rent(most);
        try
        {
            for (var left = file.Shape.SignatureLength; left > 0;)
            {
                var count = file.Read(entries.AsSpan(0, SignatureMessage.MostEntries), blocks, ct);
                left -= count;
                // The sender may send the next request as soon as this message is read.
                if (left == 0) Interlocked.Decrement(ref _unanswered);
                await _link.Writer.WriteAsync(new SignatureMessage(number, SignatureKind.Blocks, file.Shape, entries.AsMemory(0, count)),
                    ct).ConfigureAwait(false);
            }
            return true;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return false;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(entries);
            // Cleared, since content to be sealed must not leak to the next renter.
            ArrayPool<byte>.Shared.Return(blocks, clearArray: true);
        }
    }
}
