using System.Diagnostics;
using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The command where few files may be open.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform(Exclude = "Win", Reason = "There is no such limit.")]
[Category(Categories.Slow)]
public sealed class OpenFilesTests : IDisposable
{
    private const int Files = 400;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);

    private readonly TempFolder _folder = new();

    public OpenFilesTests()
    {
        for (var i = 0; i < Files; i++) _folder.Add($"from/f{i:D3}", new byte[1000 + i]);
    }

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task A_copy_here_is_whole()
    {
        // The runtime itself has about 80 open, with its libraries.
        await RunAsync(88, "copy", new Uri(_folder["from/"]).AbsoluteUri, new Uri(_folder["to/"]).AbsoluteUri);
        Assert.That(Lengths("to"), Is.EqualTo(Lengths("from")));
    }

    [Test]
    public async Task An_upload_and_a_download_are_whole()
    {
        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store });
        var url = $"ftp://demo@{server.EndPoint}/up/";
        await RunAsync(200, "put", _folder["from"], url);
        await RunAsync(200, "get", url, _folder["to"]);
        Assert.That(Lengths("to"), Is.EqualTo(Lengths("from")));
    }

    private SortedDictionary<string, long> Lengths(string folder) =>
        new(new DirectoryInfo(_folder[folder]).EnumerateFiles().ToDictionary(file => file.Name, file => file.Length));

    private async Task RunAsync(int limit, params string[] args)
    {
        var start = new ProcessStartInfo("sh",
            ["-c", $"ulimit -n {limit} && exec dotnet \"$@\"", "sh", Path.Combine(AppContext.BaseDirectory, "transfer.dll"), .. args,
            "--json"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["XDG_STATE_HOME"] = _folder["state"];
        start.Environment["TRANSFER_PASSWORD"] = "demo";
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync().WaitAsync(Patience);
        Assert.That(process.ExitCode, Is.Zero, await output + await error);
        using var json = JsonDocument.Parse(await output);
        Assert.That(json.RootElement.GetProperty("files").GetInt64(), Is.EqualTo(Files));
    }
}
