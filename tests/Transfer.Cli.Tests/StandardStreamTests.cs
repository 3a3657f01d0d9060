using System.Diagnostics;

namespace Transfer.Cli.Tests;

/// <summary>The command as a process whose standard streams take nothing.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform("Linux", Reason = "/dev/full is Linux's.")]
[Category(Categories.Slow)]
public sealed class StandardStreamTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TempFolder _folder = new();

    public StandardStreamTests()
    {
        for (var i = 0; i < 3; i++) _folder.Add($"from/{i}", "content");
    }

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task Messages_that_cannot_be_written_end_no_job([Values("-v", "-vvv")] string option)
    {
        var (code, _, _) = await RunAsync("2>/dev/full", "copy", option, Url("from/"), Url("to/"));
        Assert.That((code, Directory.GetFiles(_folder["to"]).Length), Is.EqualTo((ExitCode.Done, 3)));
    }

    [TestCase(ExitCode.Usage, "copy")]
    [TestCase(ExitCode.Usage, "nonsense")]
    [TestCase(ExitCode.NotFound, "copy", "none", "to")]
    [TestCase(ExitCode.SomeFailed, "copy", "--overwrite", "fail", "from/", "from/")]
    public async Task The_exit_code_of_a_failure_that_cannot_be_printed_is_its_own(int expected, params string[] args)
    {
        string[] whole = [.. args.Select((arg, i) => i > 0 && arg[0] != '-' && arg != "fail" ? Url(arg) : arg)];
        Assert.That((await RunAsync("2>/dev/full", whole)).Code, Is.EqualTo((await RunAsync("", whole)).Code).And.EqualTo(expected));
    }

    [Test]
    public async Task A_stream_of_items_that_cannot_be_written_is_a_failure_with_a_message()
    {
        var (code, _, error) = await RunAsync(">/dev/full", "copy", "--json=items", Url("from/"), Url("to/"));
        Assert.That(code, Is.EqualTo(ExitCode.SomeFailed), error);
        Assert.That(error, Does.Contain("transfer: ").And.Contain("No space left on device").And.Not.Contain("Unhandled"));
    }

    [TestCase(">/dev/full")]
    [TestCase("| true")]
    public async Task A_refused_call_whose_summary_cannot_be_written_keeps_its_exit_code(string output)
    {
        var (code, _, error) = await RunAsync(output, "put", "--json=items", _folder["from"], Url("to/"));
        Assert.That(code, Is.EqualTo(ExitCode.Usage), error);
        Assert.That(error, Does.Contain("file: URLs are for copy").And.Not.Contain("Unhandled"));
    }

    private string Url(string path) => new Uri(_folder[path]).AbsoluteUri;

    // A pipe's exit code is that of its first program, as bash counts.
    private async Task<(int Code, string Output, string Error)> RunAsync(string redirection, params string[] args)
    {
        var start = new ProcessStartInfo("bash",
            ["-c", $"\"$0\" \"$@\" {redirection}; exit ${{PIPESTATUS[0]}}", CommandProgram.Path, .. args])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["XDG_STATE_HOME"] = _folder["state"];
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync().WaitAsync(Patience);
        return (process.ExitCode, await output, await error);
    }
}
