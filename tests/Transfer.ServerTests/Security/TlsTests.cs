using System.Globalization;
using System.Security.Authentication;
using Transfer.Ftp;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Security;

/// <summary>TLS by host name and by address, with eight sessions at once, under the platform's own certificate check.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Tls))]
[Parallelizable]
public sealed class TlsTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Sessions = 8;

    [TestCase("localhost")]
    [TestCase("127.0.0.1")]
    public async Task Eight_sessions_transfer_at_once(string host)
    {
        var content = Bytes.Random(50_000);
        await using var client = Server.Client(options => options with { MaxSessions = Sessions }, host);

        // None is committed before all are open, so each has a session of its own.
        var streams = await Task.WhenAll(Enumerable.Range(0, Sessions).Select(async i => await client.OpenWriteAsync($"{Remote}/{i}")));
        foreach (var stream in streams) await stream.WriteAsync(content);
        await Task.WhenAll(streams.Select(async stream => await stream.CommitAsync()));
        foreach (var stream in streams) await stream.DisposeAsync();

        Assert.That(RemoteNames(), Is.EqualTo(Enumerable.Range(0, Sessions).Select(i => i.ToString(CultureInfo.InvariantCulture))));
        Assert.That(RemoteNames().Select(name => File.ReadAllBytes(Server.Local($"{Remote}/{name}"))), Is.All.EqualTo(content));
    }

    [TestCase("localhost")]
    [TestCase("127.0.0.1")]
    public async Task A_folder_goes_up_and_comes_down(string host)
    {
        var source = Path.Combine(Scratch, "source");
        var target = Path.Combine(Scratch, "target");
        TestTree.Write(source, files: 120);
        await using var client = Server.Client(options => options with { MaxSessions = Sessions }, host);

        var up = await client.UploadDirectoryAsync(source, Remote + "/tree");
        var down = await client.DownloadDirectoryAsync(Remote + "/tree", target);

        Assert.That((up.Failures, down.Failures), Is.EqualTo((Array.Empty<ItemResult>(), Array.Empty<ItemResult>())));
        Assert.That(TestTree.Differences(source, target, ListedPrecision), Is.Empty);
    }

    [Test]
    public async Task Two_clients_at_once_do_not_take_each_others_sessions()
    {
        var sources = new[] { Path.Combine(Scratch, "a"), Path.Combine(Scratch, "b") };
        foreach (var source in sources) TestTree.Write(source, files: 60);

        var results = await Task.WhenAll(sources.Select(async source =>
        {
            await using var client = Server.Client(options => options with { MaxSessions = 4 },
                Path.GetFileName(source) == "a" ? "localhost" : "127.0.0.1");
            return await client.UploadDirectoryAsync(source, $"{Remote}/{Path.GetFileName(source)}");
        }));

        Assert.That(results.Select(result => (result.Files, result.Failed)), Is.All.EqualTo((60L, 0L)),
            string.Join("\n", results.SelectMany(r => r.Failures).Select(f => f.Path + ": " + f.Error)));
    }

    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task A_version_that_is_asked_for_is_used_or_refused(SslProtocols version)
    {
        await using var client = Ftp.FtpClient(options => options with { Tls = options.Tls with { Protocols = version } });
        async Task UploadTwo()
        {
            for (var i = 0; i < 2; i++)
            {
                using var source = new MemoryStream(Bytes.Random(1000));
                await client.UploadAsync(source, $"{Remote}/{i}");
            }
        }

        if (version == SslProtocols.Tls13 && Variant.OnlyTls12)
        {
            var error = (await Assert.CatchAsync<TransferException>(UploadTwo))!;
            Assert.That(error.Error, Is.EqualTo(TransferError.Tls), error.ToString());
            return;
        }
        try
        {
            await UploadTwo();
        }
        catch (TransferException e) when (version == SslProtocols.Tls13 && Variant.RequiresReuse)
        {
            // A ticket of TLS 1.3 comes when it comes: most data connections have none to resume by, some do.
            Assert.That(e.Error, Is.AnyOf(TransferError.Tls, TransferError.Lost), e.ToString());
            return;
        }
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "0", "1" }));
    }

    [Test]
    public async Task A_client_without_TLS_is_refused_and_told_so()
    {
        var url = new UriBuilder(Server.Url()) { Scheme = "ftp" }.Uri;
        // Two that wait for each other need not do so for long.
        var patience = Variant.Tls == ServerTls.Implicit ? TimeSpan.FromSeconds(1) : TimeSpan.FromSeconds(20);
        await using var client = new FtpTransferClient(url, new FtpOptions { Credential = Server.Credential, IdleTimeout = patience });

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        // Explicit: 421, 530 or 550, each server its own. Implicit: the server waits for a handshake, or closes.
        Assert.That(error.Error,
            Is.AnyOf(TransferError.Auth, TransferError.Denied, TransferError.Tls, TransferError.Lost, TransferError.Timeout),
            error.ToString());
    }
}
