using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>A question for what the receiver has of a file. Used by one lane at a time.</summary>
/// <param name="message">As it is sent.</param>
internal sealed class BaseQuestion(SignatureWantedMessage message)
{
    private readonly TaskCompletionSource<BaseAnswer> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private BaseSignature? _signature;
    private BlockShape? _shape;
    private int _told;

    public SignatureWantedMessage Message => message;

    /// <summary>How often it was sent.</summary>
    public int Attempts { get; private set; }

    public Task<BaseAnswer> Answer => _answer.Task;

    /// <summary>A lane sends it: what was told of it over another one is forgotten.</summary>
    public void Begin()
    {
        Attempts++;
        (_signature, _shape, _told) = (null, null, 0);
    }

    /// <summary>Takes an answer, or a part of one; true: it is whole.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: it is none to this question.</exception>
    public bool Take(SignatureMessage part)
    {
        if (part.Kind != SignatureKind.Blocks)
        {
            End(new BaseAnswer(part.Kind == SignatureKind.Left, null));
            return true;
        }
        // No more memory than was reserved for it, and no other blocks than such a file has: of longer ones each hash in vain would cost more.
        if (!BlockShape.IsWorthwhile(part.Shape.Length, message.FileLength) || part.Shape != BlockShape.For(part.Shape.Length)) throw Wrong();
        if (part.Shape.SignatureLength > BlockShape.MostSignature(message.FileLength)) throw Wrong();
        if (_shape is { } shape && shape != part.Shape) throw Wrong();
        _shape = part.Shape;
        _told += part.Entries.Length;
        if (part.Entries.IsEmpty || _told > part.Shape.SignatureLength) throw Wrong();
        // Where nobody waits for it any more it is only counted.
        if (!_answer.Task.IsCompleted) (_signature ??= new BaseSignature(part.Shape)).Add(part.Entries.Span);
        if (_told < part.Shape.SignatureLength) return false;
        End(new BaseAnswer(IsLeft: false, _signature));
        return true;
    }

    public void End(BaseAnswer answer)
    {
        if (!_answer.TrySetResult(answer)) _signature = null;
    }

    private static TransferException Wrong() => new(TransferError.Protocol, "The receiver sent a signature that does not belong to what it was asked for.");
}
