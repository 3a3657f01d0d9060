using Transfer.Ftp;
using Transfer.Sftp.Protocol;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Sftp.Protocol;

namespace Transfer.Tests.Engine;

/// <summary>
/// Small files that may not replace anything go without a look in front of them: the look rides beside their content, and nothing is
/// replaced whatever it shows.
/// </summary>
public sealed class UnseenTargetTests
{
    private TempFolder _local = null!;

    [SetUp]
    public void CreateFiles()
    {
        _local = new TempFolder();
        _local.Add("f", [1, 2, 3]);
    }

    [TearDown]
    public void DeleteFiles() => _local.Dispose();

    [Test]
    public async Task Over_FTP_a_file_goes_without_a_look_of_its_own_in_front_of_it()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await using var client = await WarmAsync(ftp);
        var before = ftp.Work.Count;
        await client.UploadFileAsync(_local["f"], "/free").Soon();
        var work = ftp.Work.Skip(before).ToList();
        Assert.That(ftp.Store.ReadFile("/free"), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(work.FindIndex(command => command.Verb == "MLST"), Is.GreaterThan(work.FindIndex(command => command.Verb == "STOR")));
        Assert.That(work.Single(command => command.Verb == "MLST").Read, Is.EqualTo(work.Single(command => command.Verb == "STOR").Read),
            "in one write");
    }

    [Test]
    public async Task Over_FTP_what_is_there_stays_and_the_next_look_comes_first_again([Values] bool isDirectory)
    {
        await using var ftp = await FtpHarness.StartAsync();
        await using var client = await WarmAsync(ftp);
        if (isDirectory) ftp.Store.AddDirectory("/taken");
        else ftp.Store.AddFile("/taken", [9]);
        for (var i = 0; i < 2; i++)
        {
            var error = await client.UploadFileAsync(_local["f"], "/taken").Failure<TransferException>();
            Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Exists, "/taken")));
        }
        if (!isDirectory) Assert.That(ftp.Store.ReadFile("/taken"), Is.EqualTo(new byte[] { 9 }));
        Assert.That(ftp.Store.Files, Has.None.Contains(".transfer-"));
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR"), Is.EqualTo(2), "the content was sent in vain once");
    }

    [Test]
    public async Task Over_FTP_what_cannot_be_seen_is_not_replaced()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await using var client = await WarmAsync(ftp);
        ftp.Store.AddFile("/taken", [9]);
        foreach (var verb in (string[])["MLST", "SIZE", "MDTM", "CWD"])
            ftp.Server.Faults.Reply(verb, "451 not now", times: 99, path: "/taken");
        foreach (var verb in (string[])["MLSD", "LIST", "STAT"]) ftp.Server.Faults.Reply(verb, "451 not now", times: 99);
        await client.UploadFileAsync(_local["f"], "/taken").Failure<TransferException>();
        Assert.That(ftp.Store.ReadFile("/taken"), Is.EqualTo(new byte[] { 9 }));
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR"), Is.EqualTo(2), "it was sent: the look was beside it");
        Assert.That(ftp.Work.Count(command => command.Verb == "RNTO"), Is.EqualTo(1), "and never renamed");
    }

    [Test]
    public async Task Over_FTP_a_look_that_says_nothing_is_followed_by_one_that_does()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await using var client = await WarmAsync(ftp);
        ftp.Server.Faults.Reply("MLST", "451 not now", path: "/free");
        await client.UploadFileAsync(_local["f"], "/free").Soon();
        Assert.That(ftp.Store.ReadFile("/free"), Is.EqualTo(new byte[] { 1, 2, 3 }));

        ftp.Store.AddFile("/taken", [9]);
        ftp.Server.Faults.Reply("MLST", "451 not now", path: "/taken");
        Assert.That((await client.UploadFileAsync(_local["f"], "/taken").Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Exists));
        Assert.That(ftp.Store.ReadFile("/taken"), Is.EqualTo(new byte[] { 9 }));
    }

    [Test]
    public async Task Over_FTP_a_large_file_is_not_sent_in_vain()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await using var client = await WarmAsync(ftp);
        _local.Add("large", Samples.Bytes(100_000));
        ftp.Store.AddFile("/taken", [9]);
        Assert.That((await client.UploadFileAsync(_local["large"], "/taken").Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Exists));
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR"), Is.EqualTo(1));
    }

    [Test]
    public async Task Over_SFTP_what_is_there_or_cannot_be_seen_stays([Values] bool isHidden)
    {
        var server = new FakeServer();
        var session = await server.OpenAsync();
        await using var client = new MemoryTransferClient(new MemoryStore(), new() { MaxSessions = 1 }, open: _ => session);
        await client.UploadFileAsync(_local["f"], "/first").Soon();
        server.Store.Files["/taken"] = [9];
        if (isHidden)
        {
            server.Instead = request =>
                request.Type is SftpPacketType.LStat or SftpPacketType.Stat or SftpPacketType.OpenDir
                ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        }

        var before = server.RequestCount;
        var error = await client.UploadFileAsync(_local["f"], "/taken").Failure<TransferException>();
        Assert.That(server.Store.Files["/taken"], Is.EqualTo(new byte[] { 9 }));
        Assert.That(error.Error, Is.EqualTo(isHidden ? TransferError.Denied : TransferError.Exists));
        Assert.That(server.Seen()[before], Does.StartWith("Open "), "no look was in front of it");
    }

    // A client whose first session is open, and knows what the server can.
    private async Task<FtpTransferClient> WarmAsync(FtpHarness ftp)
    {
        var client = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = 1, Retry = Samples.SoonAgain });
        await client.UploadFileAsync(_local["f"], "/first").Soon();
        return client;
    }
}
