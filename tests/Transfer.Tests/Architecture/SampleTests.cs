using System.Diagnostics;
using System.Text.RegularExpressions;
using Transfer.Testing;

namespace Transfer.Tests.Architecture;

/// <summary>Samples run as their readers run them.</summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed partial class SampleTests
{
    [Test]
    public async Task The_quick_start_runs_to_its_end_against_the_embedded_server()
    {
        var output = await RunAsync("QuickStart");
        Assert.That(output,
            Does.Contain("50 files in").And.Contain("20 sent, 0 unchanged, 0 deleted").And.Contain(
                "/inbox/absent.pdf is not there.").And.Contain("0.txt: Exists"));
    }

    [Test]
    public async Task What_the_page_from_fluentftp_shows_of_ours_runs()
    {
        var output = await RunAsync("FluentFtpMigration");
        Assert.That(output,
            Does.Contain("2000 bytes, checked by Size").And.Contain("0 sent, 20 unchanged, 0 deleted").And.Contain("11 files back"));
        Assert.That(output, Does.Contain("100 small files over"));
        Assert.That(output, Does.Contain("notes.txt: b2016eb5616d3bda").And.Contain("/ours/absent.pdf is not there: reply 550"));
    }

    [Test]
    public async Task The_tasks_of_the_page_from_sshnet_end_the_same_by_both_libraries()
    {
        var output = await RunAsync("SshNetMigration");
        Assert.That(output, Does.Contain("111 files, the same by both: True").And.Contain("100 files by Files"));
        Assert.That(output, Does.Match("(?s)absent.pdf is not there: .*absent.pdf is not there: "));
    }

    [TestCase("upload", "2000 bytes, checked by Size", "notes.txt, 22 bytes")]
    [TestCase("folder", "200 files sent, 0 skipped, 0 failed")]
    [TestCase("mirror", "20 sent, 0 unchanged, 0 renamed, 0 deleted, 0 failed", "1 sent, 18 unchanged, 0 renamed, 1 deleted, 0 failed")]
    [TestCase("sftp-key", "200 files sent with the key SHA256:")]
    [TestCase("pin", "The server has the key that was pinned.", "is not a pinned one")]
    [TestCase("errors", "sent at attempt 2", "/absent.pdf is not there", "199.txt: Denied, reply 550")]
    [TestCase("progress", "of 200 files", "199.txt: done", "219900 bytes")]
    [TestCase("small-files", "200 files by Files. the server runs no commands")]
    [TestCase("host-to-host", "200 files are on the other disk, 0 failed", "200 files received")]
    [TestCase("relay", "200 files are in the store", "ann has 200 files", "ben has 200 files")]
    [TestCase("servers", "200 files copied, 0 skipped", "0 copied, 200 unchanged")]
    [TestCase("hosting", "report.pdf is in the inbox and in the archive", "health: Healthy")]
    [TestCase("telemetry", "upload_directory", "transfer.client.io in By", "transfer.client.operation.duration in s")]
    [TestCase("testing", "passed: the report arrives whole", "passed: a full disk is told apart")]
    public async Task A_program_does_what_the_documents_say(string name, params string[] lines)
    {
        var output = await RunAsync("Programs", name);
        foreach (var line in lines) Assert.That(output, Does.Contain(line));
    }

    [Test]
    public async Task The_program_that_resumes_sends_in_its_second_run_only_what_is_missing()
    {
        var sent = int.Parse(SecondRun().Match(await RunAsync("Programs", "resume")).Groups[1].Value,
            System.Globalization.CultureInfo.InvariantCulture);
        Assert.That(sent, Is.GreaterThan(0).And.LessThanOrEqualTo(190));
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
        var start = new ProcessStartInfo(
            Path.Combine(Repository.Root, "artifacts", "bin", "Transfer.DropFolder", configuration, "Transfer.DropFolder"), [
            // Without the settings beside the program, which have a key for SFTP.
            $"--contentRoot={folder.Path}", $"--Inbox:Url={server.Uri}", "--Inbox:UserName=demo", "--Inbox:Password=demo",
            $"--DropFolder:Path={folder.Path}", "--DropFolder:Interval=00:00:00.2", "--DropFolder:Settled=00:00:00"])
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

    private static async Task<string> RunAsync(string sample, params string[] arguments)
    {
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Name;
        using var process = Process.Start(
            new ProcessStartInfo(Path.Combine(Repository.Root, "artifacts", "bin", sample, configuration, sample),
                arguments)
            { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true })!;
        process.StandardInput.Close();
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.Multiple(() =>
        {
            Assert.That(process.ExitCode, Is.Zero);
            Assert.That(errors.Result, Is.Empty);
        });
        return output;
    }

    [GeneratedRegex("([0-9]+) files sent by the second run, 0 failed")]
    private static partial Regex SecondRun();
}
