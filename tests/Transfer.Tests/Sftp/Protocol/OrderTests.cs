using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Servers that run requests at once, so that later ones overtake earlier ones.</summary>
public sealed class OrderTests
{
    [Test]
    public async Task A_file_whose_CLOSE_overtook_is_sent_again_and_from_then_on_each_step_waits_for_the_one_before()
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual()));
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Write && request.Text == "h1")
            {
                held = request;
                return [];
            }
            // The handle is gone by then.
            return request.Type == SftpPacketType.Close && request.Text == "h1"
                ? [.. server.Store.Serve(request), .. FakeReply.Status(held!.Id, SftpStatus.Failure)] : null;
        };
        await using var session = await server.OpenAsync(state: state);
        var first = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(first.Error().IsTransient, first.Error().Message);
        Assert.That(state.Traits.Has(SftpTrait.Unordered));

        server.Instead = null;
        var second = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(second.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public async Task Nothing_is_sent_behind_a_request_that_it_builds_upon([Values] bool isForced)
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual(isForced ? new() { AwaitsReplies = true } : null)));
        if (!isForced) state.Traits.Settle(SftpTrait.Unordered, has: true);
        await using var session = await server.OpenAsync(state: state);
        // The last reply to a WRITE is late: whatever did not wait would be among the requests by then.
        var (before, atLast, later) = (server.RequestCount, 0, 0);
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Write || request.Offset < 98_304) return null;
            atLast = server.RequestCount;
            var reply = server.Store.Serve(request);
            _ = Task.Run(async () =>
            {
                await Task.Delay(100);
                later = server.RequestCount;
                await server.SendAsync(reply);
            });
            return [];
        };
        var item = await session.RunAsync(SftpHarness.Upload("/a", SftpHarness.Bytes(100_000)));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That((later, server.Requests[before..].FindAll(request => request.StartsWith("Write", StringComparison.Ordinal)).Count),
            Is.EqualTo((atLast, 4)));
    }

    [Test]
    public async Task A_small_download_whose_CLOSE_overtook_is_fetched_again_with_its_handle_open_to_the_end()
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual()));
        server.Store.Files["/a"] = [1, 2, 3];
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Read && request.Text == "h1")
            {
                held ??= request;
                return held == request ? [] : FakeReply.Status(request.Id, SftpStatus.Failure);
            }
            return request.Type == SftpPacketType.Close && request.Text == "h1"
                ? [.. server.Store.Serve(request), .. FakeReply.Status(held!.Id, SftpStatus.Failure)] : null;
        };
        await using var session = await server.OpenAsync(state: state);
        var first = await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]));
        Assert.That(first.Error().IsTransient, first.Error().Message);
        var second = await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]));
        Assert.That(second.Received(), Is.EqualTo(new byte[] { 1, 2, 3 }));
        await Eventually.IsAsync(() => server.Seen()[^1], "Close h2");
    }

    [Test]
    public async Task Replies_in_order_settle_nothing()
    {
        var (server, state) = (new FakeServer(), State(new SftpTraits()));
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(SftpHarness.Upload("/a", SftpHarness.Bytes(100_000)), SftpHarness.Upload("/b", [1]));
        Assert.That(state.Traits.Has(SftpTrait.Unordered), Is.False);
    }

    [Test]
    public async Task Attributes_are_set_before_a_rename_is_sent()
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual(new() { AwaitsReplies = true })));
        server.Store.Files["/t"] = [1];
        var (atSet, later) = (0, 0);
        server.Instead = Late(server, request => request.Type == SftpPacketType.SetStat, seen => (atSet, later) = seen);
        await using var session = await server.OpenAsync(state: state);
        await session.RenameAsync(ToMode("/t", "/a"), CancellationToken.None);
        Assert.That((later, server.Store.Modes["/a"]), Is.EqualTo((atSet, 0x1A4u)));
    }

    [Test]
    public async Task A_rename_that_overtakes_the_attributes_has_them_set_again([Values] bool isUpload)
    {
        var (server, state) = (new FakeServer(), new SftpServerState { Traits = SftpHarness.Usual() });
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request is { Type: SftpPacketType.SetStat, Text: not "/a" })
            {
                held = request;
                return [];
            }
            return request.Extension == SftpExtension.PosixRename
                ? [.. server.Store.Serve(request), .. FakeReply.Status(held!.Id, SftpStatus.NoSuchFile)] : null;
        };
        await using var session = await server.OpenAsync(state: state);
        server.Store.Files["/t"] = [1];
        if (!isUpload) await session.RenameAsync(ToMode("/t", "/a"), CancellationToken.None);
        // The umask is known behind the content only.
        else await session.RunAsync(NewFile("/.transfer-1-a.part"));
        Assert.That((server.Store.Modes["/a"], state.Traits.Has(SftpTrait.Unordered)), Is.EqualTo((0x1A4u, true)));
    }

    [Test]
    public async Task Attributes_that_CLOSE_has_overtaken_are_set_by_path()
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual()));
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.FSetStat)
            {
                held = request;
                return [];
            }
            return request.Type == SftpPacketType.Close && held is not null
                ? [.. server.Store.Serve(request), .. FakeReply.Status(held.Id, SftpStatus.Failure)] : null;
        };
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(NewFile("/t"));
        Assert.That(server.Store.Modes["/a"], Is.EqualTo(0x1A4u));
    }

    [Test]
    public async Task The_umask_is_found_where_LSTAT_overtakes_OPEN([Values] bool isKnown)
    {
        var server = new FakeServer();
        var state = new SftpServerState { Traits = SftpHarness.Usual(isKnown ? new() { AwaitsReplies = true } : null) };
        var isEarly = false;
        server.Instead = request =>
        {
            if (request is { Type: SftpPacketType.Open, Text: "/t0000000" })
            {
                isEarly = true;
                _ = Task.Run(async () =>
                {
                    await Task.Delay(100);
                    isEarly = false;
                    await server.SendAsync(server.Store.Serve(request));
                });
                return [];
            }
            return request is { Type: SftpPacketType.LStat, Text: "/t0000000" } && isEarly
                ? FakeReply.Status(request.Id, SftpStatus.NoSuchFile) : null;
        };
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(NewFile("/t"));
        var looks = server.Seen().Count(line => line == "LStat /t0000000");
        Assert.That((looks, server.Store.Modes["/a"]), Is.EqualTo((isKnown ? 1 : 2, 0x1A4u)));
    }

    [Test]
    public async Task A_file_in_place_is_closed_to_other_users_before_its_content_is_sent()
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual(new() { AwaitsReplies = true })));
        server.Store.Files["/a"] = [9];
        server.Store.Modes["/a"] = 0x9ED;
        var (atSet, later) = (0, 0);
        server.Instead = Late(server, request => request.Type == SftpPacketType.FSetStat, seen => (atSet, later) = seen);
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(SftpHarness.Upload("/a", [1], direct: true));
        Assert.That((later, server.Store.Files["/a"]), Is.EqualTo((atSet, new byte[] { 1 })));
    }

    [Test]
    public async Task A_copys_attributes_are_set_before_it_is_closed()
    {
        var (server, state) = (new FakeServer { Extensions = [SftpExtension.PosixRename, SftpExtension.CopyData] },
            State(SftpHarness.Usual(new() { AwaitsReplies = true })));
        server.Store.Files["/a"] = [9];
        var (atSet, later) = (0, 0);
        server.Instead = Late(server, request => request.Type == SftpPacketType.FSetStat, seen => (atSet, later) = seen);
        await using var session = await server.OpenAsync(state: state);
        await session.CopyFileAsync(new FileCopy
        {
            Source = "/a",
            Target = "/b",
            TemporaryPath = "/b.part",
            Metadata = new FileMetadata { Modified = Samples.Time },
        }, CancellationToken.None);
        Assert.That((later, server.Store.Files.ContainsKey("/b")), Is.EqualTo((atSet, true)));
    }

    // Serves such requests late, and tells the number of requests then, and before.
    private static Func<FakeRequest, byte[]?> Late(FakeServer server, Func<FakeRequest, bool> isLate, Action<(int, int)> tell) => request =>
    {
        if (!isLate(request)) return null;
        var before = server.RequestCount;
        _ = Task.Run(async () =>
        {
            await Task.Delay(100);
            tell((before, server.RequestCount));
            await server.SendAsync(server.Store.Serve(request));
        });
        return [];
    };

    private static TestItem NewFile(string temporary) => new(WorkKind.Upload, "/a", new TestContent([1]))
    {
        TemporaryPath = temporary,
        Replace = true,
        SourceMode = (UnixFileMode)0x1A4,
    };

    private static Renaming ToMode(string from, string to) =>
        new(from, to) { IsTemporary = true, Replace = true, Metadata = new FileMetadata { Mode = (UnixFileMode)0x1A4 } };

    private static SftpServerState State(SftpTraits traits) =>
        new() { Umask = new SftpUmask((UnixFileMode)0b000_010_010), Traits = traits };
}
