using System.Diagnostics;
using System.Globalization;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Ctrl-C as a process of its own gets it.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform(Exclude = "Win", Reason = "There are no signals to send to one process.")]
[Category(Categories.Slow)]
public sealed class InterruptTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TempFolder _folder = new();
    private readonly MemoryStore _store = new();
    private FtpTestServer _server = null!;

    [SetUp]
    public async Task Start()
    {
        _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        for (var i = 0; i < 20; i++) _folder.Add($"d/{i:D2}", new byte[200_000]);
    }

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [TestCase("INT")]
    [TestCase("TERM")]
    public async Task Once_no_file_begins_and_none_is_left_half(string signal)
    {
        var stall = _server.Faults.StallData(100_000, "STOR", skip: 10);
        using var process = Run("put", "--sessions", "1", "--grace", "0", _folder["d"], Url("/d"));
        await stall.FirstFired.WaitAsync(Patience);
        Send(process, signal);
        var (code, error) = await EndAsync(process);
        Assert.That(code, Is.EqualTo(ExitCode.Interrupted), error);
        Assert.That(error, Does.Contain("transfer: interrupted").And.Contain(" files, "), "what was done by then is told");
        Assert.That(_store.Files, Has.Count.InRange(1, 10));
        Assert.That(_store.Files.Select(_store.ReadFile), Has.All.Length.EqualTo(200_000));
    }

    [Test]
    public async Task Once_what_is_under_way_is_finished_and_resuming_sends_the_rest()
    {
        var stall = _server.Faults.StallData(100_000, "STOR", skip: 5);
        using var process = Run("put", "--sessions", "1", "--grace", "60", _folder["d"], Url("/d"));
        await stall.FirstFired.WaitAsync(Patience);
        Send(process, "INT");
        Assert.That(await process.StandardError.ReadLineAsync().WaitAsync(Patience), Does.StartWith("Finishing what is under way"));
        stall.Release();
        Assert.That((await EndAsync(process)).Code, Is.EqualTo(ExitCode.Interrupted));
        var sent = _store.Files.Count;
        Assert.That(sent, Is.InRange(6, 19));
        Assert.That(_store.Files.Select(_store.ReadFile), Has.All.Length.EqualTo(200_000));

        using var again = Run("put", "--resume", _folder["d"], Url("/d"));
        var (code, error) = await EndAsync(again);
        Assert.That(code, Is.Zero, error);
        Assert.That(error, Does.StartWith($"{20 - sent} files").And.Contain($"{sent} skipped"));
        Assert.That(_store.Files, Has.Count.EqualTo(20));
    }

    [Test]
    public async Task Named_files_go_on_after_a_kill_and_after_an_interruption_with_those_that_are_missing([Values("INT",
        "KILL")] string signal, [Values] bool upload)
    {
        if (!upload)
        {
            for (var i = 0; i < 20; i++) _store.AddFile($"/from/{i:D2}", new byte[200_000]);
        }
        string[] paths = upload ? [.. Enumerable.Range(0, 20).Select(i => _folder[$"d/{i:D2}"]), Url("/to/")]
            : [Url("/from/0*"), Url("/from/1*"), _folder["to"] + "/"];
        var verb = upload ? "put" : "get";
        var stall = _server.Faults.StallData(100_000, upload ? "STOR" : "RETR", skip: 10);
        using var process = Run([verb, "--sessions", "1", "--grace", "0", .. paths]);
        await stall.FirstFired.WaitAsync(Patience);
        Send(process, signal);
        Assert.That((await EndAsync(process)).Code, Is.Not.Zero);
        var there = Whole();
        Assert.That(there, Is.InRange(1, 10));

        // In another order it is the same job.
        using var again = Run([verb, "--resume", .. paths[..^1].Reverse(), paths[^1]]);
        var (code, error) = await EndAsync(again);
        Assert.That(code, Is.Zero, error);
        // Of a file that arrived in the moment of the kill nothing may be written down.
        var sent = int.Parse(error[..error.IndexOf(' ', StringComparison.Ordinal)], CultureInfo.InvariantCulture);
        Assert.That(sent, Is.InRange(20 - there, signal == "INT" ? 20 - there : 19), error);
        Assert.That(error, Does.Contain($"{20 - sent} skipped"));
        Assert.That(Whole(), Is.EqualTo(20));
        Assert.That(All(), Has.Count.EqualTo(20), "no temporary file stays");

        int Whole() => All().Count(file => !file.Contains(".part", StringComparison.Ordinal));

        IReadOnlyList<string> All() =>
            upload ? [.. _store.Files.Where(file => file.StartsWith("/to/", StringComparison.Ordinal))]
            : Directory.GetFiles(_folder["to"]);
    }

    [Test]
    public async Task After_the_grace_what_is_under_way_is_given_up()
    {
        var stall = _server.Faults.StallData(100_000, "STOR", skip: 5);
        using var interrupt = new CancellationTokenSource();
        var put = new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state"] } }
            .RunAsync(interrupt.Token, "put", "--sessions", "1", "--grace", "0.01", _folder["d"], Url("/d"));
        await stall.FirstFired.WaitAsync(Patience);
        await interrupt.CancelAsync();
        var result = await put.WaitAsync(Patience);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Interrupted), result.ToString());
        Assert.That(_store.Files.Select(_store.ReadFile), Has.All.Length.EqualTo(200_000));
    }

    [Test]
    public async Task What_was_all_finished_was_not_interrupted()
    {
        var stall = _server.Faults.StallData(100_000, "STOR");
        using var interrupt = new CancellationTokenSource();
        var put = new CliHarness().RunAsync(interrupt.Token, "put", "--grace", "60", _folder["d/00"], Url("/f"));
        await stall.FirstFired.WaitAsync(Patience);
        await interrupt.CancelAsync();
        stall.Release();
        var result = await put.WaitAsync(Patience);
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(_store.ReadFile("/f"), Has.Length.EqualTo(200_000));
    }

    [Test]
    public async Task Twice_it_ends_at_once_whatever_is_still_to_be_tidied_up()
    {
        var stall = _server.Faults.StallData(100_000, "STOR");
        // What is tidied up first comes to no end.
        _server.Faults.OmitFinalReply("STOR", times: 99);
        using var process = Run("put", "--sessions", "1", _folder["d"], Url("/d"));
        await stall.FirstFired.WaitAsync(Patience);
        Send(process, "INT");
        // The system makes one of two signals that wait.
        while (await process.StandardError.ReadLineAsync().WaitAsync(Patience) is { } line && !line.Contains("again ends at once")) { }
        var end = EndAsync(process);
        // Within half a second the same signal is one of a wrapper, sent twice.
        while (!end.IsCompleted)
        {
            Send(process, "INT");
            await Task.WhenAny(end, Task.Delay(100));
        }

        var (code, error) = await end;
        Assert.That(code, Is.EqualTo(ExitCode.Interrupted));
        Assert.That(error, Does.Contain("no more is lost than what was under way"));
    }

    private Process Run(params string[] args)
    {
        // Whoever runs the tests in the background may have them ignore SIGINT, and children inherit that: see env(1).
        string[] reset = OperatingSystem.IsLinux() ? ["--default-signal=INT"] : [];
        var start = new ProcessStartInfo("env", [.. reset, "dotnet", Path.Combine(AppContext.BaseDirectory, "transfer.dll"), .. args])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { ["XDG_STATE_HOME"] = _folder["state"] },
        };
        return Process.Start(start)!;
    }

    private static void Send(Process process, string signal)
    {
        using var kill = Process.Start("kill", ["-" + signal, process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    private static async Task<(int Code, string Error)> EndAsync(Process process)
    {
        try
        {
            process.StandardInput.Close();
            var error = process.StandardError.ReadToEndAsync();
            await process.WaitForExitAsync().WaitAsync(Patience);
            return (process.ExitCode, await error);
        }
        finally
        {
            if (!process.HasExited) process.Kill();
        }
    }

    private string Url(string path) => $"ftp://demo:demo@{_server.EndPoint}{path}";
}
