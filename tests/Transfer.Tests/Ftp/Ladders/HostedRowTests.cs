using Transfer.Ftp;
using Transfer.Ftp.Session;
using Transfer.Pooling;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>As <see cref="LadderRowTests"/>, for abilities that the odd server has not: TLS, RANG, STAT of folders, and many
/// commands at once.</summary>
[Category(Categories.Slow)]
public sealed class HostedRowTests
{
    private const int Folders = 12;
    private const int LargeFile = 6 << 20;
    private const int Files = 300;
    private const string PlainCommands = "a21=1";

    private static readonly LinkOptions Link = new() { RoundTrip = TimeSpan.FromMilliseconds(10), BytesPerSecond = 10_000_000 };

    private static readonly FtpOptions Options = FtpHarness.Options with
    {
        Tls = new FtpTlsOptions { AcceptAnyCertificate = true },
        Retry = Samples.SoonAgain,
    };

    private static readonly Dictionary<string, HostedRow> Rows = new()
    {
        ["data connections have to resume the TLS session, by 522"] = Resumed("522 SSL connection failed: session reuse required"),
        ["data connections have to resume the TLS session, by 425"] = Resumed("425 Unable to build data connection: not permitted"),
        ["RANG is announced and refused"] = new(
            new() { Link = Link }, faults => faults.Reply("RANG", "502 no", times: 99), GetSegmentsAsync, "a6=1", "RANG*+ REST*+",
            "RANG*0 REST*+"),
        ["REST is announced and refused"] = new(
            new() { Link = Link, DisabledCommands = new HashSet<string> { "RANG" } },
            faults => faults.Reply("REST", "502 no", times: 99), GetSegmentsAsync, "a7=1", "REST*+ RETR*+", "REST*0 RETR*1"),
        ["STAT is refused"] = new(
            new() { DisabledCommands = new HashSet<string> { "MLSD", "MLST" } }, faults => faults.Reply("STAT", "502 no", times: 99),
            DeleteAsync, "a11=1", "STAT*+", "STAT*0"),
        ["two commands are taken for one"] = new(
            new() { Greeting = "ProFTPD 1.3.8 Server" }, faults => faults.OmitFinalReply("DELE", skip: Files / 2),
            DeleteFilesAsync, PlainCommands, "XPWD*+ DELE*+ PASS*2", $"XPWD*0 DELE*{Files}"),
    };

    private static readonly string[] Paths = [.. Enumerable.Range(0, Files).Select(i => $"/many/file number {i}")];

    public static IEnumerable<string> Servers => Rows.Keys;

    [TestCaseSource(nameof(Servers))]
    public async Task A_rung_that_a_server_does_not_have_is_left_once_for_all_clients(string name)
    {
        var row = Rows[name];
        if (row.Server.Tls != FtpTestTls.None && !OperatingSystem.IsLinux()) Assert.Ignore("TLS 1.3 is not resumed there.");
        using var folder = new TempFolder();
        await using var ftp = await StartAsync(row);
        await ActAsync(ftp, row, folder["limits"], row.First);
        Assert.That(FtpHostState.For(ftp.Server.Uri.Host, ftp.Server.Uri.Port).Rungs.ToString(), Is.EqualTo(row.Remembered));
        Assert.That(await File.ReadAllTextAsync(folder["limits"]),
            Does.Match($"^{LimitsFile.KeyOf(ftp.Server.Uri, null)} {row.Remembered} [0-9]+\n$"));
        await ActAsync(ftp, row, folder["limits"], row.Second);
    }

    [TestCaseSource(nameof(Servers))]
    public async Task What_another_process_has_found_out_is_not_found_out_again(string name)
    {
        var row = Rows[name];
        if (row.Server.Tls != FtpTestTls.None && !OperatingSystem.IsLinux()) Assert.Ignore("TLS 1.3 is not resumed there.");
        using var folder = new TempFolder();
        await using var ftp = await StartAsync(row);
        // A server that wants sessions resumed refuses nothing over TLS 1.2; one that takes two commands for one answers each that is
        // alone.
        if (row.Server.Tls != FtpTestTls.None || row.Remembered == PlainCommands) ftp.Server.Faults.Clear();
        folder.Add("limits", System.Text.Encoding.ASCII.GetBytes(
            $"{LimitsFile.KeyOf(ftp.Server.Uri, null)} {row.Remembered} {DateTimeOffset.UtcNow.ToUnixTimeSeconds()}\n"));
        await ActAsync(ftp, row, folder["limits"], row.Second);
    }

    private static HostedRow Resumed(string refusal) => new(
        new() { Tls = FtpTestTls.Explicit }, faults => faults.FinalReply("RETR", refusal), GetByTls12Async, "a3=1", "PASS*2", "PASS*1");

    private static async Task<FtpHarness> StartAsync(HostedRow row)
    {
        var ftp = await FtpHarness.StartAsync(row.Server, Options);
        row.Arrange(ftp.Server.Faults);
        return ftp;
    }

    private static async Task ActAsync(FtpHarness ftp, HostedRow row, string limits, string expected)
    {
        ftp.Store.AddFile("/a", FtpHarness.Content(LargeFile));
        for (var i = 0; i < Folders; i++) ftp.Store.AddFile($"/d/{i:00}/f", [1]);
        foreach (var path in Paths) ftp.Store.AddFile(path, [1]);
        var before = ftp.Server.Commands.Count;
        await using (var client = new FtpTransferClient(ftp.Server.Uri, Options with { LimitsFile = limits, MaxSessions = row.Sessions }))
            await row.Act(client).Soon();
        SentVerbs.AssertAre(ftp.Server.Commands.Skip(before).Select(command => command.Verb), expected);
    }

    private static async Task GetAsync(FtpTransferClient client)
    {
        using var content = new MemoryStream();
        await client.DownloadAsync("/a", content);
        Same.Bytes(content.ToArray(), FtpHarness.Content(LargeFile));
    }

    private static async Task GetByTls12Async(FtpTransferClient client)
    {
        await GetAsync(client);
        Assert.That((await client.ProbeAsync()).Abilities.Single(way => way.Name == "DataTls").Way, Is.EqualTo("Tls12"));
    }

    private static async Task GetSegmentsAsync(FtpTransferClient client)
    {
        using var folder = new TempFolder();
        await client.DownloadFileAsync("/a", folder["a"], new() { Segments = 3 });
        Same.Bytes(folder.Read("a"), FtpHarness.Content(LargeFile));
    }

    private static async Task DeleteAsync(FtpTransferClient client)
    {
        await client.DeleteAsync("/d", recursive: true);
        Assert.That(await client.ExistsAsync("/d"), Is.False);
    }

    private static async Task DeleteFilesAsync(FtpTransferClient client)
    {
        var result = await client.DeleteFilesAsync(Paths.ToAsyncEnumerable());
        Assert.That((result.Deleted, result.Failed), Is.EqualTo(((long)Files, 0)));
    }

    /// <summary>A server, what a client does there, what is remembered, and what the first and the second client send.</summary>
    private sealed record HostedRow(FtpTestServerOptions Server, Action<FtpFaults> Arrange, Func<FtpTransferClient, Task> Act,
        string Remembered, string First, string Second)
    {
        public int Sessions => Act == GetSegmentsAsync ? 3 : 1;
    }
}
