using System.Net;
using WebDavProvider;

namespace Transfer.Tests.WebDav;

/// <summary>
/// The provider of docs/write-a-provider.md, against a server with faults: jobs of every kind, and what servers may do wrong.
/// </summary>
[TestFixture]
public sealed class WebDavProviderTests
{
    private WebDavServer _server = null!;
    private TempFolder _folder = null!;
    private WebDavTransferClient _client = null!;

    [SetUp]
    public void Start()
    {
        (_server, _folder) = (new WebDavServer(), new TempFolder());
        _client = Client();
    }

    [TearDown]
    public async Task Stop()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task A_folder_goes_up_and_comes_down_with_names_of_every_kind()
    {
        foreach (var name in (string[])["a", "with space", "[b]{c}", "q?h#p%20&<x>", "ünïcödé 🚀"])
        {
            _folder.Add($"source/{name}", [1, 2, 3]);
            _folder.Add($"source/in {name}/deep", [4]);
        }

        var up = await _client.UploadDirectoryAsync(_folder["source"], "/target");
        var down = await _client.DownloadDirectoryAsync("/target", _folder["back"]);

        Assert.That((up.Files, up.Failed, down.Files, down.Failed), Is.EqualTo((10L, 0L, 10L, 0L)),
            string.Join('\n', up.Failures.Concat(down.Failures).Select(item => item.Error)));
        Assert.That(Files(_folder["back"]), Is.EqualTo(Files(_folder["source"])));
        Assert.That(_server.Paths.Where(path => path.Contains(".transfer-", StringComparison.Ordinal)), Is.Empty,
            "no temporary file is left");
    }

    [Test]
    public async Task Synchronised_twice_nothing_is_sent_and_extras_are_deleted()
    {
        for (var i = 0; i < 20; i++) _folder.Add($"source/{i}", new byte[i]);
        _server["/target"] = null;
        _server["/target/extra"] = [1];
        _server["/target/old"] = null;
        _server["/target/old/extra"] = [1];
        var options = new SyncOptions { Delete = true, Compare = SyncComparison.Size };

        var first = await _client.SynchronizeAsync(_folder["source"], "/target", SyncDirection.Up, options);
        var second = await _client.SynchronizeAsync(_folder["source"], "/target", SyncDirection.Up, options);

        Assert.That((first.Files, first.Deleted, first.Failed), Is.EqualTo((20L, 3L, 0L)),
            string.Join('\n', first.Failures.Select(item => item.Error)));
        Assert.That((second.Files, second.Unchanged, second.Deleted), Is.EqualTo((0L, 20L, 0L)));
    }

    [Test]
    public async Task An_upload_replaces_only_when_asked_and_never_a_folder()
    {
        _server["/file"] = [1];
        _server["/folder"] = null;
        _server["/folder/inside"] = [1];
        var file = _folder.Add("new", [7, 8]);

        await AssertErrorAsync(TransferError.Exists, async () => await _client.UploadFileAsync(file, "/file"));
        await AssertErrorAsync(TransferError.Exists, async () =>
            await _client.UploadFileAsync(file, "/folder", new UploadOptions { Overwrite = OverwriteMode.Always }));
        Assert.That((_server["/file"], _server["/folder/inside"]), Is.EqualTo((new byte[] { 1 }, new byte[] { 1 })));
        await _client.UploadFileAsync(file, "/file", new UploadOptions { Overwrite = OverwriteMode.Always });
        Assert.That(_server["/file"], Is.EqualTo(new byte[] { 7, 8 }));
        Assert.That(_server.Paths, Is.EqualTo(new[] { "/file", "/folder", "/folder/inside" }));
    }

    [Test]
    public async Task A_refused_move_leaves_the_old_file_and_nothing_else([Values(HttpStatusCode.Forbidden,
        HttpStatusCode.InternalServerError)] HttpStatusCode status)
    {
        _server["/file"] = [1];
        _server.Refuse = (method, _) => method == "MOVE" ? status : null;

        await AssertErrorAsync(null, async () =>
            await _client.UploadFileAsync(_folder.Add("new", [7, 8]), "/file", new UploadOptions { Overwrite = OverwriteMode.Always }));

        Assert.That((_server["/file"], _server.Paths), Is.EqualTo((new byte[] { 1 }, new[] { "/file" })));
    }

    [Test]
    public async Task A_folder_is_not_deleted_with_what_is_in_it_unless_that_was_asked()
    {
        _server["/folder"] = null;
        _server["/folder/inside"] = [1];

        await AssertErrorAsync(null, async () => await _client.DeleteAsync("/folder"));
        Assert.That(_server["/folder/inside"], Is.Not.Null);
        Assert.That(await _client.DeleteAsync("/folder", recursive: true), Is.True);
        Assert.That(_server.Paths, Is.Empty);
    }

    [Test]
    public async Task A_download_that_is_cut_goes_on_and_arrives_whole([Values] bool ignoresRanges)
    {
        var content = Enumerable.Range(0, 3_000_000).Select(i => (byte)(i * 31 >> 3)).ToArray();
        _server["/file"] = content;
        (_server.CutAfter, _server.IgnoresRanges) = (1_000_000, ignoresRanges);

        var result = await _client.DownloadFileAsync("/file", _folder["copy"]);

        Assert.That(result.Bytes, Is.EqualTo(content.Length));
        Assert.That(File.ReadAllBytes(_folder["copy"]).AsSpan().SequenceEqual(content), Is.True);
        Assert.That(_server.Log.Count(line => line == "GET /file"), Is.GreaterThan(1));
    }

    [Test]
    public async Task A_part_of_a_file_is_read_where_it_is()
    {
        _server["/file"] = [.. Enumerable.Range(0, 200).Select(i => (byte)i)];

        await using var stream = await _client.OpenReadAsync("/file");
        stream.Seek(150, SeekOrigin.Begin);
        var part = new byte[20];
        await stream.ReadExactlyAsync(part);

        Assert.That(part, Is.EqualTo(Enumerable.Range(150, 20).Select(i => (byte)i)));
    }

    [TestCase(HttpStatusCode.Unauthorized, TransferError.Auth)]
    [TestCase(HttpStatusCode.Forbidden, TransferError.Denied)]
    [TestCase(HttpStatusCode.InsufficientStorage, TransferError.Quota)]
    [TestCase(HttpStatusCode.Conflict, TransferError.NotFound)]
    [TestCase(HttpStatusCode.MovedPermanently, TransferError.Unsupported)]
    public async Task A_status_is_an_error_of_its_kind(HttpStatusCode status, TransferError kind)
    {
        _server.Refuse = (method, _) => method == "PUT" ? status : null;

        var error = await AssertErrorAsync(kind, async () => await _client.UploadFileAsync(_folder.Add("new", [7]), "/file"));

        Assert.That((error.ServerCode, error.RemotePath), Is.EqualTo(((int)status, "/file")));
    }

    [Test]
    public async Task A_refused_look_is_no_proof_of_absence()
    {
        _server.Refuse = (method, path) => method == "PROPFIND" && path == "/hidden" ? HttpStatusCode.Forbidden : null;

        await AssertErrorAsync(TransferError.Denied, async () => await _client.GetEntryAsync("/hidden"));
        Assert.That(await _client.GetEntryAsync("/absent"), Is.Null);
    }

    [Test]
    public async Task A_wrong_password_is_an_authentication_error_that_does_not_tell_it()
    {
        await using var client = Client(options => options with { Credential = new TransferCredential(WebDavServer.User, "wr0ng") });

        var error = await AssertErrorAsync(TransferError.Auth, async () => await client.ConnectAsync());

        Assert.That(error.ToString(), Does.Not.Contain("wr0ng"));
    }

    [Test]
    public async Task A_silent_server_is_given_up_after_the_idle_time()
    {
        await using var client = Client(options =>
            options with { IdleTimeout = TimeSpan.FromMilliseconds(300), Retry = new RetryOptions { Attempts = 1 } });
        _server.IsSilent = true;

        await AssertErrorAsync(TransferError.Timeout, async () => await client.ConnectAsync());
    }

    private static IEnumerable<TestCaseData> Listings()
    {
        const string self =
            "<D:response><D:href>/folder/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>";
        const string start = """<D:multistatus xmlns:D="DAV:">""" + self;
        yield return new TestCaseData(start).SetArgDisplayNames("cut");
        yield return new TestCaseData("""<!DOCTYPE m [<!ENTITY e SYSTEM "file:///etc/passwd">]>""" + start + "&e;</D:multistatus>")
            .SetArgDisplayNames("a DTD");
        yield return new TestCaseData(start + self.Replace("/folder/", "/other/file",
            StringComparison.Ordinal) + "</D:multistatus>").SetArgDisplayNames("of another folder");
        yield return new TestCaseData(start + self.Replace("/folder/", "/folder/a%2Fb",
            StringComparison.Ordinal) + "</D:multistatus>").SetArgDisplayNames("a slash in a name");
        yield return new TestCaseData(start + self.Replace("/folder/", "/folder/..",
            StringComparison.Ordinal) + "</D:multistatus>").SetArgDisplayNames("above");
        yield return new TestCaseData(start + self.Replace("/folder/", "/folder/" + new string('x', 20_000),
            StringComparison.Ordinal) + "</D:multistatus>").SetArgDisplayNames("too long");
    }

    [TestCaseSource(nameof(Listings))]
    public async Task A_listing_that_is_not_what_it_should_be_is_partial_and_nothing_is_deleted_by_it(string answer)
    {
        _server["/folder"] = null;
        _server.Properties = answer;

        var error = await AssertErrorAsync(TransferError.Partial, async () =>
        {
            await foreach (var entry in _client.ListAsync("/folder")) Assert.That(entry.Name, Is.Empty, "nothing is listed");
        });

        Assert.That(error.Message, Does.Not.Contain("root:"));
    }

    private WebDavTransferClient Client(Func<TransferClientOptions, TransferClientOptions>? change = null)
    {
        var options = new TransferClientOptions
        {
            Credential = new TransferCredential(WebDavServer.User, WebDavServer.Password),
            Retry = new RetryOptions { Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds(20) },
        };
        return new WebDavTransferClient(_server.Uri, change?.Invoke(options) ?? options);
    }

    private static async Task<TransferException> AssertErrorAsync(TransferError? kind, Func<Task> act)
    {
        var error = (await Assert.CatchAsync<TransferException>(act.Invoke))!;
        if (kind is { } wanted) Assert.That(error.Error, Is.EqualTo(wanted), error.ToString());
        return error;
    }

    private static IEnumerable<string> Files(string folder) => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
        .Select(path =>
            $"{Path.GetRelativePath(folder, path)} {Convert.ToHexString(File.ReadAllBytes(path))}").Order(StringComparer.Ordinal);
}
