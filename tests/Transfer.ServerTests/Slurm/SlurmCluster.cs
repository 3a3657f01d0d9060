using System.Diagnostics;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Slurm;

/// <summary>
/// Debian's Slurm as a cluster of this one machine: munged, slurmctld and slurmd in the foreground, with a configuration, a key and
/// ports of its own. Nothing outside the folder is read or changed.
/// </summary>
internal sealed class SlurmCluster : IAsyncDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private readonly string _folder;
    private readonly Dictionary<string, string> _environment;
    private readonly Ports _ports;
    private readonly List<ServerProcess> _processes = [];

    private SlurmCluster(string folder, Dictionary<string, string> environment, Ports ports) =>
        (_folder, _environment, _ports) = (folder, environment, ports);

    /// <summary>Starts the cluster.</summary>
    /// <param name="folder">A folder that only root may enter.</param>
    /// <param name="environment">Variables of all tasks.</param>
    public static async Task<SlurmCluster> StartAsync(string folder, Dictionary<string, string> environment)
    {
        var ports = Ports.NextBlock();
        var port = ports.First;
        foreach (var part in (string[])["state", "spool", "run"]) Directory.CreateDirectory(Path.Combine(folder, part));
        await File.WriteAllTextAsync(Path.Combine(folder, "slurm.conf"), $"""
            ClusterName=test
            SlurmctldHost=localhost
            SlurmctldPort={port}
            SlurmdPort={port + 1}
            SlurmUser=root
            AuthType=auth/munge
            AuthInfo=socket={folder}/run/munge
            StateSaveLocation={folder}/state
            SlurmdSpoolDir={folder}/spool
            SlurmctldPidFile={folder}/run/slurmctld.pid
            SlurmdPidFile={folder}/run/slurmd.pid
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_Core
            ReturnToService=2
            SlurmdParameters=config_overrides
            NodeName=localhost CPUs=4
            PartitionName=all Nodes=localhost Default=YES
            """ + "\n");
        var key = Path.Combine(folder, "key");
        await File.WriteAllBytesAsync(key, Bytes.Random(128, seed: Environment.TickCount));
        File.SetUnixFileMode(key, UnixFileMode.UserRead);
        var cluster = new SlurmCluster(folder, new(environment) { ["SLURM_CONF"] = Path.Combine(folder, "slurm.conf") }, ports);
        try
        {
            cluster.Start("munged", "--foreground", "--force", $"--key-file={key}", $"--socket={folder}/run/munge",
                $"--pid-file={folder}/run/munged.pid", $"--log-file={folder}/run/munged.log", $"--seed-file={folder}/run/seed");
            await Eventually.TrueAsync(() => File.Exists($"{folder}/run/munge"));
            cluster.Start("slurmctld", "-D", "-i");
            cluster.Start("slurmd", "-D", "-N", "localhost");
            await Eventually.TrueAsync(() => cluster.Try("sinfo", ["--noheader", "--format=%T"]).Trim() == "idle");
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Submits a job, and returns its number.</summary>
    /// <param name="arguments">The arguments of sbatch.</param>
    public string Submit(params string[] arguments) =>
        Run("sbatch", ["--parsable", $"--chdir={_folder}", "--export=ALL", .. arguments]).Trim();

    /// <summary>Returns the tasks of a job that run.</summary>
    public IReadOnlyList<string> Running(string job) =>
        Try("squeue", ["--noheader", "--array", $"--job={job}", "--states=RUNNING", "--format=%i"])
            .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>Kills a task, as a node that fails does, and has it queued again at once instead of two minutes later.</summary>
    public async Task RequeueAsync(string task)
    {
        Run("scontrol", ["requeue", task]);
        await Eventually.TrueAsync(() => Try("squeue", ["--noheader", "--array", $"--job={task}", "--format=%T"]).Trim() == "PENDING");
        Run("scontrol", ["update", $"JobId={task}", "StartTime=now"]);
    }

    /// <summary>Waits until no task of a job is left.</summary>
    public async Task WaitAsync(string job)
    {
        var began = Stopwatch.GetTimestamp();
        while (Run("squeue", ["--noheader", $"--job={job}"]).Length > 0)
        {
            if (Stopwatch.GetElapsedTime(began) > Limit) throw new TimeoutException($"Job {job} did not end:\n{Run("squeue", [])}");
            await Task.Delay(200);
        }
    }

    /// <summary>Returns the states in which the tasks of a job ended, with their exit codes and signals.</summary>
    public IReadOnlyList<(string State, string ExitCode)> Ends(string job) =>
    [
        .. Run("scontrol", ["show", "job", job, "--oneliner"]).Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => (Value(line, "JobState"), Value(line, "ExitCode"))),
    ];

    /// <summary>All that the tasks wrote.</summary>
    public string Output => string.Concat(Directory.EnumerateFiles(_folder, "slurm-*.out").Order().Select(File.ReadAllText));

    public ValueTask DisposeAsync()
    {
        foreach (var process in _processes.AsEnumerable().Reverse())
        {
            process.Kill();
            process.Dispose();
        }
        _ports.Dispose();
        return ValueTask.CompletedTask;
    }

    private static string Value(string line, string name) =>
        line.Split(' ').First(word => word.StartsWith(name + "=", StringComparison.Ordinal))[(name.Length + 1)..];

    private void Start(string program, params string[] arguments) => _processes.Add(ServerProcess.Start(
        Path.Combine(_folder, program + ".log"), "env",
        [.. _environment.Select(pair => $"{pair.Key}={pair.Value}"), Path.Combine("/usr/sbin", program), .. arguments]));

    private string Try(string program, string[] arguments)
    {
        try
        {
            return Run(program, arguments);
        }
        catch (InvalidOperationException)
        {
            // The controller does not answer yet, or the job is gone.
            return string.Empty;
        }
    }

    private string Run(string program, string[] arguments) =>
        Shell.Run("env", [.. _environment.Select(pair => $"{pair.Key}={pair.Value}"), program, .. arguments]);
}
