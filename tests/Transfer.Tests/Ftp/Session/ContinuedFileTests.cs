using Transfer.Ftp;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Files that one session continues, at the end of what an earlier run has left.</summary>
public sealed class ContinuedFileTests
{
    private const int Length = 12 << 20;
    private const int Arrives = 8 << 20;

    [Test]
    public async Task The_result_counts_the_bytes_of_the_earlier_run([Values] bool upload)
    {
        using var folder = new TempFolder();
        var content = FtpHarness.Content(Length);
        var local = folder["file"];
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { MaxSessions = 1 });
        if (upload) folder.Add("file", content);
        else ftp.Store.AddFile("/file", content);
        var held = ftp.Server.Faults.StallData(Arrives, upload ? "STOR" : "RETR");
        var first = Start(ftp.Client, resume: false);
        await held.FirstFired.WaitAsync(Eventually.Hang);
        await Eventually.TrueAsync(() => first.Progress.Bytes >= Arrives * 3 / 4, "the bytes before");
        await first.DisposeAsync();
        held.Release();
        ftp.Server.Faults.Clear();

        await using var other = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = 1 });
        await using var job = Start(other, resume: true);
        var result = (await job.ReadItemsAsync().ToListAsync()).Single().Result!;
        Assert.That(result.ResumedAt, Is.GreaterThan(0));
        Assert.That(result.Bytes, Is.EqualTo(Length));
        Assert.That((upload ? ftp.Store.ReadFile("/file") : folder.Read("file")).AsSpan().SequenceEqual(content));

        TransferJob Start(TransferClient client, bool resume) => upload
            ? client.StartUploadFile(local, "/file", new() { Journal = folder["journal"], Resume = resume }, readItems: true)
            : client.StartDownloadFile("/file", local, new() { Journal = folder["journal"], Resume = resume }, readItems: true);
    }
}
