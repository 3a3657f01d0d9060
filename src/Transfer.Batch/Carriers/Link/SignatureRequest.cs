using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>A request for the receiver's version of a file. Used by one lane at a time.</summary>
/// <param name="message">The message to send.</param>
internal sealed class SignatureRequest(SignatureWantedMessage message)
{
    private readonly TaskCompletionSource<BaseAnswer> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private BaseSignature? _signature;
    private BlockShape? _shape;
    private int _told;

    public SignatureWantedMessage Message => message;

    /// <summary>The number of times the request was sent.</summary>
    public int Attempts { get; private set; }

    public Task<BaseAnswer> Answer => _answer.Task;

    /// <summary>Begins on a lane: parts of an answer over another lane are dropped.</summary>
    public void Begin()
    {
        Attempts++;
        (_signature, _shape, _told) = (null, null, 0);
    }

    /// <summary>Takes an answer, or a part of one; true: the answer is complete.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the message does not answer this request.</exception>
    public bool Take(SignatureMessage part)
    {
        if (part.Kind != SignatureKind.Blocks)
        {
            End(new BaseAnswer(part.Kind == SignatureKind.Skipped, null));
            return true;
        }
        // No more memory than was reserved, and only blocks of the proper length: with longer ones each hash in vain would cost more.
        if (!BlockShape.IsWorthwhile(part.Shape.Length, message.FileLength) || part.Shape != BlockShape.For(part.Shape.Length))
            throw Wrong();
        if (part.Shape.SignatureLength > BlockShape.MostSignature(message.FileLength)) throw Wrong();
        if (_shape is { } shape && shape != part.Shape) throw Wrong();
        _shape = part.Shape;
        _told += part.Entries.Length;
        if (part.Entries.IsEmpty || _told > part.Shape.SignatureLength) throw Wrong();
        // Without a waiter the part is only counted.
        if (!_answer.Task.IsCompleted) (_signature ??= new BaseSignature(part.Shape)).Add(part.Entries.Span);
        if (_told < part.Shape.SignatureLength) return false;
        End(new BaseAnswer(IsSkipped: false, _signature));
        return true;
    }

    public void End(BaseAnswer answer)
    {
        if (!_answer.TrySetResult(answer)) _signature = null;
    }

    private static TransferException Wrong() =>
        new(TransferError.Protocol, "The receiver sent a signature that does not belong to the requested file.");
}
