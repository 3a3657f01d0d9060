using System.Diagnostics;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Chaos;

/// <summary>
/// The command, its server and single sessions are killed at random moments of their work, again and again, while a folder is sent and
/// fetched with <c>--resume</c>.
/// At the end nothing is lost, nothing is half, and nothing is left over. A few kills by default; <c>./build.sh chaos</c> asks for
/// hundreds.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Chaos))]
[Parallelizable]
public sealed class ChaosTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Files = 150;
    private const int LargeFiles = 2;
    private const int LargeFile = 24 << 20;

    // A job takes one and a half seconds, and more when it is killed: long enough to be hit.
    private const string Rate = "32M";
    private const int LongestWait = 300;

    // Seconds. What is killed may leave a connection on which nothing ever comes: no need to wait for it for the usual minute.
    private const string Timeout = "15";

    // Then a job is let alone.
    private const int KillsPerJob = 5;

    // What a process that was killed has for an exit code: 128 and the signal.
    private const int KilledExitCode = 137;

    private static readonly int WantedKills = ChaosSettings.Kills(usual: 5);

    private Random _random = new();

    protected override bool OwnServer => true;

    private string Home => Path.Combine(Scratch, "home");

    private string State => Path.Combine(Home, ".local", "state", "transfer", "jobs");

    [TestCase(true)]
    [TestCase(false)]
    public async Task Whatever_is_killed_nothing_is_lost_and_nothing_half(bool isUpload)
    {
        _random = new Random(ChaosSettings.Seed + (isUpload ? 0 : 1));
        Directory.CreateDirectory(Home);
        var source = isUpload ? Path.Combine(Scratch, "source") : Server.Local(Remote + "/source");
        TestTree.Write(source, Files);
        for (var i = 0; i < LargeFiles; i++) File.WriteAllBytes(Path.Combine(source, $"large {i}"), Bytes.Random(LargeFile, seed: i));

        var (kills, job) = (new Kills(_random, WantedKills), 0);
        try
        {
            while (!kills.Enough) await RunJobAsync(isUpload, source, $"target {job++}", kills);
        }
        finally
        {
            // For build.sh, which adds them up.
            TestContext.Out.WriteLine($"{Kind}, {(isUpload ? "put" : "get")}, seed {ChaosSettings.Seed}: {kills}, {job} jobs");
        }
    }

    // Runs it again and again, each going on where the one before was, until one ends well.
    private async Task RunJobAsync(bool isUpload, string source, string name, Kills kills)
    {
        var target = isUpload ? Server.Local($"{Remote}/{name}") : Path.Combine(Scratch, name);
        var before = kills.Hits;
        TransferCommand.Outcome run;
        do
        {
            var (tried, strangers) = (kills.Tried, Sessions());
            run = await RunAsync(isUpload, source, name, command => KillAsync(command, strangers, kills, before + KillsPerJob));
            if (kills.Tried == tried) Assert.That(run.ExitCode, Is.Zero, $"nothing was killed: {run.Errors}");
            AssertNothingHalf(source, target);
        }
        while (run.ExitCode != 0);

        Assert.That(TestTree.Differences(source, target, isUpload ? TimeSpan.FromSeconds(1) : ListedPrecision), Is.Empty, run.Errors);
        Assert.That(Directory.EnumerateFiles(State), Is.Empty, "a job that is over has no journal");
        Directory.Delete(target, recursive: true);
    }

    /// <summary>Kills one after the other while the command runs.</summary>
    /// <param name="command">The command.</param>
    /// <param name="strangers">Sessions that are not this run's.</param>
    /// <param name="kills">Says whom.</param>
    /// <param name="until">So many hits are enough for the job.</param>
    private async Task KillAsync(Process command, HashSet<int> strangers, Kills kills, int until)
    {
        while (!kills.Enough && kills.Hits < until && await AnySessionAsync(command, strangers))
        {
            await Task.Delay(_random.Next(LongestWait));
            var sessions = Server.Sessions().Where(session => !strangers.Contains(session.Id)).ToList();
            if (command.HasExited || sessions.Count == 0) continue;

            var victim = kills.Next();
            if (victim == Victim.Command)
            {
                command.Kill();
                await command.WaitForExitAsync();
                if (command.ExitCode == KilledExitCode) kills.Hit(victim);
            }
            else
            {
                if (victim == Victim.Server) Server.Kill();
                var hit = victim == Victim.Server || RealServer.KillOne(sessions[_random.Next(sessions.Count)]);
                if (hit && !command.HasExited) kills.Hit(victim);
                if (victim != Victim.Server) continue;
                await Server.StartAsync();
                // One of them asked whether it is there.
                strangers = Sessions();
            }
        }
    }

    // False when the command has ended.
    private async Task<bool> AnySessionAsync(Process command, HashSet<int> strangers)
    {
        while (!command.HasExited)
        {
            if (Sessions().Except(strangers).Any()) return true;
            await Task.Delay(10);
        }

        return false;
    }

    private HashSet<int> Sessions() => [.. Server.Sessions().Select(session => session.Id)];

    private Task<TransferCommand.Outcome> RunAsync(bool isUpload, string source, string name, Func<Process, Task> meanwhile)
    {
        var url = $"{Server.Url().GetLeftPart(UriPartial.Authority)}{Remote}/";
        string[] paths = isUpload ? [source, $"{url}{name}"] : [$"{url}source/", Path.Combine(Scratch, name)];
        string[] trust = Server is SshServer ssh ? ["--known-hosts", ssh.KnownHosts] : [];
        string[] options = ["-v", "--resume", "--limit", Rate, "--timeout", Timeout, "--user", Server.Credential.UserName, .. trust];
        return TransferCommand.RunAsync(Server, Home, meanwhile, [isUpload ? "put" : "get", .. options, .. paths]);
    }

    // What has its name is whole, at every moment; what is under way has another.
    private static void AssertNothingHalf(string source, string target)
    {
        if (Directory.Exists(target)) Assert.That(TestTree.Half(source, target), Is.Empty);
    }
}
