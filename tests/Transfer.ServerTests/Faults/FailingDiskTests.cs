using System.Diagnostics;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Faults;

/// <summary>The command with a disk that fails, as strace(1) has it.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.PlainFtp))]
[Parallelizable]
public sealed class FailingDiskTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    // The first two: where the machine is slow, the journal is flushed before the file. A later call that succeeds proves nothing.
    private const string AtFirst = "fsync:error=EIO:when=1..2";

    private string Target => Path.Combine(Scratch, "file");

    [TestCase("fsync:error=EIO")]
    [TestCase(AtFirst)]
    public async Task A_download_that_is_not_flushed_fails_and_the_old_file_stays(string fault)
    {
        Server.Plant(Remote + "/file", Bytes.Random(5000));
        File.WriteAllText(Target, "old");
        var run = await RunAsync(["-e", "inject=" + fault], "get", "--fsync", "--overwrite", "always", Url("/file"), Target);
        Assert.That(run.ExitCode, Is.Not.Zero, run.Errors);
        Assert.That(run.Errors, Does.Contain("Input/output error"));
        Assert.That(File.ReadAllText(Target), Is.EqualTo("old"));
        Assert.That(Directory.EnumerateFileSystemEntries(Scratch).Select(Path.GetFileName), Is.EquivalentTo(new[] { "file", "home" }));
    }

    [TestCase("fsync:error=EIO")]
    [TestCase(AtFirst)]
    public async Task Neither_does_a_folders_file_replace_anything(string fault)
    {
        for (var i = 0; i < 8; i++) Server.Plant($"{Remote}/s/f{i}", Bytes.Random(5000, i));
        var folder = Directory.CreateDirectory(Path.Combine(Scratch, "t")).FullName;
        for (var i = 0; i < 8; i++) File.WriteAllText(Path.Combine(folder, $"f{i}"), "old");
        var run = await RunAsync(["-e", "inject=" + fault], "sync", "--fsync", Url("/s/"), folder);
        Assert.That(run.ExitCode, Is.Not.Zero, run.Errors);
        Assert.That(Directory.GetFiles(folder), Has.Length.EqualTo(8));
        var failed = 0;
        for (var i = 0; i < 8; i++)
        {
            var content = File.ReadAllBytes(Path.Combine(folder, $"f{i}"));
            if (content.AsSpan().SequenceEqual("old"u8)) failed++;
            else Bytes.AssertSame(content, Bytes.Random(5000, i));
        }
        Assert.That(failed, Is.Positive);
    }

    [Test]
    public async Task What_closing_reports_fails_a_download()
    {
        Server.Plant(Remote + "/file", Bytes.Random(5000));
        // Of one path alone: every program closes files before its first own instruction.
        var run = await RunAsync(["-e", "inject=close:error=EDQUOT", "-P", Target], "get", "--publish", "direct", Url("/file"), Target);
        Assert.That(run.ExitCode, Is.Not.Zero, run.Errors);
        Assert.That(run.Errors, Does.Contain("quota"));
    }

    private string Url(string path) => $"ftp://{Server.Credential.UserName}@127.0.0.1:{Ftp.Port}{Remote}{path}";

    private async Task<TransferCommand.Outcome> RunAsync(string[] faults, params string[] arguments)
    {
        var start = new ProcessStartInfo("strace", ["-f", "-qq", "-o", "/dev/null", .. faults, BuiltCommand.Program, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["HOME"] = Directory.CreateDirectory(Path.Combine(Scratch, "home")).FullName;
        start.Environment.Remove("XDG_STATE_HOME");
        start.Environment["TRANSFER_PASSWORD"] = Server.Credential.Password;
        using var process = Process.Start(start)!;
        var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return new(process.ExitCode, await output, await errors);
    }
}
