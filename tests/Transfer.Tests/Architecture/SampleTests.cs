using System.Diagnostics;
using Transfer.Testing;
using Transfer.Tests.Engine;

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

    [Test]
    [Platform("Linux,MacOsX")]
    public async Task The_drop_folder_moves_what_is_put_into_it()
    {
        var store = new Transfer.Testing.MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store });
        using var folder = new TempFolder();
        folder.Add("report.txt", [1, 2, 3]);
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Name;
        var start = new ProcessStartInfo(Path.Combine(Repository.Root, "artifacts", "bin", "Transfer.DropFolder", configuration, "Transfer.DropFolder"), [
            $"--Inbox:Url={server.Uri}", "--Inbox:UserName=demo", "--Inbox:Password=demo", $"--DropFolder:Path={folder.Path}", "--DropFolder:Interval=00:00:00.2", "--DropFolder:Settled=00:00:00"])
        {
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        try
        {
            await Eventually.TrueAsync(() => !File.Exists(Path.Combine(folder.Path, "report.txt")), "the file goes");
            Assert.That(store.ReadFile("/report.txt"), Is.EqualTo(new byte[] { 1, 2, 3 }));
            // As a service manager ends it.
            using var term = Process.Start("kill", ["-TERM", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)])!;
            await process.WaitForExitAsync().WaitAsync(Eventually.Hang);
        }
        finally
        {
            process.Kill();
        }

        Assert.That(await output, Does.Contain("1 files sent, 3 bytes").And.Not.Contain("demo:"));
    }
}
