using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Replacing;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>What all sessions of a client share: what it has learned about its server, each of which only ever turns true, and memory.</summary>
internal sealed class SftpServerState
{
    private volatile bool _careful;
    private volatile bool _takesAllAtOnce;
    private volatile bool _wantsLogInFirst;
    private volatile bool _namesHandlesOtherwise;
    private volatile bool _shortReads;
    private volatile bool _noHardLinks;
    private volatile bool _noModes;

    /// <summary>Room for contents.</summary>
    public SftpMemory Memory { get; init; } = SftpMemory.Of(new TransferClientOptions(), new SegmentPool());

    /// <summary>Hashes by a command of the host's.</summary>
    public ShellHashes Hashes { get; init; } = new(new TransferClientOptions(), NullLogger.Instance);

    /// <summary>Nothing is asked before what goes before it is answered: the log-in, VERSION.</summary>
    public bool Careful { get => _careful; set => _careful = value; }

    /// <summary>It was asked all at once, and answered: when a session is lost, that is not why.</summary>
    public bool TakesAllAtOnce { get => _takesAllAtOnce; set => _takesAllAtOnce = value; }

    /// <summary>A session did not open with its log-in: the next one would not either.</summary>
    public bool WantsLogInFirst { get => _wantsLogInFirst; set => _wantsLogInFirst = value; }

    /// <summary>A handle was not the one that was expected, or the session was lost before it came.</summary>
    public bool NamesHandlesOtherwise { get => _namesHandlesOtherwise; set => _namesHandlesOtherwise = value; }

    /// <summary>What was proved about renames.</summary>
    public ReplacementMemory Renames { get; } = new();

    /// <summary>Files can't have a second name, although the server offers it.</summary>
    public bool NoHardLinks { get => _noHardLinks; set => _noHardLinks = value; }

    /// <summary>What the server takes from the permissions of new files.</summary>
    public SftpUmask Umask { get; init; } = new();

    /// <summary>The server refuses to set permissions.</summary>
    public bool NoModes { get => _noModes; set => _noModes = value; }

    /// <summary>READs come back short in the middle of files: a handle can't be closed before the content is here.</summary>
    public bool ShortReads { get => _shortReads; set => _shortReads = value; }
}
