namespace Transfer.Ftp.Protocol;

/// <summary>The pending replies, oldest first. FTP has no request numbers: only the order matches replies with commands.</summary>
/// <remarks>
/// A server in wide use leaves one command without a reply: ProFTPD (1.3.8 at least) sends 425 to an EPSV or PASV whose port another of its
/// processes took first, and then no reply to the transfer behind. The next reply belongs to the command after that, as its code shows.
/// </remarks>
internal sealed class ReplyQueue
{
    /// <summary>The name of the command that the greeting answers, which is never sent.</summary>
    public const string GreetingVerb = "(greeting)";

    private readonly Lock _gate = new();
    private readonly Queue<PendingReply> _owed = new();
    private readonly IdleWatch _watch;
    private TransferException? _fault;
    private PendingReply? _newest;
    private int _matched;
    private bool _hasNames; // a reply may have had a name in it
    private bool _isWelcomed; // the latest reply accepted the log-in

    /// <summary>The refusal of the newest announcement of a data connection, until a transfer behind gets a reply; null: none.</summary>
    private FtpReply? _refusal;

    public ReplyQueue(IdleWatch watch) => _watch = watch;

    /// <summary>The number of pending replies.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _owed.Count;
        }
    }

    /// <summary>The command whose reply is pending longest; null: none.</summary>
    public FtpCommand? Oldest
    {
        get { lock (_gate) return _owed.TryPeek(out var head) ? head.Command : null; }
    }

    /// <summary>Why no more replies will come, or null.</summary>
    public TransferException? Fault => Volatile.Read(ref _fault);

    /// <summary>Takes the inner lines of the next reply; null: they are in the reply.</summary>
    public FtpReplyLines? NextLines
    {
        get { lock (_gate) return _owed.TryPeek(out var head) ? head.Command.Lines : null; }
    }

    /// <summary>Queues one reply for each command, together.</summary>
    /// <exception cref="TransferException">The fault: the connection has ended.</exception>
    /// <exception cref="InvalidOperationException">
    /// Nothing may be sent behind AUTH or CCC before the reply (RFC 4217 sections 4 and 6).
    /// </exception>
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

    /// <summary>Whether no reply but the greeting has come.</summary>
    public bool IsAtGreeting
    {
        get { lock (_gate) return _matched <= 1; }
    }

    /// <summary>
    /// Whether lines without a code are text of the server's maker, as at the log-in. Not so behind replies with names: there such a line
    /// may be the end of a name with a line end, in front of which the name has forged a reply. Nor where several replies are owed: a
    /// server that took several commands for one repeats them, and sends no other reply.
    /// </summary>
    public bool MayHaveText
    {
        get
        {
            lock (_gate)
            {
                return _matched <= 1
                    || (!_hasNames && _owed.Count <= 1 && !(_owed.TryPeek(out var head) && head.Command.Lines is not null));
            }
        }
    }

    /// <summary>
    /// Whether a reply repeats the one before: some servers begin each line of a greeting with 220, and of their welcome with 230, as if
    /// each were a reply. HOST gets 220 too (RFC 7151 section 3.1).
    /// </summary>
    public bool IsRepeated(FtpReply reply)
    {
        lock (_gate)
        {
            return reply.Code switch
            {
                220 => _matched == 1 && !(_owed.TryPeek(out var head) && head.Command.Is("HOST")),
                230 => _isWelcomed && !(_owed.TryPeek(out var head) && LogsIn(head.Command)),
                _ => false,
            };
        }
    }

    /// <summary>
    /// Matches a reply with the oldest command, which leaves the queue unless the reply is preliminary. Null: no command waits.
    /// </summary>
    public PendingReply? Match(FtpReply reply)
    {
        lock (_gate)
        {
            RefuseSkippedTransfer(reply);
            if (!_owed.TryPeek(out var head) || reply.IsPreliminary)
                return head;
            Remove();
            _hasNames |= !SetsUp(head.Command);
            _isWelcomed = reply.Code == 230 && LogsIn(head.Command);
            if (Announces(head.Command))
                _refusal = reply.Code >= 400 ? reply : null;
            else if (UsesData(head.Command))
                _refusal = null;
            return head;
        }
    }

    /// <summary>Refuses a transfer that the server left without a reply, with the refusal of its data connection.</summary>
    private void RefuseSkippedTransfer(FtpReply reply)
    {
        if (_refusal is not { } refusal || !_owed.TryPeek(out var head) || !UsesData(head.Command) || reply.IsPreliminary
            || ReplyCodes.Fit(head.Command, reply))
        {
            return;
        }

        Remove();
        _refusal = null;
        head.Deliver(refusal);
    }

    private void Remove()
    {
        _owed.Dequeue();
        _matched++;
        _watch.End();
    }

    private static bool LogsIn(FtpCommand command) => command.Verb is "USER" or "PASS" or "ACCT";

    private static bool SetsUp(FtpCommand command) => LogsIn(command)
        || command.Verb is GreetingVerb or "AUTH" or "PBSZ" or "PROT" or "HOST" or "FEAT" or "SYST" or "OPTS" or "CLNT" or "TYPE";

    private static bool Announces(FtpCommand command) => command.Verb is "EPSV" or "PASV";

    private static bool UsesData(FtpCommand command) => command.Verb is "STOR" or "APPE" or "RETR" or "MLSD" or "LIST";

    /// <summary>Whether a server may work on a command for long, so that further 1yz marks show that the work goes on. Behind any other
    /// command they would keep the client for ever.</summary>
    public static bool MayTakeLong(FtpCommand command) =>
        UsesData(command) || command.Verb is "STOU" or "HASH" or "MD5" or "XMD5" or "XCRC" or "XSHA" or "XSHA1" or "XSHA256" or "XSHA512"
            or "SITE";

    /// <summary>Ends the queue: every pending reply fails with the fault. False: already ended.</summary>
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

    /// <summary>Whether the success of a command changes the layer below, so the meaning of the bytes behind.</summary>
    public static bool SwitchesLayer(FtpCommand command) => command.Is("AUTH") || command.Is("CCC");
}
