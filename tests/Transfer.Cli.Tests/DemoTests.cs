namespace Transfer.Cli.Tests;

[Category(Categories.Slow)]
public sealed class DemoTests
{
    [Test]
    public async Task The_demo_stops_when_it_is_interrupted_and_leaves_no_files()
    {
        var before = Folders();
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(1.5));
        var result = await new CliHarness().RunAsync(stop.Token, "demo").WaitAsync(TimeSpan.FromSeconds(30));
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.Interrupted, "")), result.ToString());
        Assert.That(Folders(), Is.SubsetOf(before));
    }

    [Test]
    public async Task The_demo_moves_files_whole_both_ways_over_FTP_and_SFTP()
    {
        var result = await new CliHarness().RunAsync("demo").WaitAsync(TimeSpan.FromMinutes(5));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Done), result.ToString());
        Assert.That(result.Error, Does.Contain("All contents are the same at both ends"));
        foreach (var protocol in (string[])["FTP", "SFTP"])
        {
            foreach (var work in (string[])["40 small files up", "the same again, nothing new", "1 file of 16.8 MB down"])
                Assert.That(result.Output, Does.Match($@"\| {protocol}: {work} +\|"));
        }
    }

    private static string[] Folders() => Directory.GetDirectories(Path.GetTempPath(), "transfer-demo-*");
}
