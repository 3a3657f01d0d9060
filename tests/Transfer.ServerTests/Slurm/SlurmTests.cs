using System.Diagnostics;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Slurm;

/// <summary>
/// Arrays of a Slurm cluster as docs/fleet.md has them: four parts of a plan by <c>parts.slurm</c>, and four shards by
/// <c>--shard auto</c>. A task is killed in the middle and queued again; the last phase follows; both sides are equal.
/// <c>./build.sh slurm</c> runs it, which installs Slurm; no other run does.
/// </summary>
[TestFixtureSource(nameof(Servers))]
[Explicit("It needs Debian's slurmctld, slurmd and munge.")]
public sealed class SlurmTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Files = 300;

    public static IEnumerable<TestFixtureData> Servers() =>
        [new(ServerKind.OpenSsh, ServerVariant.Sftp), new(ServerKind.Vsftpd, ServerVariant.Plain)];

    private SlurmCluster? _cluster;

    private SlurmCluster Cluster => _cluster ?? throw new InvalidOperationException("The cluster has not started.");

    private string Home => Path.Combine(Scratch, "home");

    private string Source => Path.Combine(Scratch, "source");

    private string There => Server.Local(Remote + "/there");

    private string Target => new UriBuilder(Server.Url(Remote + "/there")) { UserName = Server.Credential.UserName }.Uri.AbsoluteUri;

    [SetUp]
    public async Task StartCluster()
    {
        TestTree.Write(Source, Files);
        Server.Plant(Remote + "/there/extra", [1]);
        Directory.CreateDirectory(Path.Combine(Home, ".ssh"));
        await File.WriteAllTextAsync(Path.Combine(Home, "secret"), Server.Credential.Password + "\n");
        if (Server is SshServer ssh) File.Copy(ssh.KnownHosts, Path.Combine(Home, ".ssh", "known_hosts"));
        // Slow enough for a task to be killed in the middle.
        _cluster = await SlurmCluster.StartAsync(Path.Combine(Scratch, "slurm"), new()
        {
            ["HOME"] = Home,
            ["PATH"] = $"{Path.GetDirectoryName(BuiltCommand.Program)}:/usr/sbin:/usr/bin:/sbin:/bin",
            ["TRANSFER_LIMIT"] = "150K",
        });
    }

    [TearDown]
    public async Task StopCluster()
    {
        if (_cluster is not null) await _cluster.DisposeAsync();
        _cluster = null;
    }

    [Test]
    public async Task An_array_applies_the_parts_of_a_plan()
    {
        var (plan, secret) = (Path.Combine(Scratch, "plan"), Path.Combine(Home, "secret"));
        var planned = await TransferCommand.RunInHomeAsync(Server, Home, "plan", Source, Target, "--into", plan, "--parts", "4", "--delete",
            "--password-file", secret);
        Assert.That(planned.ExitCode, Is.Zero, planned.Errors);
        var script = Path.Combine(ServerFiles.Repository, "samples", "Transfer.Fleet", "deploy", "parts.slurm");
        var job = Cluster.Submit("--array=0-3", script, plan);
        var last = Cluster.Submit($"--dependency=afterok:{job}", "--wrap", $"transfer apply {plan}/final.jsonl --password-file {secret}");
        await KillOneAsync(job);
        await AssertEqualAsync(job, last);
        var report = await TransferCommand.RunInHomeAsync(Server, Home, "report", plan);
        Assert.That(report.ExitCode, Is.Zero, report.Output + report.Errors);
        await TestContext.Out.WriteLineAsync(report.Output);
    }

    [Test]
    public async Task An_array_moves_the_shards_of_a_folder()
    {
        var sync = $"transfer sync --delete --shard {{0}} --password-file {Home}/secret {Source} {Target}";
        var job = Cluster.Submit("--array=0-3", "--requeue", "--wrap", sync.Replace("{0}", "auto", StringComparison.Ordinal));
        var last = Cluster.Submit($"--dependency=afterok:{job}", "--wrap", sync.Replace("{0}", "final", StringComparison.Ordinal));
        await KillOneAsync(job);
        await AssertEqualAsync(job, last);
    }

    private async Task KillOneAsync(string job)
    {
        var running = Array.Empty<string>();
        await Eventually.TrueAsync(() => (running = [.. Cluster.Running(job)]).Length > 1 && Directory.Exists(There)
            && Directory.EnumerateFiles(There, "*", SearchOption.AllDirectories).Count() > 8);
        await Cluster.RequeueAsync(running[1]);
    }

    private async Task AssertEqualAsync(string job, string last)
    {
        var began = Stopwatch.GetTimestamp();
        await Cluster.WaitAsync(last);
        Assert.Multiple(() =>
        {
            Assert.That(Cluster.Ends(job), Is.EqualTo(Enumerable.Repeat(("COMPLETED", "0:0"), 4)), Cluster.Output);
            Assert.That(Cluster.Ends(last), Is.EqualTo(new[] { ("COMPLETED", "0:0") }), Cluster.Output);
            Assert.That(TestTree.Differences(Source, There, ListedPrecision), Is.Empty, Cluster.Output);
            Assert.That(TestTree.Leftovers(There), Is.Empty);
        });
        await TestContext.Out.WriteLineAsync($"{Kind}: {Stopwatch.GetElapsedTime(began).TotalSeconds:0.0} s\n{Cluster.Output}");
    }
}
