using System.Diagnostics;
using System.Globalization;
using Transfer.Cli;
using Transfer.Testing;

namespace Transfer.Tests.Cli;

/// <summary>Ctrl-C as a process of its own gets it.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform(Exclude = "Win", Reason = "There are no signals to send to one process.")]
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
        for (var i = 0; i < 20; i++) _folder.Write($"d/{i:D2}", new byte[200_000]);
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
        using var process = Run("put", "--sessions", "1", _folder.PathOf("d"), Url("/d"));
        await stall.FirstFired.WaitAsync(Patience);
        Send(process, signal);
        var (code, error) = await EndAsync(process);
        Assert.That(code, Is.EqualTo(ExitCode.Interrupted), error);
        Assert.That(error, Does.Contain("transfer: interrupted").And.Contain(" files, "), "what was done by then is told");
        Assert.That(_store.Files, Has.Count.InRange(1, 10));
        Assert.That(_store.Files.Select(_store.ReadFile), Has.All.Length.EqualTo(200_000));
    }

    [Test]
    public async Task Twice_it_ends_at_once_whatever_is_still_to_be_tidied_up()
    {
        var stall = _server.Faults.StallData(100_000, "STOR");
        // What is tidied up first comes to no end.
        _server.Faults.OmitFinalReply("STOR", times: 99);
        using var process = Run("put", "--sessions", "1", _folder.PathOf("d"), Url("/d"));
        await stall.FirstFired.WaitAsync(Patience);
        Send(process, "INT");
        Send(process, "INT");
        Assert.That((await EndAsync(process)).Code, Is.EqualTo(ExitCode.Interrupted));
    }

    private static Process Run(params string[] args)
    {
        // Whoever runs the tests in the background may have them ignore SIGINT, and children inherit that: see env(1).
        string[] reset = OperatingSystem.IsLinux() ? ["--default-signal=INT"] : [];
        var start = new ProcessStartInfo("env", [.. reset, "dotnet", Path.Combine(AppContext.BaseDirectory, "transfer.dll"), .. args])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
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
