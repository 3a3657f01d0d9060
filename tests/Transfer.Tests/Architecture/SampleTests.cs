using System.Diagnostics;

namespace Transfer.Tests.Architecture;

/// <summary>Samples run as their readers run them.</summary>
[TestFixture]
public sealed class SampleTests
{
    [Test]
    public async Task The_quick_start_runs_to_its_end_against_the_embedded_server()
    {
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Name;
        using var process = Process.Start(new ProcessStartInfo(Path.Combine(Repository.Root, "artifacts", "bin", "QuickStart", configuration, "QuickStart")) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.Multiple(() =>
        {
            Assert.That(process.ExitCode, Is.Zero);
            Assert.That(errors.Result, Is.Empty);
            Assert.That(output, Does.Contain("50 files in").And.Contain("20 sent, 0 unchanged, 0 deleted").And.Contain("/inbox/absent.pdf is not there.").And.Contain("0.txt: Exists"));
        });
    }
}
