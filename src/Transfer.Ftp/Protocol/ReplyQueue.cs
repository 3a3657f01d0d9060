namespace Transfer.Ftp.Protocol;

/// <summary>The replies that are owed, oldest first. FTP has no request numbers: order is all there is.</summary>
/// <remarks>
/// One command gets no reply from a server that is in wide use: ProFTPD (1.3.8 at least) says 425 to an EPSV or PASV for whose port another of its processes was
/// first, and then nothing at all to the transfer that came behind. What it says next belongs to the command after that, and shows it by its code.
/// </remarks>
internal sealed class ReplyQueue
{
    private readonly Lock _gate = new();
    private readonly Queue<PendingReply> _owed = new();
    private readonly IdleWatch _watch;
    private TransferException? _fault;
    private PendingReply? _newest;

    /// <summary>What was said to the newest announcement of a data connection that no transfer has been answered behind; null: nothing bad.</summary>
    private FtpReply? _refusal;

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
            PassOver(reply);
            if (!_owed.TryPeek(out var head) || reply.IsPreliminary)
                return head;
            Remove();
            if (Announces(head.Command))
                _refusal = reply.Code >= 400 ? reply : null;
            else if (UsesData(head.Command))
                _refusal = null;
            return head;
        }
    }

    /// <summary>A transfer that its server passed over has been refused with its connection.</summary>
    private void PassOver(FtpReply reply)
    {
        if (_refusal is not { } refusal || !_owed.TryPeek(out var head) || !UsesData(head.Command) || reply.IsPreliminary || ReplyCodes.Fit(head.Command, reply))
            return;
        Remove();
        _refusal = null;
        head.Deliver(refusal);
    }

    private void Remove()
    {
        _owed.Dequeue();
        _watch.End();
    }

    private static bool Announces(FtpCommand command) => command.Verb is "EPSV" or "PASV";

    private static bool UsesData(FtpCommand command) => command.Verb is "STOR" or "APPE" or "RETR" or "MLSD" or "LIST";

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
