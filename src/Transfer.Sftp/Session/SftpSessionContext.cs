using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>One session's engine and knowledge of the server, shared by the session's parts.</summary>
internal sealed class SftpSessionContext
{
    /// <summary>
    /// The most looks, renames and the like under way at once. Requests and replies are short: so many fill a long network link.
    /// </summary>
    public const int MaxRequestsTogether = 2048;

    private const long LeastSending = 1 << 20;
    private const long MostSending = 64 << 20;

    private readonly SftpMemory.Share _memory;
    private string? _software;

    public SftpSessionContext(SftpEngine engine, SftpOptions options, SftpServerState server, ILogger logger)
    {
        Engine = engine;
        Options = options;
        Server = server;
        Logger = logger;
        Names = options.Encoding ?? NameEncoding.LosslessUtf8;
        Operations = new SftpOperations(engine, Names, () => server.Traits.Has(SftpTrait.NoAttributes));
        _memory = server.Memory.Join();
        Receiving = new FlightBudget(new LinkLimit(options.TimeProvider, TimeSpan.Zero), _memory);
        Sending = new FlightBudget(new LinkLimit(options.TimeProvider, TimeSpan.Zero), _memory);
        Handles = new PlaceLimit(SftpLimits.Default.Handles);
        Limits = SftpLimits.Default;
        Home = "/";
        Extensions = new Dictionary<string, string>();
        Users = new UserFolders(this);
        Opener = new HandleOpener(this);
        engine.Unordered = () =>
        {
            if (server.Traits.Settle(SftpTrait.Unordered, has: true)) Log.Unordered(logger);
        };
        engine.AttributesAnswered = server.NoteAttributeReply;
        var losses = server.AttributeLosses;
        engine.AttributesUnanswered = (request, isLost) =>
        {
            // Servers that are known to set times answer: the network has ended the session.
            if (isLost && SetsTimes) return;
            if (server.NoteAttributeLoss(request, isLost, losses)) Log.AttributesIgnored(logger);
        };
    }

    public SftpEngine Engine { get; }

    public SftpOperations Operations { get; }

    public SftpOptions Options { get; }

    public SftpServerState Server { get; }

    public ILogger Logger { get; }

    public Encoding Names { get; }

    /// <summary>The bytes requested and not yet written locally. The network link's capacity bounds them, found by measuring.</summary>
    public FlightBudget Receiving { get; private set; }

    /// <summary>The bytes of WRITEs without a reply yet.</summary>
    public FlightBudget Sending { get; private set; }

    /// <summary>Files and directories open at the server.</summary>
    public PlaceLimit Handles { get; private set; }

    /// <summary>Opens what needs such a place.</summary>
    public HandleOpener Opener { get; }

    public SftpLimits Limits { get; private set; }

    /// <summary>The log-in folder, absolute.</summary>
    public string Home { get; private set; }

    public IReadOnlyDictionary<string, string> Extensions { get; private set; }

    public void Opened(string? software, long sendWindow, TimeSpan roundTrip, IReadOnlyDictionary<string, string> extensions,
        SftpLimits limits, string home)
    {
        Extensions = extensions;
        Limits = limits with
        {
            Read = Math.Min(limits.Read, Server.Memory.MostRequest),
            Write = Math.Min(limits.Write, Server.Memory.MostRequest)
        };
        Home = home;
        _software = software;
        WritesAtOffset = ServerSoftware.WritesAtOffset(software);
        ListsLinks = ServerSoftware.ListsLinks(software);
        SetsTimes = ServerSoftware.SetsTimes(software);
        OpensByMode = ServerSoftware.OpensByMode(software);
        NumbersHandles = ServerSoftware.NumbersHandles(software);
        Handles = new PlaceLimit(limits.Handles);
        // No more than the window can be on the way to the server; as much again may be answered already, unknown here.
        var sending = Math.Clamp(sendWindow * 2, LeastSending, MostSending);
        Sending = new FlightBudget(new LinkLimit(Options.TimeProvider, roundTrip, sending), _memory);
        Receiving = new FlightBudget(new LinkLimit(Options.TimeProvider, roundTrip), _memory);
        _ = OpenWhenEndedAsync();
    }

    /// <summary>Whether a plain RENAME is known never to replace a file.</summary>
    public bool RenamesSafely => ServerSoftware.RenamesSafely(_software);

    /// <summary>Whether posix-rename@openssh.com renames over files, as far as known.</summary>
    public bool RenamesByPosix => Offers(SftpExtension.PosixRename) && !Server.Traits.Has(SftpTrait.NoPosixRename);

    /// <summary>Whether names are known to be refused by the file system alone.</summary>
    public bool TakesAnyName => ServerSoftware.TakesAnyName(_software);

    /// <summary>Whether OK to a rename or a deletion is known to prove that.</summary>
    public bool ConfirmsChanges => ServerSoftware.ConfirmsChanges(_software);

    /// <summary>Whether listings are known to show links as links.</summary>
    public bool ListsLinks { get; private set; }

    /// <summary>Whether several READDIRs on one handle are known to be read one after the other.</summary>
    public bool ReadsInTurn => ServerSoftware.ReadsInTurn(_software) && !IsUnordered;

    /// <summary>Whether a WRITE may go anywhere in a file.</summary>
    public bool WritesAtOffset { get; private set; }

    /// <summary>Whether times that are set are known to have an effect, unless refused.</summary>
    public bool SetsTimes { get; private set; }

    /// <summary>Whether OPEN is known to take the flags of fopen's modes only.</summary>
    public bool OpensByMode { get; private set; }

    private bool NumbersHandles { get; set; }

    /// <summary>The handle of the next OPEN, where it can be predicted (ADR 11); else null.</summary>
    public byte[]? ExpectedHandle =>
        NumbersHandles && !Server.SendsStepwise && !Server.HasUnpredictableHandles && Operations.OpensFirst ? [0, 0, 0, 0] : null;

    /// <summary>Empty probe files of this session that are not yet deleted.</summary>
    public ConcurrentDictionary<string, byte> OwnFiles { get; } = new(StringComparer.Ordinal);

    /// <summary>Other users' log-in folders named in paths.</summary>
    public UserFolders Users { get; }

    /// <summary>Whether the server's later requests may overtake earlier ones.</summary>
    public bool IsUnordered => Server.Traits.Has(SftpTrait.Unordered);

    public bool Offers(string extension) => Extensions.ContainsKey(extension);

    /// <summary>
    /// The path in the server's form: <c>/~</c> is the log-in folder, <c>/~user</c> another user's where <see cref="Users"/> has it.
    /// </summary>
    public string Expand(string path)
    {
        if (path == RemotePath.Home) return Home;
        if (UserFolders.IsNamed(path)) return Users.Expand(path);
        return path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal)
            ? RemotePath.Combine(Home, path[(RemotePath.Home.Length + 1)..])
            : path;
    }

    /// <summary>Reads the fields of a reply and returns the buffer. An invalid reply ends the session.</summary>
    public T Read<T>(in SftpReply reply, Func<ReadOnlySpan<byte>, T> parse)
    {
        try
        {
            return parse(reply.Bytes);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            var reason = new TransferConnectionException(e.Error, e.Message, e);
            Engine.Fail(reason);
            throw reason;
        }
        finally
        {
            Engine.Buffers.Return(reply.Buffer);
        }
    }

    /// <summary>The one name of a REALPATH's or READLINK's reply; null when there is none.</summary>
    public string? ReadName(in SftpReply reply) => Read(reply, bytes =>
    {
        var names = new SftpNames(bytes, Names);
        return names.MoveNext() ? names.Name : null;
    });

    // After the end, holders of room and places fail and do not return them.
    private async Task OpenWhenEndedAsync()
    {
        await Engine.Ended.ConfigureAwait(false);
        Sending.Open();
        Receiving.Open();
        Handles.ReleaseWaiters();
    }
}
