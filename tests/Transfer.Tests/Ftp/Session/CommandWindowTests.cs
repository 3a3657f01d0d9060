using System.Text;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Many commands at once, for a server that takes two for one where what it reads at once ends between CR and LF.</summary>
[CancelAfter(60_000)]
public sealed class CommandWindowTests
{
    private const int Files = 300;
    private const int ReadAtOnce = 4096;

    [Test]
    public async Task No_more_is_on_its_way_than_a_server_reads_at_once(CancellationToken ct)
    {
        await using var ftp = await StartAsync();
        var held = ftp.Server.Faults.Stall("DELE");
        var deletion = ftp.Client.DeleteAsync("/t", recursive: true, ct).AsTask();
        await held.FirstFired.WaitAsync(ct);
        while (BytesSent(ftp) < ReadAtOnce * 9 / 10) await Task.Delay(5, ct);
        await Task.Delay(50, ct);
        Assert.That(BytesSent(ftp), Is.LessThanOrEqualTo(ReadAtOnce));
        held.Release();
        Assert.That(await deletion, Is.True);
        Assert.That(ftp.Store.Files, Is.Empty);
        var deleted = ftp.Work.Where(c => c.Verb == "DELE").ToArray();
        Assert.That(deleted, Has.Length.EqualTo(Files));
        Assert.That(deleted.Select(c => c.Read).Distinct().Count(), Is.LessThan(Files / 5), "They still go together.");
    }

    [Test]
    public async Task Two_that_were_taken_for_one_end_the_session_and_the_next_sends_them_one_by_one(CancellationToken ct)
    {
        await using var ftp = await StartAsync();
        // It quotes what it took for a name.
        ftp.Server.Faults.Reply("DELE", "550 /t/a\nDELE /t/b: No such file or directory", skip: 20);
        Assert.That(await ftp.Client.DeleteAsync("/t", recursive: true, ct), Is.True);
        Assert.That(ftp.Store.Files, Is.Empty);
        var serial = ftp.Work.Where(c => c.Connection > 1 && c.Verb == "DELE").ToArray();
        Assert.That(serial, Is.Not.Empty);
        Assert.That(serial.Select(c => c.Read).Distinct().Count(), Is.EqualTo(serial.Length));
    }

    private static async Task<FtpHarness> StartAsync()
    {
        var ftp = await FtpHarness.StartAsync();
        for (var i = 0; i < Files; i++) ftp.Store.AddFile($"/t/{i:D4}{new string('n', 60)}", [1]);
        return ftp;
    }

    private static int BytesSent(FtpHarness ftp) =>
        ftp.Work.Where(c => c.Verb == "DELE").Sum(c => Encoding.UTF8.GetByteCount(c.Verb + " " + c.Argument) + 2);
}
