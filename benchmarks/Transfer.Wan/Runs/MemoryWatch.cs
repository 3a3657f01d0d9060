using System.Globalization;

namespace Transfer.Wan.Runs;

/// <summary>
/// The most memory that a program and what it has started had resident: the sum over its processes of what the kernel has as each one's
/// most, looked at ten times a second.
/// What comes within the last tenth of a second of a process is not seen. Where there is no /proc nothing is known.
/// </summary>
internal sealed class MemoryWatch : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly CancellationTokenSource _stop = new();
    private readonly Task _looking;
    private long _peak;

    /// <summary>Begins to look.</summary>
    /// <param name="process">The process.</param>
    /// <param name="frames">So many processes, it and its children first, are only what the program is run in, and do not count.</param>
    public MemoryWatch(int process, int frames) =>
        _looking = OperatingSystem.IsLinux() ? Task.Run(() => LookAsync(process, frames)) : Task.CompletedTask;

    /// <summary>Bytes; null: not known.</summary>
    public long? Peak => Interlocked.Read(ref _peak) is > 0 and var peak ? peak : null;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _looking;
        _stop.Dispose();
    }

    /// <summary>The parent of a process, by its line in <c>/proc/PID/stat</c>; 0: the line is none.</summary>
    public static int ParentOf(string stat)
    {
        // The second field is the program's name in parentheses, and may hold any of them.
        var rest = stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return rest.Length > 1 && int.TryParse(rest[1], NumberStyles.None, CultureInfo.InvariantCulture, out var parent) ? parent : 0;
    }

    /// <summary>The most that a process had resident in bytes, by its <c>/proc/PID/status</c>; 0: it has ended.</summary>
    public static long MostOf(string status)
    {
        const string Name = "VmHWM:";
        var at = status.IndexOf(Name, StringComparison.Ordinal);
        if (at < 0) return 0;
        var words = status[(at + Name.Length)..].Split((char[])[' ', '\t', '\n'], 2,
            StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return words.Length > 0
            && long.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out var kibibytes) ? kibibytes * 1024 : 0;
    }

    private async Task LookAsync(int root, int frames)
    {
        using var timer = new PeriodicTimer(Interval);
        try
        {
            while (await timer.WaitForNextTickAsync(_stop.Token))
            {
                var sum = Tree(root).Where(process => process.Value >= frames).Sum(process => MostOf(Read(process.Key, "status")));
                if (sum > _peak) Interlocked.Exchange(ref _peak, sum);
            }
        }
        catch (OperationCanceledException)
        {
            // It was disposed of.
        }
    }

    // Each with its depth. What was started later has a higher number; so only few lines are read.
    private static Dictionary<int, int> Tree(int root)
    {
        var tree = new Dictionary<int, int> { [root] = 0 };
        var later = Directory.EnumerateDirectories("/proc")
            .Select(path =>
                int.TryParse(path.AsSpan("/proc/".Length), NumberStyles.None, CultureInfo.InvariantCulture, out var process) ? process : 0)
            .Where(process => process > root)
            .Order();
        foreach (var process in later)
        {
            if (tree.TryGetValue(ParentOf(Read(process, "stat")), out var depth)) tree.Add(process, depth + 1);
        }

        return tree;
    }

    private static string Read(int process, string file)
    {
        try
        {
            return File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/{file}"));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It has ended meanwhile.
            return string.Empty;
        }
    }
}
