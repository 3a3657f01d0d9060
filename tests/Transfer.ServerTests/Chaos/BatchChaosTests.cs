using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Chaos;

/// <summary>
/// The verbs of batch mode are killed while files arrive, again and again: at every moment what has its name is whole, at the end all is
/// there, and nothing
/// is left over. A few kills by default; <c>TRANSFER_CHAOS_KILLS</c> asks for more, and <c>TRANSFER_CHAOS_SEED</c> for other moments.
/// </summary>
[Parallelizable]
[TestFixture]
public sealed class BatchChaosTests
{
    private const int Files = 150;
    private const int LargerFiles = 30;
    private const int LargerFile = 400_000;

    // It comes in slices.
    private const int LargeFile = 9 << 20;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly int Kills = ChaosSettings.Kills(usual: 6);
    private static readonly EnumerationOptions Everything = new() { RecurseSubdirectories = true, AttributesToSkip = 0 };

    private string _scratch = string.Empty;

    private string Home => Path.Combine(_scratch, "home");

    private string Source => Path.Combine(_scratch, "source");

    private string Target => Path.Combine(_scratch, "target");

    [SetUp]
    public void Fill()
    {
        _scratch = Directory.CreateTempSubdirectory("transfer-chaos-").FullName;
        Directory.CreateDirectory(Home);
        Directory.CreateDirectory(Target);
        TestTree.Write(Source, Files);
        for (var i = 0; i < LargerFiles; i++) File.WriteAllBytes(Path.Combine(Source, $"larger {i}"), Bytes.Random(LargerFile, seed: i));
        File.WriteAllBytes(Path.Combine(Source, "large"), Bytes.Random(LargeFile, seed: LargerFiles));
    }

    [TearDown]
    public void Remove() => Directory.Delete(_scratch, recursive: true);

    [Test]
    public async Task Sender_and_receiver_are_killed_in_turns()
    {
        var random = new Random(ChaosSettings.Seed);
        var hits = 0;
        using var ports = Ports.NextBlock();
        var port = ports.First;
        var token = Path.Combine(_scratch, "token");
        var receiver = Receive(port);
        try
        {
            await File.WriteAllTextAsync(token, await receiver.ReadLineAsync());
            for (var kill = 0; kill < Kills; kill++)
            {
                using var sender = Send(port, token);
                await WhenMoreAsync(random.Next(1, 40), sender);
                if (kill % 2 == 0)
                {
                    if (await sender.KillAsync()) hits++;
                }
                else
                {
                    await receiver.KillAsync();
                    receiver.Dispose();
                    AssertNothingHalf();
                    receiver = Receive(port);
                    await receiver.ReadLineAsync();
                    // It comes back, or has all that it wants.
                    await WhenMoreAsync(random.Next(1, 40), sender);
                    await sender.KillAsync();
                }
                AssertNothingHalf();
            }
            Assert.That(hits, Is.Positive, "somebody was at work when he was killed");
            using var last = Send(port, token);
            var outcome = await last.EndAsync();
            Assert.That(outcome.ExitCode, Is.Zero, outcome.Errors);
            Assert.That(Directory.EnumerateFiles(Path.Combine(Home, ".local", "state", "transfer", "jobs")), Is.Empty,
                "a job that is over has no journal");
        }
        finally
        {
            await receiver.KillAsync();
            receiver.Dispose();
        }
        // Slices stay for a day, for their sender may come back.
        foreach (var left in Leftovers()) File.SetLastWriteTimeUtc(left, DateTime.UtcNow.AddDays(-2));
        using (var cleaning = Receive(port))
        {
            await cleaning.ReadLineAsync();
            try
            {
                await WhenAsync(() => !Leftovers().Any(), cleaning);
            }
            catch (OperationCanceledException)
            {
                Assert.Fail($"Left: {string.Join(", ", Leftovers().Select(path => $"{path}, {new FileInfo(path).Length} bytes"))}");
            }

            await cleaning.KillAsync();
        }
        Assert.That(TestTree.Differences(Source, Target, TimeSpan.FromSeconds(1)), Is.Empty);
    }

    [Test]
    public async Task Who_leaves_and_who_fetches_are_killed()
    {
        var random = new Random(ChaosSettings.Seed);
        var (sendersHit, fetchersHit) = (0, 0);
        var spool = Path.Combine(_scratch, "spool");
        using (var made = Start("key", "--shared", Path.Combine(_scratch, "key"))) Assert.That((await made.EndAsync()).ExitCode, Is.Zero);
        for (var kill = 0; kill < Kills / 2; kill++)
        {
            using var sender = Leave(spool);
            var before = Count(spool);
            await WhenAsync(() => Count(spool) > before + random.Next(1, 4), sender);
            if (await sender.KillAsync()) sendersHit++;
        }
        using (var last = Leave(spool))
        {
            var outcome = await last.EndAsync();
            Assert.That(outcome.ExitCode, Is.Zero, outcome.Errors);
        }
        for (var kill = 0; kill < Kills; kill++)
        {
            using var fetcher = Fetch(spool);
            await WhenMoreAsync(random.Next(1, 40), fetcher);
            if (await fetcher.KillAsync()) fetchersHit++;
            AssertNothingHalf();
        }
        Assert.That((sendersHit > 0, fetchersHit > 0), Is.EqualTo((true, true)), "somebody was at work when he was killed");
        // Of a sender that was killed there may be a job that never ends; what it had comes with the next one.
        using (var last = Fetch(spool))
        {
            var outcome = await last.EndAsync();
            Assert.That(outcome.ExitCode, Is.Zero, outcome.Errors);
        }
        Assert.That(TestTree.Differences(Source, Target, TimeSpan.FromSeconds(1)), Is.Empty);
        Assert.That(Directory.EnumerateFiles(spool, "*", Everything), Is.Empty, "who has all deletes it");
    }

    private RunningCommand Start(params string[] arguments) => new(Home, arguments);

    private RunningCommand Receive(int port) => Start("receive", Target, "--keep", "--listen", $"127.0.0.1:{port}");

    private RunningCommand Send(int port, string token) =>
        Start("send", Source, $"transfer://127.0.0.1:{port}", "--token-file", token, "--resume", "--limit", "30M");

    private RunningCommand Leave(string spool) =>
        Start("send", Source, spool, "--to", "ann", "--key-file", Path.Combine(_scratch, "key"), "--resume", "--limit", "30M");

    private RunningCommand Fetch(string spool) =>
        Start("fetch", spool, Target, "--as", "ann", "--key-file", Path.Combine(_scratch, "key"), "--limit", "30M");

    private Task WhenMoreAsync(int files, RunningCommand command)
    {
        var before = Count(Target);
        return WhenAsync(() => Count(Target) >= before + files, command);
    }

    // Or its end: the moment is the one that comes first.
    private static async Task WhenAsync(Func<bool> moment, RunningCommand command)
    {
        using var end = new CancellationTokenSource(Patience);
        while (!command.HasEnded && !moment()) await Task.Delay(5, end.Token);
    }

    private static int Count(string folder) => Directory.Exists(folder) ? Directory.EnumerateFiles(folder, "*", Everything).Count() : 0;

    private IEnumerable<string> Leftovers() => Directory.EnumerateFiles(Target, ".transfer-*", Everything);

    // What has its name is whole, at every moment; what is under way has another.
    private void AssertNothingHalf() => Assert.That(TestTree.Half(Source, Target), Is.Empty);
}
