using System.Globalization;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Chaos;

/// <summary>
/// The command and its server are killed at random moments, again and again, while a folder is sent and fetched with <c>--resume</c>. At the end
/// nothing is lost, nothing is half, and nothing is left over. A few kills by default; <c>./build.sh chaos</c> asks for hundreds.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Chaos))]
public sealed class ChaosTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Files = 150;
    private const int LargeFiles = 2;
    private const int LargeFile = 24 << 20;

    // Runs of one job that are killed before one is let alone: each goes on where the one before was.
    private const int KillsPerJob = 5;

    private static readonly int Kills = Number("TRANSFER_CHAOS_KILLS", 5);
    private static readonly int Seed = Number("TRANSFER_CHAOS_SEED", 1);

    protected override bool OwnServer => true;

    private string Home => Path.Combine(Scratch, "home");

    private string State => Path.Combine(Home, ".local", "state", "transfer", "jobs");

    [TestCase(true)]
    [TestCase(false)]
    public async Task Whatever_is_killed_nothing_is_lost_and_nothing_half(bool isUpload)
    {
        var random = new Random(Seed + (isUpload ? 0 : 1));
        Directory.CreateDirectory(Home);
        var source = isUpload ? Path.Combine(Scratch, "source") : Server.Local(Remote + "/source");
        TestTree.Write(source, Files);
        for (var i = 0; i < LargeFiles; i++) File.WriteAllBytes(Path.Combine(source, $"large {i}"), Bytes.Random(LargeFile, seed: i));

        for (var (killed, job) = (0, 0); killed < Kills; job++)
        {
            var left = Math.Min(KillsPerJob, Kills - killed);
            killed += await RunJobAsync(isUpload, source, $"target {job}", left, random);
        }
    }

    private async Task<int> RunJobAsync(bool isUpload, string source, string name, int kills, Random random)
    {
        var target = isUpload ? Server.Local($"{Remote}/{name}") : Path.Combine(Scratch, name);
        for (var killed = 0; killed < kills; killed++)
        {
            var (wait, hitsServer) = (TimeSpan.FromMilliseconds(random.Next(150, 900)), random.Next(3) == 0);
            await RunAsync(isUpload, source, name, async kill =>
            {
                await Task.Delay(wait);
                if (hitsServer)
                {
                    Server.Kill();
                    await Server.StartAsync();
                }
                else
                {
                    kill();
                }
            });
            AssertNothingHalf(source, target);
        }

        var last = await RunAsync(isUpload, source, name, _ => Task.CompletedTask);
        Assert.That(last.ExitCode, Is.Zero, last.Errors);
        Assert.That(TestTree.Differences(source, target, isUpload ? TimeSpan.FromSeconds(1) : ListedPrecision), Is.Empty, last.Errors);
        Assert.That(Directory.EnumerateFiles(State), Is.Empty, "a job that is over has no journal");
        Directory.Delete(target, recursive: true);
        return kills;
    }

    private Task<TransferCommand.Outcome> RunAsync(bool isUpload, string source, string name, Func<Action, Task> meanwhile)
    {
        var url = $"{Server.Url().GetLeftPart(UriPartial.Authority)}{Remote}/";
        string[] paths = isUpload ? [source, $"{url}{name}"] : [$"{url}source/", Path.Combine(Scratch, name)];
        string[] trust = Server is SshServer ssh ? ["--known-hosts", ssh.KnownHosts] : [];
        return TransferCommand.RunAsync(Server, Home, meanwhile, [isUpload ? "put" : "get", "-v", "--resume", "--user", Server.Credential.UserName, .. trust, .. paths]);
    }

    // What has its name is whole, at every moment; what is under way has another.
    private static void AssertNothingHalf(string source, string target)
    {
        if (!Directory.Exists(target)) return;
        var differences = TestTree.Differences(source, target, TimeSpan.MaxValue)
            .Where(line => !line.StartsWith("missing: ", StringComparison.Ordinal) && !line.Contains(".transfer-", StringComparison.Ordinal));
        Assert.That(differences, Is.Empty);
    }

    private static int Number(string variable, int usual) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : usual;
}
