using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Replacing;

namespace Transfer.Ftp.Session;

/// <summary>The state that the parts of a session share: one logged-in control connection and the known facts about its server.</summary>
internal sealed class FtpSessionContext
{
    // The overhead of a TLS record, 1.2 with GCM: header, nonce and tag (RFC 5246 section 6.2, RFC 5288 section 3).
    private const int TlsRecord = 29;

    // Servers were seen to take 2,000; the limit bounds our own memory.
    private const int MostTogether = 2048;

    // A command with a path of usual length.
    private const int UsualCommand = 64;

    /// <summary>Why a session is given up after a failed upload from an offset.</summary>
    public const string OffsetLeft = "The server may apply the offset of a refused upload to the next one, of any file.";

    private readonly int _unansweredRenames;
    private int _transfers;
    private bool _isAway;

    public FtpSessionContext(
        ControlConnection control, FtpServerProfile profile, FtpHostState host, FtpLadders ladders, FtpOptions options, FtpBuffers buffers,
        bool deflates, ILogger logger)
    {
        Control = control;
        Profile = profile;
        Host = host;
        Ladders = ladders;
        Options = options;
        Buffers = buffers;
        Deflates = deflates;
        Logger = logger;
        ProtectsData = control.Tls is not null && options.Tls.ProtectData;
        Spaces = new FtpSpaces(this);
        _unansweredRenames = host.RenameReplies.Missing;
        OpenedAt = ladders.Rungs.NextMoment();
    }

    /// <summary>When the connection was opened, in the order of <see cref="FtpRungs.NextMoment"/>.</summary>
    public int OpenedAt { get; }

    public ControlConnection Control { get; }

    public FtpServerProfile Profile { get; }

    public FtpHostState Host { get; }

    public FtpLadders Ladders { get; }

    public FtpOptions Options { get; }

    public FtpBuffers Buffers { get; }

    public ILogger Logger { get; }

    /// <summary>Names with spaces.</summary>
    public FtpSpaces Spaces { get; }

    /// <summary>The proved facts about renames at this host for this user.</summary>
    public required ReplacementMemory Renames { get; init; }

    /// <summary>Returns the proved facts about renames in the folder of a path.</summary>
    public ReplacementKnowledge RenamesOf(string path) =>
        Host.RenameReplies.AreNotToCome ? ReplacementKnowledge.NoRename : Renames.Of(path);

    /// <summary>
    /// Notes that the server, which had answered all before, did not answer RNFR. What of a rename has no reply shows only where its
    /// commands go one by one.
    /// </summary>
    /// <param name="isFirst">Whether RNFR itself is known to be the first command without a reply.</param>
    /// <param name="fault">The end of the connection.</param>
    public void NoteUnansweredRename(bool isFirst, TransferConnectionException fault)
    {
        if (Host.RenameReplies.Came || fault is not { Error: TransferError.Timeout, ServerCode: null }) return;
        if (isFirst && Host.RenameReplies.NoteMissing(_unansweredRenames)) Log.RenamesLeftOut(Logger);
        if (Profile.Flavor == FtpFlavor.Unknown && Pipelining != FtpPipelining.Off) DisablePipelining(fault.Message, mayPass: true);
    }

    /// <summary>Whether MODE Z is on.</summary>
    public bool Deflates { get; }

    /// <summary>Whether PROT P is on.</summary>
    public bool ProtectsData { get; }

    private bool TakesLines => Profile.Flavor == FtpFlavor.Vsftpd;

    /// <summary>The commands that may be sent together now.</summary>
    public FtpPipelining Pipelining => PipeliningFor(Profile.Flavor, Ladders, Options);

    /// <summary>The commands of a transfer that may be sent together: none where an upload has to wait for its connection.</summary>
    public FtpPipelining PipeliningOf(bool sends) => sends && !Ladders.EarlyUploads.IsOnFirst ? FtpPipelining.Off : Pipelining;

    /// <summary>The commands that may be sent together: a host that failed once gets one at a time from then on.</summary>
    public static FtpPipelining PipeliningFor(FtpFlavor flavor, FtpLadders ladders, FtpOptions options) => options.Pipelining switch
    {
        _ when ladders.Commands.Rung == FtpCommandRung.OneByOne => FtpPipelining.Off,
        FtpPipelining.Auto => flavor == FtpFlavor.Unknown ? FtpPipelining.PerFile : FtpPipelining.Batched,
        var chosen => chosen,
    };

    /// <summary>
    /// The most bytes of commands that may follow a transfer's own before the transfer begins. ProFTPD and Pure-FTPd read all bytes that
    /// have arrived, and refuse or lose commands found during the transfer: all have to come in one segment. vsftpd takes line by line from
    /// its socket.
    /// </summary>
    public int MostPipelinedBytes => TakesLines ? int.MaxValue : Control.SegmentSize - (Control.IsTls ? TlsRecord : 0);

    /// <summary>
    /// The most bytes of commands that the server takes from its socket at once, those in front of the first transfer's included.
    /// </summary>
    public int MostReadBytes => TakesLines ? int.MaxValue : ControlConnection.ServerBuffer;

    /// <summary>
    /// The most bytes of commands without a reply outside of transfers. vsftpd and Pure-FTPd find the lines in any division, as every
    /// server does record by record over TLS; see <see cref="FtpCommandWindow"/> for the others.
    /// </summary>
    public int MostUnansweredBytes => FindsLines || EvensLines ? int.MaxValue : ControlConnection.ServerBuffer;

    private bool FindsLines => Control.IsTls || TakesLines || Profile.Flavor == FtpFlavor.PureFtpd;

    /// <summary>
    /// Whether more commands than one read of the server has go in lines of even length (<see cref="FtpEvenLines"/>).
    /// </summary>
    public bool EvensLines => !FindsLines && Profile.Flavor == FtpFlavor.ProFtpd && Ladders.EvenLines.IsOnFirst
        && FtpEvenLines.Fit(Control.SegmentSize);

    /// <summary>The most commands under way outside of transfers.</summary>
    public int MostCommands => Pipelining == FtpPipelining.Off ? 1 : MostTogether;

    /// <summary>The number of commands that change entries that are under way at once, about.</summary>
    public int ChangesTogether => Math.Min(MostCommands, MostUnansweredBytes / UsualCommand);

    /// <summary>Whether this server does not resume TLS sessions of the negotiated version: another session has to be opened.</summary>
    public bool NeedsTls12 => Ladders.DataTls.Rung == FtpTlsRung.Tls12 && MayFallBack;

    /// <summary>Whether TLS 1.3 was negotiated where 1.2 is possible too, with sessions that this side resumes.</summary>
    public bool MayFallBack => IsOnTls13ByChoice && Ladders.DataTls.Rung != FtpTlsRung.NotTls12;

    private bool IsOnTls13ByChoice =>
        ProtectsData && Options.Tls is { Protocols: SslProtocols.None, ReuseSessions: true } && Control.TlsProtocol == SslProtocols.Tls13;

    public bool Usable => Control.Usable && !NeedsTls12;

    /// <summary>
    /// Notes a successful transfer. A server that insists on resumed sessions may let the first one pass, but not a second.
    /// </summary>
    /// <param name="sends">Whether an upload.</param>
    /// <param name="isEarly">Whether the command was sent before its data connection was open.</param>
    public void NoteTransfer(bool sends, bool isEarly)
    {
        if (isEarly) Host.TakesPairs = true;
        if (sends && !isEarly && !Ladders.EarlyUploads.IsOnFirst) Ladders.EarlyUploads.Prove();
        if (IsOnTls13ByChoice && Interlocked.Increment(ref _transfers) > 1)
        {
            Host.TakesTls13 = true;
            if (Ladders.DataTls.Rung == FtpTlsRung.NotTls12) Ladders.DataTls.Prove();
        }
        Ladders.Confirm();
    }

    /// <summary>Whether the file's length at the server is the number of bytes moved: text changes its line ends on the way.</summary>
    public bool HasExactLengths => Options.TransferType == FtpTransferType.Binary;

    /// <summary>Whether MLST describes single paths.</summary>
    public bool TakesMlst => Profile.Mlst && Ladders.Describe.Rung == FtpDescription.Mlst;

    /// <summary>Whether the session was given up since MLSD was not answered, although its data connection was open.</summary>
    public bool IsUnanswered { get; set; }

    /// <summary>Whether directories are listed by MLSD, with seconds in the times.</summary>
    public bool ListsByMlsd => Profile.Mlst && Ladders.List.Rung < FtpListCommand.List;

    /// <summary>Whether LIST gets <c>-a</c>.</summary>
    public bool ListTakesOptions => Profile.ListTakesOptions || Ladders.ListAll.Rung == FtpListAll.All;

    /// <summary>Whether LIST is still to be compared with LIST -a: of the servers that are known by name it is known.</summary>
    public bool ComparesListings => Profile.Flavor == FtpFlavor.Unknown && Ladders.ListAll.Rung == FtpListAll.Compared;

    /// <summary>The last new file that was looked at, for the permissions and group of new files in its folder; null: none yet.</summary>
    public RemoteEntry? LastCreated { get; set; }

    /// <summary>Whether SIZE has told the length of a file, and converts none (RFC 3659 section 4.2).</summary>
    public bool HasSizes => Host.Describes.BySize && Options.TransferType == FtpTransferType.Binary;

    /// <summary>Whether RANG gives the server an end too (draft-bryan-ftp-range); ProFTPD has RANG.</summary>
    public bool TakesRanges => Ladders.Ranges.IsOnFirst && Profile.Features.Has("RANG", "STREAM");

    /// <summary>
    /// Returns the path in the server's form: <c>/~</c> is the log-in folder. Where that is no path with slashes, the paths below are
    /// relative to that folder, and the session is always there between its commands.
    /// </summary>
    /// <exception cref="TransferException">The server does not name its log-in folder.</exception>
    public string Expand(string path)
    {
        if (path == RemotePath.Home) return HomeOf(path);
        if (!path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal)) return path;
        var below = path[(RemotePath.Home.Length + 1)..];
        return Profile.HasRelativeNames ? below : RemotePath.Combine(HomeOf(path), below);
    }

    /// <summary>Why a path is not sent; null: sendable.</summary>
    public TransferException? WhyUnsendable(string path) =>
        FtpNames.WhyUnsendable(path, Control.Encoding) ?? Spaces.WhyRefused(path);

    /// <summary>A directory that exists for certain: the log-in folder, else the root.</summary>
    public string Anchor => Profile.Home ?? "/";

    /// <summary>The way back to the log-in folder, where names are relative to it.</summary>
    public FtpCommand Homeward => new("CWD", Profile.Home);

    /// <summary>Ends a session before a command with an uncertain outcome.</summary>
    public void GiveUp(string why) => Control.Break(new TransferConnectionException(TransferError.Lost, why));

    /// <summary>Sends commands to this host one at a time from now on: the host mixed up commands that were sent together.</summary>
    /// <param name="reason">The fault.</param>
    /// <param name="mayPass">The network may have been the reason.</param>
    public void DisablePipelining(string reason, bool mayPass = false) => Ladders.Commands.Leave(FtpCommandRung.Together, reason, mayPass);

    /// <summary>Bounds the commands without a reply by one read of the server from now on.</summary>
    /// <param name="reason">The fault.</param>
    /// <param name="mayPass">The network may have been the reason.</param>
    public void LeaveEvenLines(string reason, bool mayPass = false) => Ladders.EvenLines.Leave(FtpOffer.Used, reason, mayPass);

    /// <summary>
    /// Uploads wait for their data connections from now on, also where one that did not wait has succeeded: with luck, or at another server
    /// that had this address before.
    /// </summary>
    /// <param name="reason">The refusal.</param>
    public void LeaveEarlyUploads(string reason)
    {
        if (Profile.Flavor == FtpFlavor.Unknown)
            Ladders.EarlyUploads.Leave(FtpOffer.Used, reason, mayPass: true);
    }

    /// <summary>
    /// Changes to the directory that the next LIST lists. <see cref="ReturnHomeAsync"/> has to follow the listing.
    /// </summary>
    /// <exception cref="TransferException">The directory does not exist, or may not be entered.</exception>
    public async ValueTask ChangeDirectoryAsync(string directory, CancellationToken ct)
    {
        var path = Expand(directory);
        // Which separator a server with other paths takes is not known.
        var steps = Profile.HasRelativeNames && directory != RemotePath.Home && !path.StartsWith('/') ? path.Split('/') : [path];
        foreach (var step in steps)
        {
            var change = new FtpCommand("CWD", step);
            var reply = await Control.ExecuteAsync(change, ct).ConfigureAwait(false);
            if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, change, directory, writes: false);
            _isAway = true;
        }
    }

    /// <summary>Changes back to the log-in folder where names are relative to it; a session that cannot is given up.</summary>
    public async ValueTask ReturnHomeAsync(CancellationToken ct)
    {
        if (!_isAway || !Profile.HasRelativeNames || !Control.Usable || Control.PendingCount > 0) return;
        _isAway = false;
        if (ct.IsCancellationRequested) GiveUp("The session was left in another folder.");
        else Return(await Control.ExecuteAsync(Homeward, ct).ConfigureAwait(false));
    }

    public ValueTask<FtpReply> ExecuteAsync(string verb, string? argument, CancellationToken ct) =>
        Control.ExecuteAsync(new FtpCommand(verb, argument), ct);

    /// <summary>
    /// Runs commands of which none starts a transfer, together where the host allows that, and returns their final replies in order.
    /// </summary>
    public async ValueTask<IReadOnlyList<FtpReply>> ExecuteAllAsync(IReadOnlyList<FtpCommand> commands, CancellationToken ct)
    {
        if (!Profile.HasRelativeNames || !commands.Any(command => command.Is("CWD")))
            return await new FtpCommandWindow(this, commands).RunAsync(ct).ConfigureAwait(false);
        // The names behind a CWD are relative to the log-in folder too.
        var all = commands.SelectMany(command => command.Is("CWD") ? [command, Homeward] : new[] { command }).ToList();
        var replies = await new FtpCommandWindow(this, all).RunAsync(ct).ConfigureAwait(false);
        var own = new List<FtpReply>(commands.Count);
        for (var i = 0; i < all.Count; i++)
        {
            own.Add(replies[i]);
            if (all[i].Is("CWD")) Return(replies[++i]);
        }
        return own;
    }

    /// <summary>Returns a command's length on the wire, in bytes.</summary>
    public int BytesOf(FtpCommand command) => Control.Encoding.GetByteCount(command.ToString()) + 2;

    private string HomeOf(string path) => Profile.Home ?? throw new TransferException(TransferError.Unsupported,
        $"The server does not say which folder ~ is (PWD and XPWD name none): write {path} from the root on, with / in front.")
    {
        RemotePath = path,
    };

    private void Return(FtpReply reply)
    {
        if (!reply.IsSuccess) GiveUp($"The server does not take its own name of the log-in folder ({Homeward}: {reply}).");
    }
}
