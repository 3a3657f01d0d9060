using Transfer.Pooling;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>
/// What SFTP servers do that differs from most, what a client sends then, what is remembered, and that a client of another process begins
/// with that.
/// </summary>
public sealed class TraitRowTests
{
    private const uint Time = 1_600_000_000;

    private const SftpOpenFlags Made = SftpOpenFlags.Write | SftpOpenFlags.Create | SftpOpenFlags.Truncate;

    private static readonly SftpOpenFlags[] Modes =
        [SftpOpenFlags.Read, SftpOpenFlags.Read | SftpOpenFlags.Write, Made, Made | SftpOpenFlags.Exclusive];

    private static readonly Dictionary<string, Row> Rows = new()
    {
        // Each process tries again with its first file whether times are kept.
        ["attributes are refused"] = new(SftpTrait.NoTimes, "FSetStat", 1, 1)
        {
            Instead = _ => request => IsSetting(request) ? FakeReply.Status(request.Id, SftpStatus.Unsupported) : null
        },
        ["attributes are not answered"] = new(SftpTrait.NoAttributes, "FSetStat", 1, 0)
        {
            Instead = _ => request => IsSetting(request) ? [] : null,
            Act = TryPutAsync,
        },
        ["a rename renews the time"] = new(SftpTrait.RenewsTimes, "FSetStat", 1, 1)
        {
            Instead = _ => request => request is { Type: SftpPacketType.LStat, Text: "/a" } ? Described(request, 3, 0x81A4) : null
        },
        ["requests overtake one another"] = new(SftpTrait.Unordered, "Write", 1, 1)
        {
            Instead = Overtaking,
            Act = TryPutAsync,
        },
        ["posix-rename is always refused"] = new(SftpTrait.NoPosixRename, SftpExtension.PosixRename, 1, 0)
        {
            Instead = _ => request => IsPosixRename(request) ? FakeReply.Status(request.Id, SftpStatus.Failure) : null
        },
        ["posix-rename does nothing"] = new(SftpTrait.NoPosixRename, SftpExtension.PosixRename, 1, 0)
        {
            Instead = _ => request => IsPosixRename(request) ? FakeReply.Status(request.Id, SftpStatus.Ok) : null
        },
        ["OPEN takes the flags of fopen's modes"] = new(SftpTrait.NamedModes, "Open", 3, 2)
        {
            Instead = _ => request => request.Type == SftpPacketType.Open && !Modes.Contains(request.Flags)
                ? FakeReply.Status(request.Id, SftpStatus.NoSuchFile) : null,
            Act = session => session.RunAsync(new TestItem(WorkKind.Upload, "/a", new TestContent([1, 2, 3]))
            {
                End = 2,
                IsSegment = true
            }),
        },
        ["SYMLINK takes the link's path first"] = new(SftpTrait.LinkPathFirst, "SymLink", 2, 1)
        {
            Instead = server => request =>
            {
                if (request.Type != SftpPacketType.SymLink) return null;
                server.Store.Links[request.Text] = request.Target!;
                return FakeReply.Status(request.Id, SftpStatus.Ok);
            },
            Act = async session => Assert.That(
                await session.CreateLinksAsync([new() { Path = "/l", Target = "x" }], CancellationToken.None), Is.All.Null),
        },
        ["any absent name is a folder"] = new(SftpTrait.PhantomFolders, "OpenDir", 1, 1)
        {
            Instead = server => request => request.Type == SftpPacketType.LStat && !server.Store.Files.ContainsKey(request.Text)
                ? Described(request, 0, 0x41FF, modified: 0) : null,
            Act = async session => Assert.That(await session.GetEntryAsync("/none", CancellationToken.None), Is.Null),
        },
    };

    public static IEnumerable<string> Servers => Rows.Keys;

    [TestCaseSource(nameof(Servers))]
    public async Task What_a_server_does_otherwise_is_found_out_once_and_known_to_other_processes(string name)
    {
        var row = Rows[name];
        using var folder = new TempFolder();
        var options = new TransferClientOptions { LimitsFile = folder["limits"] };
        Assert.That(await CountAsync(row, options), Is.EqualTo(row.First));
        Assert.That(await File.ReadAllTextAsync(options.LimitsFile), Does.Contain($"s{(int)row.Trait}=1"));
        Assert.That(await CountAsync(row, options), Is.EqualTo(row.Second));
    }

    private static async Task<int> CountAsync(Row row, TransferClientOptions options)
    {
        var memory = ServerMemory.Of(new Uri("sftp://host.example"), options)!;
        var state = new SftpServerState { Umask = new SftpUmask((UnixFileMode)0b000_010_010), Traits = new SftpTraits(memory) };
        await state.Traits.RecallAsync();
        var server = new FakeServer();
        server.Store.Directories.Add("/none");
        server.Instead = row.Instead(server);
        var sftp = new SftpOptions { IdleTimeout = TimeSpan.FromSeconds(1) };
        await using (var session = await server.OpenAsync(sftp, state, "SSH-2.0-Other")) await row.Act(session);
        await memory.Written;
        Assert.That(state.Traits.Has(row.Trait));
        return server.Seen().Count(request => request.Split(' ')[0] == row.Verb);
    }

    // The reply to the WRITE comes behind that to the CLOSE.
    private static Func<FakeRequest, byte[]?> Overtaking(FakeServer server)
    {
        byte[]? written = null;
        return request =>
        {
            if (request.Type == SftpPacketType.Write)
            {
                written = server.Store.Serve(request);
                return [];
            }
            return request.Type == SftpPacketType.Close ? [.. server.Store.Serve(request), .. written ?? []] : null;
        };
    }

    private static bool IsSetting(FakeRequest request) => request.Type is SftpPacketType.FSetStat or SftpPacketType.SetStat;

    private static bool IsPosixRename(FakeRequest request) => request.Extension == SftpExtension.PosixRename;

    private static byte[] Described(FakeRequest request, long length, uint mode, uint modified = Time + 1000) =>
        FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, length, mode, modified));

    private static async Task PutAsync(SftpSession session) =>
        Assert.That((await TryPutAsync(session)).Outcome, Is.InstanceOf<WorkOutcome.Done>());

    private static Task<TestItem> TryPutAsync(SftpSession session) =>
        session.RunAsync(new TestItem(WorkKind.Upload, "/a", new TestContent([1, 2, 3]))
        {
            TemporaryPath = "/home/a",
            Replace = true,
            Metadata = new FileMetadata { Modified = DateTimeOffset.FromUnixTimeSeconds(Time) },
        });

    /// <summary>A trait, and how often a request is sent by the first client and by one of another process.</summary>
    private sealed record Row(SftpTrait Trait, string Verb, int First, int Second)
    {
        /// <summary>What the server sends in place of the usual reply.</summary>
        public required Func<FakeServer, Func<FakeRequest, byte[]?>> Instead { get; init; }

        /// <summary>What a client does.</summary>
        public Func<SftpSession, Task> Act { get; init; } = PutAsync;
    }
}
