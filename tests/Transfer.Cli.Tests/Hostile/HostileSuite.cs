using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Transfer.Cli.Tests.Hostile;

/// <summary>
/// The command, as a process of its own, against peers that attack it: it ends within its limits, with an error, and needs little memory.
/// TRANSFER_HOSTILE_REPORT names a file for the figures,
/// TRANSFER_HOSTILE_TIMEOUT the seconds of --login-timeout and --timeout.
/// </summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)] // Most of the time they wait for their limits.
[Platform("Linux")]
[Category(Categories.Slow)]
internal sealed class HostileSuite : IDisposable
{
    private const long Most = 100_000_000;

    // MaxListingBytes, and the collector's youngest generation, which is as large as the processor's cache allows: 150 MB with one of 300.
    private const long MostForListings = 350_000_000;

    // Starting the command, and a machine that is busy with other things.
    private static readonly TimeSpan Slack = TimeSpan.FromSeconds(40);

    private static readonly ConcurrentDictionary<(string Protocol, HostileAttack Attack, string Verb), HostileRun> Runs = new();

    private readonly TempFolder _folder = new();

    private static string Limit =>
        Environment.GetEnvironmentVariable("TRANSFER_HOSTILE_TIMEOUT") is { Length: > 0 } seconds ? seconds : "3";

    [OneTimeTearDown]
    public static void Report()
    {
        if (Environment.GetEnvironmentVariable("TRANSFER_HOSTILE_REPORT") is not { Length: > 0 } path) return;
        var text = new StringBuilder(
            "| protocol | peer | command | seconds | most memory, MB | exit | it said |\n|---|---|---|---:|---:|---:|---|\n");
        foreach (var ((protocol, attack, verb), run) in Runs.OrderBy(run => run.Key))
        {
            text.Append(CultureInfo.InvariantCulture,
                $"| {protocol} | {Name(attack)} | {verb} | {run.Elapsed.TotalSeconds:0.0} | {run.Peak / 1e6:0} | {run.Code} | "
                + $"{Said(run.Said)} |\n");
        }

        File.WriteAllText(path, text.ToString());
    }

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task Ftp([Values] HostileAttack attack, [Values] bool tls)
    {
        await using var server = new HostileFtpServer(attack);
        await RunAsync(tls ? "FTPS" : "FTP", attack, $"{(tls ? "ftpes" : "ftp")}://me:secret@127.0.0.1:{server.Port}",
            tls ? ["--insecure"] : []);
    }

    [Test]
    public async Task Sftp([Values] HostileAttack attack)
    {
        await using var server = new HostileSftpServer(attack);
        await RunAsync("SFTP", attack, $"sftp://me:secret@127.0.0.1:{server.Port}",
            ["--accept-new-host-key", "--known-hosts", _folder["known_hosts"], "--ssh-config", "none"]);
    }

    [TestCase(HostileAttack.FloodBeforeKeys)]
    [TestCase(HostileAttack.FloodAfterKeys)]
    [TestCase(HostileAttack.FloodAfterLogIn)]
    [TestCase(HostileAttack.Drip)]
    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    public async Task Direct(HostileAttack attack)
    {
        await using var receiver = new HostileReceiver(attack);
        _folder.Add("from/a", new byte[1000]);
        var token = _folder.Add("token", Encoding.ASCII.GetBytes($"{receiver.Address.Token.ToText()}\n"));
        File.SetUnixFileMode(token, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        await CheckAsync("direct", attack, "send", Most, "send", _folder["from"], receiver.Address.ToString(), "--token-file", token,
            "--sessions", "1");
    }

    private async Task RunAsync(string protocol, HostileAttack attack, string url, string[] options)
    {
        string[] few = [.. options, "--sessions", "1", "--retries", "0"];
        switch (attack)
        {
            case HostileAttack.EndlessListing:
                await CheckAsync(protocol, attack, "ls", MostForListings, ["ls", $"{url}/", .. few]);
                await CheckAsync(protocol, attack, "get", MostForListings, ["get", $"{url}/d/", _folder["d"], .. few]);
                await CheckAsync(protocol, attack, "rm -r", MostForListings, ["rm", "-r", $"{url}/d", .. few]);
                break;
            case HostileAttack.LongFile:
                await CheckAsync(protocol, attack, "get", Most, ["get", $"{url}/file", _folder["file"], .. few]);
                Assert.That(_folder.Files.Where(file => file.StartsWith("file", StringComparison.Ordinal)), Is.Empty,
                    "nothing of it is left");
                break;
            case HostileAttack.FloodAfterLogIn:
                await CheckAsync(protocol, attack, "get", Most, ["get", $"{url}/file", _folder["file"], .. few]);
                break;
            default:
                await CheckAsync(protocol, attack, "ls", Most, ["ls", $"{url}/", .. few]);
                break;
        }
    }

    private async Task CheckAsync(string protocol, HostileAttack attack, string verb, long most, params string[] arguments)
    {
        var run = await HostileRun.StartAsync(_folder.Path, [.. arguments, "--login-timeout", Limit, "--timeout", Limit]);
        Runs[(protocol, attack, verb)] = run;
        TestContext.Out.WriteLine($"{protocol} {attack} {verb}: {run}");
        Assert.That(run.Code, Is.Not.EqualTo(ExitCode.Done).And.Not.EqualTo(ExitCode.Usage), run.Said);
        Assert.That(run.Peak, Is.LessThan(most), run.Said);
        if (attack != HostileAttack.EndlessListing)
        {
            Assert.That(run.Elapsed, Is.LessThan(TimeSpan.FromSeconds(double.Parse(Limit, CultureInfo.InvariantCulture)) + Slack),
                run.Said);
        }
    }

    private static string Name(HostileAttack attack) => attack switch
    {
        HostileAttack.FloodBeforeKeys => "flood before keys",
        HostileAttack.FloodAfterKeys => "flood behind the keys, before the log-in",
        HostileAttack.FloodAfterLogIn => "flood behind the log-in",
        HostileAttack.EndlessListing => "endless listing",
        HostileAttack.Drip => "a byte now and then",
        _ => "file longer than its length",
    };

    // Ports and folders are others each time.
    private static string Said(string said) =>
        Regex.Replace(said, @"127\.0\.0\.1(:\d+)?|/\S*/transfer-\w+(\.\w+)?", "…").Replace("|", "\\|", StringComparison.Ordinal);
}
