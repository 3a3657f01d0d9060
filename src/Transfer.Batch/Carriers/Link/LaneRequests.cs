using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>The requests that one lane has sent: many at once, beside the archives.</summary>
internal sealed class LaneRequests : IDisposable
{
    private readonly SignatureRequests _questions;
    private readonly LinkWriter _writer;
    private readonly SemaphoreSlim _room = new(SignatureWantedMessage.MostUnanswered);
    private readonly Dictionary<long, SignatureRequest> _unanswered = [];

    public LaneRequests(SignatureRequests questions, LinkWriter writer)
    {
        _questions = questions;
        _writer = writer;
    }

    /// <summary>Sends requests until there are no more, the token is cancelled or the lane breaks, which the lane's reader reports
    /// too.</summary>
    public async Task RunAsync(CancellationToken ct)
    {
        try
        {
            while (true)
            {
                await _room.WaitAsync(ct).ConfigureAwait(false);
                SignatureRequest? question;
                while (!_questions.Waiting.TryRead(out question))
                {
                    if (!await _questions.Waiting.WaitToReadAsync(ct).ConfigureAwait(false)) return;
                }
                question.Begin();
                lock (_unanswered) _unanswered.Add(question.Message.Number, question);
                await _writer.WriteAsync(question.Message, ct).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is OperationCanceledException or TransferException)
        {
            // The lane has ended.
        }
    }

    /// <summary>Takes an answer.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: there was no such request.</exception>
    public void Take(SignatureMessage answer)
    {
        SignatureRequest? question;
        lock (_unanswered) question = _unanswered.GetValueOrDefault(answer.Number);
        if (question is null)
        {
            throw new TransferException(TransferError.Protocol,
                $"The receiver sent an answer to request {answer.Number}, which was never sent.");
        }

        _questions.Answered();
        if (!question.Take(answer)) return;
        lock (_unanswered) _unanswered.Remove(answer.Number);
        _questions.Done();
        _room.Release();
    }

    /// <summary>Returns the open requests of a lane that has ended.</summary>
    public void GiveBack()
    {
        foreach (var question in _unanswered.Values) _questions.GiveBack(question);
        _unanswered.Clear();
    }

    public void Dispose() => _room.Dispose();
}
