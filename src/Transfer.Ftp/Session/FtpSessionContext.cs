using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using Transfer.Ftp.Protocol;
using Transfer.Replacing;

namespace Transfer.Ftp.Session;

/// <summary>One logged-in control connection with what is known of its server: what the session's parts share.</summary>
internal sealed class FtpSessionContext
{
    // What TLS adds to a record, 1.2 with GCM: header, nonce and tag (RFC 5246 section 6.2, RFC 5288 section 3).
    private const int TlsRecord = 29;

    /// <summary>Why a session is given up over an upload from an offset that did not end well.</summary>
    public const string OffsetLeft = "The server may keep the offset of an upload that it refused for the next one, of whatever file.";

    private int _transfers;

    public FtpSessionContext(ControlConnection control, FtpServerProfile profile, FtpHostState host, FtpOptions options, FtpBuffers buffers, bool deflates, ILogger logger)
    {
        Control = control;
        Profile = profile;
        Host = host;
        Options = options;
        Buffers = buffers;
        Deflates = deflates;
        Logger = logger;
        ProtectsData = control.Tls is not null && options.Tls.ProtectData;
    }

    public ControlConnection Control { get; }

    public FtpServerProfile Profile { get; }

    public FtpHostState Host { get; }

    public FtpOptions Options { get; }

    public FtpBuffers Buffers { get; }

    public ILogger Logger { get; }

    /// <summary>What was proved about renames at this host for this user.</summary>
    public required ReplacementMemory Renames { get; init; }

    /// <summary>MODE Z is on.</summary>
    public bool Deflates { get; }

    /// <summary>PROT P is on.</summary>
    public bool ProtectsData { get; }

    private bool TakesLines => Profile.Flavor == FtpFlavor.Vsftpd;

    /// <summary>How much may leave together now.</summary>
    public FtpPipelining Pipelining => PipeliningFor(Profile.Flavor, Host, Options);

    /// <summary>How much may leave together: a host that got it wrong is treated serially from then on.</summary>
    public static FtpPipelining PipeliningFor(FtpFlavor flavor, FtpHostState host, FtpOptions options) => host.Serial ? FtpPipelining.Off : options.Pipelining switch
    {
        FtpPipelining.Auto => flavor == FtpFlavor.Unknown ? FtpPipelining.PerFile : FtpPipelining.Batched,
        var chosen => chosen,
    };

    /// <summary>
    /// The most bytes of commands behind a transfer's own that may be on their way when it begins. ProFTPD and Pure-FTPd read what has arrived,
    /// and what they find during the transfer they refuse or lose: all has to come in one segment. vsftpd takes line by line from its socket.
    /// </summary>
    public int MostPipelinedBytes => TakesLines ? int.MaxValue : Control.SegmentSize - (Control.IsTls ? TlsRecord : 0);

    /// <summary>The most bytes of commands that the server takes from its socket at once, those in front of the first transfer's included.</summary>
    public int MostReadBytes => TakesLines ? int.MaxValue : ControlConnection.ServerBuffer;

    /// <summary>The TLS version came out as one whose sessions this server will not see resumed: another session has to be opened.</summary>
    public bool Outdated => Host.ResumesTls12Only && MayFallBack;

    /// <summary>TLS 1.3 was negotiated where 1.2, whose sessions can be resumed here, is allowed too.</summary>
    public bool MayFallBack => ProtectsData && Options.Tls is { Protocols: SslProtocols.None, ReuseSessions: true } && Control.TlsProtocol == SslProtocols.Tls13;

    public bool Usable => Control.Usable && !Outdated;

    /// <summary>A transfer has succeeded. A server that insists on resumed sessions may let the first one pass, and no second.</summary>
    public void NoteTransfer()
    {
        if (MayFallBack && Interlocked.Increment(ref _transfers) > 1) Host.TakesTls13 = true;
    }

    /// <summary>What the server says of a file's length is what moves: a text changes its line ends on the way.</summary>
    public bool HasExactLengths => Options.TransferType == FtpTransferType.Binary;

    /// <summary>MLST describes single paths.</summary>
    public bool TakesMlst => Profile.Mlst && !Host.NoMlst;

    /// <summary>A new file in the folder that one was looked at in last: its permissions and its group; null: none was yet.</summary>
    public RemoteEntry? LastCreated { get; set; }

    /// <summary>RANG tells the server where to end (draft-bryan-ftp-range); ProFTPD has it.</summary>
    public bool TakesRanges => !Host.NoRang && Profile.Features.Has("RANG", "STREAM");

    /// <summary>The path as the server wants it: <c>/~</c> is its log-in folder.</summary>
    public string Expand(string path)
    {
        if (path == RemotePath.Home) return Profile.Home;
        return path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal)
            ? RemotePath.Combine(Profile.Home, path[(RemotePath.Home.Length + 1)..])
            : path;
    }

    /// <summary>Ends the session: it is not known what it would do with the next command.</summary>
    public void GiveUp(string why) => Control.Break(new TransferConnectionException(TransferError.Lost, why));

    /// <summary>The host got commands wrong that were sent together: from now on it gets one after the other.</summary>
    public void TurnSerial(string reason)
    {
        if (Pipelining == FtpPipelining.Off) return;
        Host.Serial = true;
        Log.TurnedSerial(Logger, Control.Settings.Host, reason);
    }

    /// <summary>Goes into a directory, which the next LIST lists.</summary>
    /// <exception cref="TransferException">There is no such directory, or it may not be entered.</exception>
    public async ValueTask ChangeDirectoryAsync(string directory, CancellationToken ct)
    {
        var change = new FtpCommand("CWD", Expand(directory));
        var reply = await Control.ExecuteAsync(change, ct).ConfigureAwait(false);
        if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, change, directory, writes: false);
    }

    public ValueTask<FtpReply> ExecuteAsync(string verb, string? argument, CancellationToken ct) =>
        Control.ExecuteAsync(new FtpCommand(verb, argument), ct);

    /// <summary>Runs commands of which none starts a transfer, together where the host allows it, and gives their final replies in order.</summary>
    public ValueTask<IReadOnlyList<FtpReply>> ExecuteAllAsync(IReadOnlyList<FtpCommand> commands, CancellationToken ct) => new FtpCommandWindow(this, commands).RunAsync(ct);

    /// <summary>A command's length on the wire.</summary>
    public int BytesOf(FtpCommand command) => Control.Encoding.GetByteCount(command.ToString()) + 2;
}
