using Microsoft.Extensions.Logging.Abstractions;

namespace Transfer.Tests.Replay;

/// <summary>What the scenarios of one seed share: what it draws, the clock, the log, the disk.</summary>
internal sealed class ReplayWorld : IDisposable
{
    private readonly TempFolder _folder = new();

    public ReplayWorld(int seed)
    {
        Random = new Random(seed);
        Log = new(Time);
        Weather = new(new Random(Random.Next()));
        Directory.CreateDirectory(Disk);
    }

    public Random Random { get; }

    public VirtualTime Time { get; } = new();

    public ReplayLog Log { get; }

    public Weather Weather { get; }

    /// <summary>The folder that is the process' disk.</summary>
    public string Disk => _folder["disk"];

    /// <summary>Sessions that were opened, of all servers.</summary>
    public int Sessions { get; set; }

    /// <summary>Names of files that a server has refused to delete.</summary>
    public HashSet<string> NotDeleted { get; } = new(StringComparer.Ordinal);

    /// <summary>
    /// The machine is so busy that the clock goes on while work waits: what is waited for some seconds only, as sessions of a client that
    /// is disposed of are, may come later.
    /// </summary>
    public bool IsBusy { get; set; }

    /// <summary>Options for the next client.</summary>
    public TransferClientOptions DrawOptions()
    {
        var options = new TransferClientOptions
        {
            MaxSessions = 1 + Random.Next(6),
            TimeProvider = Time,
            LoggerFactory = Environment.GetEnvironmentVariable("TRANSFER_REPLAY_LOG") is null
                ? NullLoggerFactory.Instance : new ReplayLogger(Log),
            Retry = new() { Attempts = 1 + Random.Next(5), FirstDelay = TimeSpan.FromMilliseconds(Random.Next(500)) },
        };
        Log.Add($"a client with {options.MaxSessions} sessions and {options.Retry.Attempts} attempts");
        return options;
    }

    /// <summary>
    /// The disk as a process finds it that was begun after a kill: files have other inodes, so that nothing of what the first process has
    /// open, or locked, is theirs. (The first process is still there in truth, it only never runs again.)
    /// </summary>
    public void RenewDisk()
    {
        var before = _folder["before"];
        Directory.Move(Disk, before);
        Copy(before, Disk);
        Directory.Delete(before, recursive: true);
    }

    public void Dispose() => _folder.Dispose();

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var folder in Directory.GetDirectories(from)) Copy(folder, Path.Join(to, Path.GetFileName(folder)));
        foreach (var file in Directory.GetFiles(from))
        {
            var copy = Path.Join(to, Path.GetFileName(file));
            File.WriteAllBytes(copy, ReadShared(file));
            File.SetLastWriteTimeUtc(copy, File.GetLastWriteTimeUtc(file));
        }
    }

    // Its first owner may still have it open for itself alone.
    private static byte[] ReadShared(string file)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}
