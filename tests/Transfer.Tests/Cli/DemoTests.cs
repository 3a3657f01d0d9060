using Transfer.Cli;

namespace Transfer.Tests.Cli;

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

    private static string[] Folders() => Directory.GetDirectories(Path.GetTempPath(), "transfer-demo-*");
}
