namespace Transfer.Ftp.Protocol;

/// <summary>
/// The pending reply to a command that was sent. Fails with the connection's fault when the connection dies.
/// Cancelling a wait abandons only the wait: the reply keeps its place, because the server will send it all the same.
/// </summary>
internal sealed class PendingReply
{
    // One is usual (RFC 959 section 4.2); some servers send more while they compute.
    private const int MostMarks = 1000;

    private readonly TaskCompletionSource<FtpReply> _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<FtpReply> _final = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _marks;

    public PendingReply(FtpCommand command) => Command = command;

    /// <summary>The command that was sent.</summary>
    public FtpCommand Command { get; }

    /// <summary>Whether the final reply is here or will never come.</summary>
    public bool IsCompleted => _final.Task.IsCompleted;

    /// <summary>Whether a 1yz mark has come: the server has begun with the command.</summary>
    public bool HasBegun => _first.Task is { IsCompletedSuccessfully: true, Result.IsPreliminary: true };

    /// <summary>The first 1yz mark if one comes, else the final reply.</summary>
    public ValueTask<FtpReply> FirstAsync(CancellationToken ct) => WaitAsync(_first.Task, ct);

    /// <summary>The first reply of 200 or more.</summary>
    public ValueTask<FtpReply> GetFinalReplyAsync(CancellationToken ct) => WaitAsync(_final.Task, ct);

    /// <summary>Takes a reply in; marks after the first are dropped.</summary>
    /// <exception cref="TransferConnectionException"><see cref="TransferError.Protocol"/>: marks come without end.</exception>
    internal void Deliver(FtpReply reply)
    {
        if (reply.IsPreliminary && ++_marks > MostMarks)
        {
            throw new TransferConnectionException(TransferError.Protocol,
                $"The server says to one command more than {MostMarks} times that it has begun.");
        }

        _first.TrySetResult(reply);
        if (!reply.IsPreliminary)
            _final.TrySetResult(reply);
    }

    internal void Fail(TransferException fault)
    {
        if (_first.TrySetException(fault))
            _ = _first.Task.Exception; // Seen, even if no caller awaits the reply.
        if (_final.TrySetException(fault))
            _ = _final.Task.Exception;
    }

    private static ValueTask<FtpReply> WaitAsync(Task<FtpReply> task, CancellationToken ct) =>
        new(task.IsCompleted ? task : task.WaitAsync(ct));
}
