using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>
/// The state that all sessions of a client share: memory, and properties learned of the server, each of which only ever turns true.
/// </summary>
internal sealed class SftpServerState
{
    private volatile bool _careful;
    private volatile bool _takesAllAtOnce;
    private volatile bool _wantsLogInFirst;
    private volatile bool _namesHandlesOtherwise;
    private volatile bool _shortReads;
    private volatile bool _noHardLinks;
    private volatile bool _hardLinksProved;
    private volatile bool _noModes;
    private volatile bool _hasSetModes;
    private volatile bool _noHandleAttributes;
    private int _attributeLosses;
    private int _answered; // a bit for each request that sets attributes

    /// <summary>Room for contents.</summary>
    public SftpMemory Memory { get; init; } = SftpMemory.Of(new TransferClientOptions(), new SegmentPool());

    /// <summary>Hashes by a command of the host.</summary>
    public ShellHashes Hashes { get; init; } = new(new TransferClientOptions(), NullLogger.Instance);

    /// <summary>Whether requests wait for the reply before them: the log-in's, VERSION.</summary>
    public bool SendsStepwise { get => _careful; set => _careful = value; }

    /// <summary>Whether the server has answered requests sent all at once: these then explain no loss of a session.</summary>
    public bool AcceptsEarlyRequests { get => _takesAllAtOnce; set => _takesAllAtOnce = value; }

    /// <summary>Whether a session failed to open with the log-in: later ones would fail, too.</summary>
    public bool NeedsLogInFirst { get => _wantsLogInFirst; set => _wantsLogInFirst = value; }

    /// <summary>Whether a handle was other than predicted, or the session was lost before.</summary>
    public bool HasUnpredictableHandles { get => _namesHandlesOtherwise; set => _namesHandlesOtherwise = value; }

    /// <summary>Traits that are remembered for the host.</summary>
    public SftpTraits Traits { get; init; } = new();

    /// <summary>Whether the server sets attributes by path only.</summary>
    public bool NoHandleAttributes { get => _noHandleAttributes; set => _noHandleAttributes = value; }

    /// <summary>Notes a reply to SETSTAT or FSETSTAT: sessions that end there later have other reasons.</summary>
    public void NoteAttributeReply(SftpPacketType request) => Interlocked.Or(ref _answered, 1 << (int)request);

    /// <summary>Notes that SETSTAT or FSETSTAT was not answered. True: they are not sent any more, since now.</summary>
    /// <param name="request">The request.</param>
    /// <param name="isLost">
    /// Whether the session ended there, or was silent from then on, for which the network may be the reason once.
    /// </param>
    /// <param name="before">
    /// <see cref="AttributeLosses"/> when the session was new. Sessions of one connection, and all of a host, are lost together: one loss
    /// proves nothing, however many sessions there were.
    /// </param>
    public bool NoteAttributeLoss(SftpPacketType request, bool isLost, int before)
    {
        if (isLost && (Volatile.Read(ref _answered) & 1 << (int)request) != 0) return false;
        Interlocked.Increment(ref _attributeLosses);
        return (!isLost || before > 0) && Traits.Settle(SftpTrait.NoAttributes, has: true);
    }

    /// <summary>The number of sessions that ended at SETSTAT or FSETSTAT.</summary>
    public int AttributeLosses => Volatile.Read(ref _attributeLosses);

    /// <summary>The proved facts about renames.</summary>
    public ReplacementMemory Renames { get; } = new();

    /// <summary>Whether hard links fail, although the server offers them.</summary>
    public bool NoHardLinks { get => _noHardLinks; set => _noHardLinks = value; }

    /// <summary>Whether a hard link that was confirmed was also seen.</summary>
    public bool HasProvedHardLinks { get => _hardLinksProved; set => _hardLinksProved |= value; }

    /// <summary>Looks behind confirmed changes.</summary>
    public ConfirmedChanges Changes { get; } = new();

    /// <summary>The server's umask for new files.</summary>
    public SftpUmask Umask { get; init; } = new();

    /// <summary>Whether the server refuses to set permissions.</summary>
    public bool NoModes { get => _noModes; set => _noModes = value; }

    /// <summary>Whether the server has set permissions.</summary>
    public bool HasSetModes { get => _hasSetModes; set => _hasSetModes = value; }

    /// <summary>Whether READs end short in the middle of files: a handle must then stay open until the content has arrived.</summary>
    public bool ShortReads { get => _shortReads; set => _shortReads = value; }
}
