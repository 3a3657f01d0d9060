using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Symbolic links over SFTP.</summary>
public sealed class LinkTests
{
    private static readonly FileMetadata Time = new() { Modified = DateTimeOffset.FromUnixTimeSeconds(5) };

    [Test]
    public async Task Links_are_made_together_and_get_their_own_times()
    {
        var server = new FakeServer { Extensions = [SftpExtension.LSetStat] };
        await using var session = await server.OpenAsync();
        server.Requests.Clear();
        var errors = await session.CreateLinksAsync(
            [new() { Path = "/a", Target = "../x", Metadata = Time }, new() { Path = "/~/b", Target = "/y" }], CancellationToken.None);
        Assert.That(errors, Is.EqualTo(new TransferException?[] { null, null }));
        Assert.That(server.Store.Links, Is.EquivalentTo(new Dictionary<string, string> { ["/a"] = "../x", ["/home/user/b"] = "/y" }));
        // The text comes first, as OpenSSH has it.
        Assert.That(server.Requests, Is.EqualTo(new[] { "SymLink ../x -> /a", "SymLink /y -> /home/user/b", "lsetstat@openssh.com /a" }));
        Assert.That(server.Store.Set["/a"].Modified, Is.EqualTo(5));
    }

    [Test]
    public async Task A_server_that_lists_links_as_folders_is_asked_for_each()
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/d");
        server.Store.Directories.Add("/d/sub");
        server.Store.Directories.Add("/other");
        server.Store.Links["/d/link"] = "/other";
        await using var session = await server.OpenAsync();
        RemoteEntry[] entries = [.. new[] { "/d/sub", "/d/link",
            "/d/gone" }.Select(path => new RemoteEntry { Path = path, Type = RemoteEntryType.Directory })];
        Assert.That(
            await session.ProveDirectoriesAsync(entries, CancellationToken.None),
            Is.EqualTo(new[] { DirectoryProof.Child, DirectoryProof.Link, DirectoryProof.Unknown }));
    }

    [Test]
    public async Task Without_lsetstat_nothing_is_set_through_a_link()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        await session.CreateLinksAsync([new() { Path = "/a", Target = "x", Metadata = Time }], CancellationToken.None);
        Assert.That(server.Requests[^1], Is.EqualTo("SymLink x -> /a"));
    }

    [Test]
    public async Task What_is_there_is_replaced_only_when_asked_and_never_a_directory([Values] bool posix)
    {
        var server = new FakeServer { Extensions = posix ? [SftpExtension.PosixRename] : [] };
        server.Store.Links["/l"] = "old";
        server.Store.Files["/f"] = [1];
        server.Store.Directories.Add("/d");
        await using var session = await server.OpenAsync();
        SymbolicLink[] links = [.. new[] { "/l", "/f",
            "/d" }.Select(path => new SymbolicLink { Path = path, Target = "new", TemporaryPath = path + ".part" })];
        var kept = await session.CreateLinksAsync(links, CancellationToken.None);
        Assert.That(kept.Select(e => e?.Error), Is.All.EqualTo(TransferError.Exists));
        var replaced = await session.CreateLinksAsync([.. links.Select(link => link with { Replace = true })], CancellationToken.None);
        Assert.That(replaced.Select(e => e?.Error), Is.EqualTo(new TransferError?[] { null, null, TransferError.Exists }));
        Assert.That(server.Store.Links, Is.EquivalentTo(new Dictionary<string, string> { ["/l"] = "new", ["/f"] = "new" }));
        Assert.That(server.Store.Files, Is.Empty);
    }

    [TestCase(8u, TransferError.Unsupported)]
    [TestCase(3u, TransferError.Denied)]
    [TestCase(2u, TransferError.NotFound)]
    [TestCase(4u, TransferError.Denied)]
    public async Task A_refusal_is_told(uint status, TransferError error)
    {
        var server = new FakeServer
        { Instead = request => request.Type == SftpPacketType.SymLink ? FakeReply.Status(request.Id, (SftpStatus)status) : null };
        await using var session = await server.OpenAsync();
        var errors = await session.CreateLinksAsync([new() { Path = "/a", Target = "x", Replace = true, TemporaryPath = "/t" }],
            CancellationToken.None);
        Assert.That((errors.Single()!.Error, session.Usable), Is.EqualTo((error, true)));
    }

    [Test]
    public async Task A_server_that_takes_the_links_path_first_gets_that_order_and_keeps_no_stray_link()
    {
        var (server, state) = (new FakeServer(), new SftpServerState());
        server.Store.Directories.Add("/d");
        server.Instead = request => request.Type == SftpPacketType.SymLink ? Make(server, request.Text, request.Target!, request.Id) : null;
        await using var session = await server.OpenAsync(state: state, software: "SSH-2.0-Other");
        var errors = await session.CreateLinksAsync([.. new[] { "/d/a", "/d/b", "/d/c" }.Select(Link)], CancellationToken.None);
        Assert.That(errors, Is.All.Null);
        Assert.That(server.Store.Links,
            Is.EquivalentTo(new Dictionary<string, string> { ["/d/a"] = "x", ["/d/b"] = "x", ["/d/c"] = "x" }));
        Assert.That(state.Traits.Has(SftpTrait.LinkPathFirst));
        Assert.That(server.Requests.Count(request => request.StartsWith("SymLink", StringComparison.Ordinal)), Is.EqualTo(4));
    }

    [Test]
    public async Task A_confirmed_link_that_is_not_there_is_an_error_and_nothing_is_removed_that_may_be_older([Values] bool isOlder)
    {
        var server = new FakeServer();
        if (isOlder) server.Store.Links["x"] = "/a";
        server.Instead = request => request.Type == SftpPacketType.SymLink ? FakeReply.Status(request.Id, SftpStatus.Ok) : null;
        await using var session = await server.OpenAsync(software: "SSH-2.0-Other");
        var error = (await session.CreateLinksAsync([Link("/a")], CancellationToken.None)).Single();
        Assert.That(error?.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(error!.Message, Does.Contain(isOlder ? "is named x" : "does not exist"));
        Assert.That(server.Store.Links.ContainsKey("x"), Is.EqualTo(isOlder));
    }

    [Test]
    public async Task The_first_link_alone_is_looked_at()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync(software: "SSH-2.0-Other");
        Assert.That(await session.CreateLinksAsync([Link("/a"), Link("/b")], CancellationToken.None), Is.All.Null);
        Assert.That(server.Requests[2..],
            Is.EqualTo(new[] { "LStat /a", "LStat x", "SymLink x -> /a", "LStat /a", "SymLink x -> /b" }));
    }

    [Test]
    public async Task Texts_are_read_together()
    {
        var server = new FakeServer();
        for (var i = 0; i < 250; i++) server.Store.Links[$"/l{i}"] = $"../t{i}";
        await using var session = await server.OpenAsync();
        var outcomes = await session.ReadLinksAsync([.. Enumerable.Range(0, 250).Select(i => $"/l{i}"), "/none"], CancellationToken.None);
        Assert.That(outcomes.Take(250).Select(outcome => outcome.Entry!.LinkTarget),
            Is.EqualTo(Enumerable.Range(0, 250).Select(i => $"../t{i}")));
        Assert.That(outcomes[^1].Error, Is.Not.Null);
    }

    [Test]
    public async Task Ends_are_told_with_their_real_paths()
    {
        var server = new FakeServer();
        server.Store.Directories.UnionWith(["/d", "/d/e"]);
        server.Store.Files["/d/e/f"] = [1, 2];
        server.Store.Links["/l"] = "d/e";
        server.Store.Links["/m"] = "l/f";
        server.Store.Links["/none"] = "nothing";
        server.Store.Links["/round"] = "round";
        await using var session = await server.OpenAsync();
        var ends = await session.FollowLinksAsync(["/l", "/m", "/none", "/round", "/d"], CancellationToken.None);
        Assert.That(ends.Select(end => (end.Entry?.Path, end.Entry?.Type, end.Entry?.Length)),
            Is.EqualTo(new (string?, RemoteEntryType?, long?)[]
        {
            ("/d/e", RemoteEntryType.Directory, null), ("/d/e/f", RemoteEntryType.File, 2), (null, null, null), (null, null, null),
            ("/d", RemoteEntryType.Directory, null),
        }));
        server.Instead = request => request.Type switch
        {
            SftpPacketType.Stat when request.Text == "/l" => FakeReply.Status(request.Id, SftpStatus.PermissionDenied),
            SftpPacketType.RealPath => FakeReply.Status(request.Id, SftpStatus.Unsupported),
            _ => null,
        };
        Assert.That((await session.FollowLinksAsync(["/l", "/d"], CancellationToken.None)).Select(end => end.Error!.Error),
            Is.EqualTo(new[] { TransferError.Denied, TransferError.Unsupported }));
    }

    private static SymbolicLink Link(string path) => new() { Path = path, Target = "x" };

    private static byte[] Make(FakeServer server, string path, string text, uint id) =>
        FakeReply.Status(id, server.Store.Links.TryAdd(path, text) ? SftpStatus.Ok : SftpStatus.Failure);
}
