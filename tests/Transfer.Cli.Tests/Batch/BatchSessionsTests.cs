using System.Runtime.Versioning;
using Transfer.TestSupport.Exec;

namespace Transfer.Cli.Tests.Batch;

/// <summary>The sessions of a folder's job that goes by the host's tar: commands that wait show what is under way.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
public sealed class BatchSessionsTests : HostFixture
{
    private const int PassedOn = 400_000;

    [Test]
    public async Task A_job_shows_the_archives_on_their_way_to_tar()
    {
        Fill(Here);
        WaitingTar($"{{ head -c {PassedOn}; {Wait}; cat; }} | /bin/tar \"$@\"");
        await using var host = Host();
        await AssertSessionsAsync(host.StartUploadDirectory(Here.Path, Target, InBatch()));
    }

    [Test]
    public async Task A_job_shows_the_archives_on_their_way_from_tar()
    {
        Fill(There);
        WaitingTar($"/bin/tar \"$@\" > \"$0.$$\" || exit; head -c {PassedOn} \"$0.$$\"; {Wait}; tail -c +{PassedOn + 1} \"$0.$$\"");
        await using var host = Host();
        await AssertSessionsAsync(host.StartDownloadDirectory(There.Path, Here["out"], InBatch()));
    }

    private string Wait => $"while [ ! -e {Programs["go"]} ]; do sleep 0.05; done";

    private async Task AssertSessionsAsync(TransferJob job)
    {
        await using var end = job;
        await Eventually.TrueAsync(() => job.Sessions.Any(session => session.Bytes >= PassedOn / 2));
        var session = job.Sessions.First(session => session.Bytes >= PassedOn / 2);
        Assert.That(session.Path, Does.Match("^archive [0-9]+$"));
        Assert.That((session.Files, session.Moved), Is.EqualTo((session.Files, session.Bytes)));
        Assert.That(session.Files, Is.Positive);
        Programs.Add("go", []);
        var result = (BatchDirectoryResult)await job.Completion;
        Assert.That((result.Way, result.Failed, job.Sessions.Count), Is.EqualTo((BatchWay.Tar, 0L, 0)));
    }

    private static void Fill(TempFolder folder)
    {
        for (var i = 0; i < 40; i++) folder.Add($"f{i}", new byte[20_000]);
    }

    private ShellHost Host() => new() { Programs = $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}" };

    private void WaitingTar(string otherwise) =>
        Program("tar", $"case \"$1\" in --version) exec /bin/tar --version;; esac\n{otherwise}");
}
