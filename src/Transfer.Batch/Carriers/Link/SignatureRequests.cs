using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>A sender's requests for the receiver's versions of files, over all lanes of the job. Thread-safe.</summary>
internal sealed class SignatureRequests : IBaseInquiry
{
    private const int MostAttempts = 3;

    // The time without any message: a receiver reads files meanwhile, may have slow disks, and sends hashes and receipts over one line.
    // After that nothing waits for answers, until a message arrives.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Channel<SignatureRequest> _waiting = Channel.CreateUnbounded<SignatureRequest>();
    private readonly TaskCompletionSource<bool> _hasBases = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private long _number;
    private long _heard; // the last message, or the start of the wait for an answer
    private int _open;
    private bool _givenUp;
    private bool _told;

    /// <param name="time">The clock.</param>
    /// <param name="logger">Logs once that a receiver does not answer.</param>
    public SignatureRequests(TimeProvider time, ILogger logger)
    {
        _time = time;
        _logger = logger;
    }

    /// <summary>Questions that a lane may take.</summary>
    public ChannelReader<SignatureRequest> Waiting => _waiting.Reader;

    /// <summary>Records whether the receiver has files, from the handshake or the acceptance of the job. The first call counts.</summary>
    public void Accepted(bool hasBases) => _hasBases.TrySetResult(hasBases);

    public async ValueTask<bool> IsWorthwhileAsync(CancellationToken ct) => await _hasBases.Task.WaitAsync(ct).ConfigureAwait(false);

    public async ValueTask<BaseAnswer> AskAsync(string path, long length, long modified, CancellationToken ct)
    {
        if (IsSilent()) return default;
        var question = new SignatureRequest(new SignatureWantedMessage(Interlocked.Increment(ref _number), length, modified, path));
        lock (_gate)
        {
            if (_open++ == 0) _heard = _time.GetTimestamp();
        }
        if (!_waiting.Writer.TryWrite(question))
        {
            Done();
            return default;
        }
        while (true)
        {
            try
            {
                return await question.Answer.WaitAsync(Patience, _time, ct).ConfigureAwait(false);
            }
            catch (TimeoutException) when (IsSilent())
            {
                question.End(default);
            }
            catch (TimeoutException)
            {
                // Earlier requests are answered first.
            }
        }
    }

    /// <summary>Records that a message of the receiver arrived.</summary>
    public void Heard()
    {
        lock (_gate) _heard = _time.GetTimestamp();
    }

    /// <summary>Records that a part of an answer arrived.</summary>
    public void Answered()
    {
        Heard();
        lock (_gate) _givenUp = false;
    }

    /// <summary>Counts a request that has an answer, or never will.</summary>
    public void Done()
    {
        lock (_gate) _open--;
    }

    /// <summary>Returns a request of a lost lane, for another lane to send, a limited number of times.</summary>
    public void GiveBack(SignatureRequest question)
    {
        if (!question.Answer.IsCompleted && question.Attempts < MostAttempts && _waiting.Writer.TryWrite(question)) return;
        question.End(default);
        Done();
    }

    /// <summary>Ends all requests when the lanes have ended or the job is stopped: waiters get no answer.</summary>
    public void End()
    {
        Accepted(hasBases: false);
        _waiting.Writer.TryComplete();
        while (_waiting.Reader.TryRead(out var question))
        {
            question.End(default);
            Done();
        }
    }

    private bool IsSilent()
    {
        lock (_gate)
        {
            // A receiver that only sends other messages gets no further requests.
            if (_givenUp) return true;
            if (_open == 0 || _time.GetElapsedTime(_heard) < Patience) return false;
            _givenUp = true;
            if (_told) return true;
            _told = true;
        }
        Log.QuestionsGivenUp(_logger, Patience.TotalSeconds);
        return true;
    }
}
