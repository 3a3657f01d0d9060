namespace Transfer.Ftp.Protocol;

/// <summary>The replies that are owed, oldest first. FTP has no request numbers: order is all there is.</summary>
internal sealed class ReplyQueue
{
    private readonly Lock _gate = new();
    private readonly Queue<PendingReply> _owed = new();
    private readonly IdleWatch _watch;
    private TransferException? _fault;
    private PendingReply? _newest;

    public ReplyQueue(IdleWatch watch) => _watch = watch;

    /// <summary>How many replies are owed.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _owed.Count;
        }
    }

    /// <summary>Why no more will come, or null.</summary>
    public TransferException? Fault => Volatile.Read(ref _fault);

    /// <summary>Queues one reply for each command, together.</summary>
    /// <exception cref="TransferException">The fault: the connection is over.</exception>
    /// <exception cref="InvalidOperationException">Between AUTH or CCC and what follows it, nothing may be sent (RFC 4217 sections 4 and 6).</exception>
    public PendingReply[] Add(IReadOnlyList<FtpCommand> commands)
    {
        var replies = new PendingReply[commands.Count];
        for (var i = 0; i < replies.Length; i++)
            replies[i] = new PendingReply(commands[i]);
        lock (_gate)
        {
            if (_fault is not null)
                throw _fault;
            if (_newest is { IsCompleted: false } && SwitchesLayer(_newest.Command))
                throw new InvalidOperationException("Nothing may be sent until the server has answered AUTH or CCC.");
            foreach (var reply in replies)
            {
                _owed.Enqueue(reply);
                _newest = reply;
                _watch.Begin();
            }
        }

        return replies;
    }

    /// <summary>Whose reply this is; it leaves the queue unless the reply is only a mark. Null: nobody's.</summary>
    public PendingReply? Match(FtpReply reply)
    {
        lock (_gate)
        {
            if (!_owed.TryPeek(out var head) || reply.IsPreliminary)
                return head;
            _owed.Dequeue();
            _watch.End();
            return head;
        }
    }

    /// <summary>Ends it: every reply owed fails with the fault. False when it had ended before.</summary>
    public bool Fail(TransferException fault)
    {
        PendingReply[] owed;
        lock (_gate)
        {
            if (_fault is not null)
                return false;
            _fault = fault;
            owed = [.. _owed];
            _owed.Clear();
        }

        foreach (var reply in owed)
            reply.Fail(fault);
        return true;
    }

    /// <summary>Its success changes what the bytes after it mean.</summary>
    public static bool SwitchesLayer(FtpCommand command) => command.Is("AUTH") || command.Is("CCC");
}
