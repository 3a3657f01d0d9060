using System.Security.Cryptography;
using Transfer.Local;

namespace Transfer;

/// <summary>
/// A local directory of jobs' journals and locks. The name of each file is a hash of the job's identity, and reveals nothing. Only the user
/// has access to the directory. A journal in which nothing was written for 30 days is deleted. Thread-safe.
/// </summary>
/// <param name="path">The directory, which is created when needed.</param>
/// <param name="timeProvider">The clock; null: the system's.</param>
public sealed class JournalDirectory(string path, TimeProvider? timeProvider = null)
{
    private const string JournalSuffix = ".journal";
    private const string LockSuffix = ".lock";

    private static readonly TimeSpan KeptFor = TimeSpan.FromDays(30);

    private readonly TimeProvider _time = timeProvider ?? TimeProvider.System;
    private int _isSwept;

    /// <summary>The full path of the directory.</summary>
    public string Path { get; } = LocalPath.Full(path);

    /// <summary>The default place: <c>transfer/jobs</c> in the user's directory for states.</summary>
    /// <returns>Null: the user has none.</returns>
    public static JournalDirectory? OfUser() =>
        StatePath("jobs", Environment.GetEnvironmentVariable,
            Environment.GetFolderPath(Environment.SpecialFolder.UserProfile)) is { } directory ? new(directory) : null;

    /// <summary>
    /// The user's directory for states of this product: <c>$XDG_STATE_HOME/transfer</c> (XDG Base Directory Specification 0.8), without the
    /// variable <c>~/.local/state/transfer</c>, and on Windows <c>AppData\Local\transfer</c>.
    /// </summary>
    /// <param name="name">The name of a file or directory in that directory.</param>
    /// <param name="environment">Looks a variable up.</param>
    /// <param name="home">The user's home directory; empty: the user has none.</param>
    /// <returns>The path of <paramref name="name"/>; null: the user has no such directory.</returns>
    public static string? StatePath(string name, Func<string, string?> environment, string home)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(environment);
        ArgumentNullException.ThrowIfNull(home);
        if (environment("XDG_STATE_HOME") is { Length: > 0 } state) return System.IO.Path.Combine(state, "transfer", name);
        if (home.Length == 0) return null;
        return OperatingSystem.IsWindows()
            ? System.IO.Path.Combine(home, "AppData", "Local", "transfer", name)
            : System.IO.Path.Combine(home, ".local", "state", "transfer", name);
    }

    /// <summary>The path of a job's journal, for <see cref="TransferOptions.Journal"/>. The directory exists afterwards, and old journals
    /// there are deleted.</summary>
    /// <param name="job">The identity of the job: operation, source, target.</param>
    /// <exception cref="TransferException">The directory cannot be created or read.</exception>
    public string JournalFor(params IReadOnlyList<string> job)
    {
        var journal = PathOf(job, JournalSuffix);
        try
        {
            DiskDirectories.Create(Path, isPrivate: true);
            if (Interlocked.Exchange(ref _isSwept, 1) == 0) Sweep();
            return journal;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The directory of the jobs' journals cannot be used:", Path);
        }
    }

    /// <summary>The path of a job's lock, for <see cref="TransferOptions.Lock"/>.</summary>
    /// <inheritdoc cref="JournalFor" path="/param"/>
    public string LockFor(params IReadOnlyList<string> job) => PathOf(job, LockSuffix);

    private string PathOf(IReadOnlyList<string> job, string suffix)
    {
        ArgumentNullException.ThrowIfNull(job);
        return System.IO.Path.Combine(Path,
            Convert.ToHexStringLower(SHA256.HashData(NameEncoding.LosslessUtf8.GetBytes(string.Join('\n', job))).AsSpan(0, 16)) + suffix);
    }

    private void Sweep()
    {
        var oldest = _time.GetUtcNow() - KeptFor;
        foreach (var name in DiskDirectories.Names(Path).Where(static name => name.EndsWith(JournalSuffix, StringComparison.Ordinal))
            .ToList())
        {
            var journal = System.IO.Path.Combine(Path, name);
            if (FileStatus.TryFind(journal, follow: false) is { IsRegular: true } status && status.Modified < oldest)
                DiskFiles.Delete(journal);
        }
    }
}
