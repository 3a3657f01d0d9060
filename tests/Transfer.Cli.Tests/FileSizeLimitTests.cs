using System.Diagnostics;
using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The command where no file may be longer than 100 KiB (setrlimit(2), RLIMIT_FSIZE).</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform("Linux", Reason = "The shell's unit is Linux's.")]
[Category(Categories.Slow)]
public sealed class FileSizeLimitTests : IDisposable
{
    private const int Limit = 100 * 1024;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task A_log_that_may_not_grow_ends_no_job_and_has_no_part_of_a_line()
    {
        for (var i = 0; i < 50; i++) _folder.Add($"from/{i}", "content");
        var log = _folder.Add("log", new string('-', Limit - 500) + "\n");
        var (code, _, error) = await RunAsync("copy", "--log", log, Url("from/"), Url("to/"));
        Assert.That(code, Is.EqualTo(ExitCode.SomeFailed), error);
        Assert.That(error, Does.Contain("the run goes on without: No file may be as large here").And.Contain("lines of the log could not"));
        Assert.That(Directory.GetFiles(_folder["to"]), Has.Length.EqualTo(50));
        Assert.That(File.ReadAllText(log), Does.EndWith("\n"));
    }

    [Test]
    public async Task A_file_that_may_not_be_as_long_fails_alone([Values] bool isDownload)
    {
        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store });
        foreach (var (name, length) in ((string, int)[])[("long", 3 * Limit), ("short", 10)])
        {
            store.AddFile("/from/" + name, new byte[length]);
            _folder.Add("from/" + name, new byte[length]);
        }

        var (code, output, error) = isDownload
            ? await RunAsync("get", "--json", $"ftp://demo:demo@{server.EndPoint}/from/", _folder["to"])
            : await RunAsync("copy", "--json", Url("from/"), Url("to/"));
        Assert.That(code, Is.EqualTo(ExitCode.SomeFailed), error);
        using var json = JsonDocument.Parse(output);
        var failed = json.RootElement.GetProperty("failed").EnumerateArray().Single();
        Assert.That(failed.GetProperty("error").GetString(), Is.EqualTo("quota"), output);
        Assert.That(Directory.GetFiles(_folder["to"]).Select(Path.GetFileName), Is.EqualTo(new[] { "short" }));
    }

    [Test]
    public async Task A_large_file_for_which_there_is_no_room_has_one_message()
    {
        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store });
        store.AddFile("/from/large", new byte[2 << 20]);
        var (code, _, error) = await RunAsync("get", $"ftp://demo:demo@{server.EndPoint}/from/large", _folder["to"] + "/");
        Assert.That(code, Is.EqualTo(ExitCode.SomeFailed), error);
        Assert.That(error.Split("Cannot write"), Has.Length.EqualTo(2), error);
        Assert.That(error, Does.Contain($"of {2 << 20} bytes"));
    }

    private string Url(string path) => new Uri(_folder[path]).AbsoluteUri;

    // Without the runtime's double mapping, whose file in memory is longer.
    private async Task<(int Code, string Output, string Error)> RunAsync(params string[] args)
    {
        var start = new ProcessStartInfo("bash",
            ["-c", $"trap '' XFSZ; ulimit -f {Limit / 1024}; exec \"$0\" \"$@\"", CommandProgram.Path, .. args])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { ["XDG_STATE_HOME"] = _folder["state"], ["DOTNET_EnableWriteXorExecute"] = "0" },
        };
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync().WaitAsync(Patience);
        return (process.ExitCode, await output, await error);
    }
}
