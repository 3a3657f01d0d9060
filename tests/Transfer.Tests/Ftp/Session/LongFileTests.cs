using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Scheduling;
using Transfer.Local.Contents;
using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

public sealed class LongFileTests
{
    [Test]
    public async Task A_large_file_that_is_listed_last_begins_with_the_first()
    {
        const int Small = 100;
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { MaxSessions = 2 });
        using var folder = new TempFolder();
        ftp.Store.AddDirectory("/in");
        var greeting = ftp.Server.Faults.Stall(FtpFaults.Greeting, times: 2); // until all are in line
        await using var job = new EngineJob("test", ftp.Client.Engine, new JobLimits(2), new TransferJobContext());

        var result = await job.RunAsync(async _ =>
        {
            for (var i = 0; i < Small; i++) await job.AddAsync(Upload(folder.Add($"f{i:D3}", [1]), 1));
            await job.AddAsync(Upload(folder.Add("large", new byte[3 << 20]), 3 << 20));
            greeting.Release();
        }).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((Small + 1L, 0L)));
        var stored = ftp.Work.Where(c => c.Verb == "STOR").Select(c => Path.GetFileName(c.Argument)).ToList();
        Assert.That(stored, Has.Count.EqualTo(Small + 1));
        Assert.That(stored.IndexOf("large"), Is.LessThan(Small / 2));
    }

    private static JobFile Upload(string path, long length)
    {
        var (name, options) = (Path.GetFileName(path),
            new UploadOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct });
        return new(new FileSpec { Name = name, Kind = WorkKind.Upload, RemotePath = "/in/" + name, Options = options },
            new LocalFileSource(path, length));
    }
}
