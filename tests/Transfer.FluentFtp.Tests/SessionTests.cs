using FluentFTP;
using Transfer.Testing;

namespace Transfer.FluentFtp.Tests;

/// <summary>Sessions: log-ins, limits, losses, cancellation.</summary>
[TestFixture]
public sealed class SessionTests : EmbeddedFixture
{
    [Test]
    public async Task Wrong_credentials_are_refused_once_and_show_nowhere()
    {
        await StartAsync();
        var client = Connect(configure: fluent => fluent.Credentials = new("demo", "wrong-secret"));
        Server.Faults.Reply("PASS", "530 demo with wrong-secret is not known");
        var error = await Assert.CatchAsync<TransferException>(() => client.PingAsync().AsTask());

        Assert.That((error!.Error, error.ServerCode), Is.EqualTo((TransferError.Auth, 530)));
        Assert.That(error.ToString(), Does.Not.Contain("wrong-secret"));
        Assert.That(Commands("PASS"), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task A_folder_goes_over_several_sessions_each_with_a_client_of_its_own()
    {
        var client = await StartAsync(new FtpTestServerOptions { Link = new LinkOptions { RoundTrip = TimeSpan.FromMilliseconds(20) } },
            new TransferClientOptions { MaxSessions = 4 });
        for (var i = 0; i < 60; i++) LocalFile($"tree/{i}.bin", 2_000);
        var job = await client.UploadDirectoryAsync(Path.Combine(Scratch, "tree"), "tree");

        Assert.That((job.Files, job.Failed), Is.EqualTo((60L, 0L)));
        Assert.That(Server.PeakConnections, Is.InRange(2, 4));
        Assert.That(Store.Files, Has.Count.EqualTo(60));
    }

    [TestCase(2, 0)]
    [TestCase(0, 2)]
    public async Task A_server_that_allows_few_sessions_gets_no_more(int ofAll, int ofUser)
    {
        var link = new LinkOptions { RoundTrip = TimeSpan.FromMilliseconds(20) };
        var options = new FtpTestServerOptions { MaxConnections = ofAll, MaxConnectionsPerUser = ofUser, Link = link };
        var client = await StartAsync(options, new TransferClientOptions { MaxSessions = 6 });
        for (var i = 0; i < 60; i++) LocalFile($"tree/{i}.bin", 2_000);
        var job = await client.UploadDirectoryAsync(Path.Combine(Scratch, "tree"), "tree");
        Assert.That((job.Files, job.Failed), Is.EqualTo((60L, 0L)));
    }

    [Test]
    public async Task A_connection_that_is_lost_in_a_job_is_replaced_by_a_session_and_never_by_fluentftp()
    {
        var client = await StartAsync(configure: fluent => fluent.Config.ReadTimeout = 1000);
        Server.Faults.DropConnection("RNTO", reset: true, skip: 3);
        for (var i = 0; i < 10; i++) LocalFile($"tree/{i}.bin", 2_000);
        var job = await client.UploadDirectoryAsync(Path.Combine(Scratch, "tree"), "tree");

        Assert.That((job.Files, job.Failed), Is.EqualTo((10L, 0L)));
        Assert.That(Store.Files, Has.Count.EqualTo(10));
        // Each connection begins with a log-in; none goes on in the middle of a rename.
        var renames = Server.Commands.Where(command => command.Verb is "RNFR" or "RNTO").GroupBy(command => command.Connection);
        Assert.That(renames.Select(connection => connection.First().Verb), Is.Not.Empty.And.All.EqualTo("RNFR"));
    }

    [Test]
    public async Task A_session_ends_where_fluentftp_would_reconnect_under_tls()
    {
        var client = await StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit }, configure: fluent =>
            fluent.Config.SslSessionLength = 40);
        for (var i = 0; i < 20; i++) LocalFile($"tree/{i}.bin", 2_000);
        var job = await client.UploadDirectoryAsync(Path.Combine(Scratch, "tree"), "tree");

        Assert.That((job.Files, job.Failed, job.Retries), Is.EqualTo((20L, 0L, 0)));
        Assert.That(Server.TotalConnections, Is.GreaterThan(2));
    }

    [Test]
    public async Task A_cancelled_upload_ends_and_the_client_goes_on()
    {
        var client = await StartAsync();
        var stall = Server.Faults.StallData(30_000, "STOR");
        using var cancel = new CancellationTokenSource();
        var upload = client.UploadFileAsync(LocalFile("a.bin", 30_000_000), "a.bin", cancellationToken: cancel.Token);
        await stall.FirstFired;
        await cancel.CancelAsync();

        var error = await Assert.CatchAsync<OperationCanceledException>(() => upload);
        Assert.That(error!.CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(Store.Exists("/a.bin"), Is.False);
        await client.UploadFileAsync(LocalFile("b.bin"), "b.bin");
        Assert.That(Store.Exists("/b.bin"));
    }

    [Test]
    public async Task A_server_that_says_nothing_at_all_is_a_time_out()
    {
        var impatient = new TransferClientOptions { MaxSessions = 1, LogInTimeout = TimeSpan.FromMilliseconds(500) };
        var client = await StartAsync(options: impatient);
        Server.Faults.Stall(FtpFaults.Greeting, times: int.MaxValue);
        var error = await Assert.CatchAsync<TransferException>(() => client.PingAsync().AsTask());
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task A_server_that_is_not_there_is_a_lost_connection()
    {
        await StartAsync();
        var port = Server.EndPoint.Port;
        await Server.DisposeAsync();
        await using var client = new FluentFtpTransferClient(() =>
            new AsyncFtpClient("localhost", port), "/", new TransferClientOptions { Retry = new RetryOptions { Attempts = 1 } });
        var error = await Assert.CatchAsync<TransferException>(() => client.PingAsync().AsTask());
        Assert.That(error!.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task An_application_may_connect_its_clients_itself()
    {
        await StartAsync();
        await using var client = new FluentFtpTransferClient(Server.Uri, async ct =>
        {
            var fluent = Create();
            await fluent.Connect(ct);
            return fluent;
        });
        await client.UploadFileAsync(LocalFile("a.bin"), "/a.bin");
        Assert.That(Store.Exists("/a.bin"));
    }

    [Test]
    public async Task The_endpoint_names_the_server_and_never_the_password()
    {
        await StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit });
        await using var client = new FluentFtpTransferClient(() => Create(), "/~/in box");
        Assert.That(client.Endpoint.AbsoluteUri, Is.EqualTo($"ftpes://demo@localhost:{Server.EndPoint.Port}/~/in%20box"));
        Assert.That(Server.TotalConnections, Is.Zero);
    }

    [Test]
    public void Options_that_fluentftp_would_not_see_are_refused()
    {
        Assert.That(() => Create(new TransferClientOptions { Credential = new TransferCredential("a", "b") }),
            Throws.ArgumentException.With.Message.Contains("AsyncFtpClient.Credentials"));
        Assert.That(() => Create(new TransferClientOptions { Dial = new DialOptions { ConnectTimeout = TimeSpan.FromSeconds(1) } }),
            Throws.ArgumentException.With.Message.Contains("AsyncFtpClient.Config"));
        Assert.That(() => new FluentFtpTransferClient(() => new AsyncFtpClient("localhost"), "inbox"),
            Throws.ArgumentException.With.Message.Contains("relative"));

        static FluentFtpTransferClient Create(TransferClientOptions options) => new(() => new AsyncFtpClient("localhost"), "/", options);
    }

    [Test]
    public async Task A_provider_makes_clients_of_urls()
    {
        await StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit });
        var provider = new FluentFtpTransferProvider(fluent => fluent.Config.ValidateAnyCertificate = true);
        var url = new UriBuilder(Server.Uri) { Host = "localhost", UserName = "demo", Password = Password }.Uri;
        await using var client = provider.Create(url);
        await client.UploadFileAsync(LocalFile("a.bin"), "a.bin");

        Assert.That(Store.Exists("/a.bin"));
        Assert.That(client.Endpoint.AbsoluteUri, Does.Not.Contain(":demo@"));
        Assert.That(provider.Schemes, Is.EquivalentTo(new[] { "ftp", "ftpes", "ftps" }));
    }
}
