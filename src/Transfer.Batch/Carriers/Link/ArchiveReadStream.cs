using System.Buffers;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Link;

/// <summary>The bytes of one archive that arrives over a lane. The stream ends with the archive and has the lane to itself until
/// then.</summary>
internal sealed class ArchiveReadStream : SequentialStream
{
    private readonly LinkReader _reader;
    private readonly Action<SignatureWantedMessage> _onQuestion;
    private readonly TaskCompletionSource _left = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly SemaphoreSlim _turn = new(1);
    private ReadOnlySequence<byte> _rest;
    private bool _ended;
    private Exception? _fault;

    /// <param name="reader">The lane's reader.</param>
    /// <param name="onQuestion">Receives requests that arrive within the archive.</param>
    public ArchiveReadStream(LinkReader reader, Action<SignatureWantedMessage> onQuestion)
    {
        _reader = reader;
        _onQuestion = onQuestion;
    }

    /// <summary>Completes when the archive has been read, or never will be: the lane is free again.</summary>
    public Task Ended => _left.Task;

    /// <summary>Whether the sender gave the archive up, with the lane in order.</summary>
    public bool Abandoned { get; private set; }

    public override bool CanRead => true;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_fault is not null) throw new TransferConnectionException(TransferError.Lost, _fault.Message, _fault);
            if (buffer.IsEmpty) return 0;
            if (!_ended && _rest.IsEmpty) await FillAsync(cancellationToken).ConfigureAwait(false);
            if (_ended) return 0;
            var count = (int)Math.Min(buffer.Length, _rest.Length);
            _rest.Slice(0, count).CopyTo(buffer.Span);
            _rest = _rest.Slice(count);
            return count;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Reads the bytes that the reader has left over, to the end.</summary>
    /// <exception cref="TransferException">The lane is lost or out of order.</exception>
    public async ValueTask DrainAsync(CancellationToken ct)
    {
        await _turn.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            while (!_ended && _fault is null)
            {
                _rest = default;
                await FillAsync(ct).ConfigureAwait(false);
            }
        }
        catch (TransferException) when (Abandoned)
        {
            // The lane is in order all the same.
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Why the lane can't go on; null: no fault.</summary>
    public Exception? Fault => Abandoned ? null : _fault;

    protected override void Dispose(bool disposing)
    {
        if (disposing) _turn.Dispose();
        base.Dispose(disposing);
    }

    private async ValueTask FillAsync(CancellationToken ct)
    {
        try
        {
            while (_rest.IsEmpty)
            {
                var message = await _reader.NextAsync(ct).ConfigureAwait(false);
                switch (message.Type)
                {
                    case LinkMessageType.ArchiveData:
                        _rest = message.Payload;
                        break;
                    case LinkMessageType.SignatureWanted:
                        _onQuestion(message.As<SignatureWantedMessage>());
                        break;
                    case LinkMessageType.ArchiveEnd:
                        message.As<ArchiveEndMessage>();
                        _ended = true;
                        _left.TrySetResult();
                        return;
                    case LinkMessageType.ArchiveAbandoned:
                        message.As<ArchiveAbandonedMessage>();
                        Abandoned = true;
                        throw new TransferException(TransferError.Lost, "The sender gave the archive up.");
                    default:
                        throw message.Type == LinkMessageType.Error
                            ? message.Refusal()
                            : new TransferException(TransferError.Protocol,
                                $"The other side sent a message of type {message.Type} within an archive.");
                }
            }
        }
        catch (TransferException e)
        {
            _fault = e;
            _left.TrySetResult();
            throw;
        }
    }
}
