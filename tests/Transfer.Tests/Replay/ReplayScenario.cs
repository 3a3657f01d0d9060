namespace Transfer.Tests.Replay;

/// <summary>
/// What one seed does: a first life, in which all may go wrong, and which may be killed, and a last one, in which nothing does, and which
/// must finish what the first has left.
/// </summary>
internal abstract class ReplayScenario(ReplayWorld world)
{
    // How the names of unfinished files begin, and those of files that were moved aside end.
    private const string Unfinished = ".transfer-";
    private const string Aside = ".old";

    /// <summary>A length from which on a file is worth several sessions.</summary>
    protected const int LongFile = 5 << 20;

    protected ReplayWorld World => world;

    protected Random Random => world.Random;

    /// <summary>Runs a process, all of its clients' disposal included.</summary>
    /// <param name="last">Nothing goes wrong, and all must be done at its end.</param>
    public abstract Task LiveAsync(bool last);

    /// <summary>Judges what is there after a life.</summary>
    /// <exception cref="ReplayException">Something is lost.</exception>
    public abstract void Judge(bool last);

    /// <summary>Contents for files of a folder, each different; a few are empty.</summary>
    protected Dictionary<string, byte[]> Draw(string prefix, int most, int longest)
    {
        var files = new Dictionary<string, byte[]>(StringComparer.Ordinal);
        var count = 1 + Random.Next(most);
        for (var i = 0; i < count; i++)
        {
            files[$"{prefix}{i}"] = Drawn(Random.Next(8) == 0 ? 0 : Random.Next(1, longest));
        }
        return files;
    }

    /// <summary>One content.</summary>
    protected byte[] Drawn(int length)
    {
        var content = new byte[length];
        Random.NextBytes(content);
        return content;
    }

    /// <summary>Other contents for some of the same files.</summary>
    protected Dictionary<string, byte[]> DrawOld(Dictionary<string, byte[]> files, int outOf)
    {
        var old = new Dictionary<string, byte[]>(StringComparer.Ordinal);
        foreach (var (name, content) in files)
        {
            if (Random.Next(outOf) == 0) old[name] = [.. content, 0x6f, 0x6c, 0x64];
        }
        return old;
    }

    /// <summary>A time at which something is stopped that is under way; infinite: it is not.</summary>
    protected TimeSpan DrawStop(bool last, int outOf) =>
        last || Random.Next(outOf) != 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromSeconds(Math.Pow(10, 4 * Random.NextDouble() - 3));

    /// <summary>Writes the files of a folder on the process' disk.</summary>
    protected static void Write(string folder, Dictionary<string, byte[]> files, DateTimeOffset modified)
    {
        Directory.CreateDirectory(folder);
        foreach (var (name, content) in files)
        {
            var path = Path.Join(folder, name);
            File.WriteAllBytes(path, content);
            File.SetLastWriteTimeUtc(path, modified.UtcDateTime);
        }
    }

    /// <summary>Each file is the old one or the new one, whole; after the last life it is the new one.</summary>
    /// <param name="where">For messages.</param>
    /// <param name="names">The names that are there.</param>
    /// <param name="read">A file's content; null: it is not there.</param>
    /// <param name="now">The new contents.</param>
    /// <param name="old">The old ones.</param>
    /// <param name="last">It is the last life.</param>
    /// <param name="hasJournal">The last life knows which unfinished files the first one has left.</param>
    /// <param name="kept">What the last life has told to be kept on purpose: a whole file that was refused its name, when the old one could
    /// not be put back either.</param>
    protected void JudgeFolder(
        string where,
        IEnumerable<string> names,
        Func<string, byte[]?> read,
        Dictionary<string, byte[]> now,
        Dictionary<string, byte[]> old,
        bool last,
        bool hasJournal = false,
        IReadOnlyList<KeptFile>? kept = null)
    {
        var found = names.ToList();
        foreach (var (name, content) in now)
        {
            var there = read(name);
            if (AreSame(there, content)) continue;
            // Where a rename does not replace, the old file is aside for a moment, and the journal knows where.
            var aside = there is null && !last && hasJournal ? found.FirstOrDefault(other => IsAsideOf(name, other)) : null;
            if (aside is not null) there = read(aside);
            var before = old.GetValueOrDefault(name);
            var what = there is null ? "gone" : $"neither the old file nor the new one, but {there.Length} bytes of something";
            if (last) throw new ReplayException($"{where}: after the last run {name} is not the new file: it is {what}.");
            if (before is null ? there is not null : !AreSame(there, before)) throw new ReplayException($"{where}: {name} is {what}.");
        }
        foreach (var name in found)
        {
            if (now.ContainsKey(name) || !last && hasJournal && now.Keys.Any(file => IsAsideOf(file, name))) continue;
            if (!name.StartsWith(Unfinished, StringComparison.Ordinal)) throw new ReplayException($"{where}: {name} came from nowhere.");
            if (world.NotDeleted.Contains(name)) continue;
            if (last && hasJournal && kept?.Any(file => file.KeptAs.EndsWith(name, StringComparison.Ordinal)) != true)
                throw new ReplayException($"{where}: {name} is left.");
        }
    }

    /// <summary>Without faults no file fails.</summary>
    protected static void RequireAll(JobResult? result)
    {
        if (result is { Failed: > 0 } && result.Failures[0] is var failure)
            throw new ReplayException($"Without faults {failure.Path} failed: {failure.Error?.Message}");
    }

    /// <summary>Whether two contents are the same.</summary>
    protected static bool AreSame(byte[]? one, byte[] other) => one is not null && one.AsSpan().SequenceEqual(other);

    private static bool IsAsideOf(string file, string name) =>
        name.StartsWith(file + Unfinished, StringComparison.Ordinal) && name.EndsWith(Aside, StringComparison.Ordinal);

    /// <summary>Waits for one operation, which may fail in a life that is not the last.</summary>
    /// <returns>What it gave; the default: it failed.</returns>
    protected async Task<T?> EndAsync<T>(string what, Task<T> operation, bool last)
    {
        try
        {
            var result = await operation;
            World.Log.Add($"{what} ended");
            return result;
        }
        catch (Exception e) when (!last && e is TransferException or OperationCanceledException or ObjectDisposedException)
        {
            World.Log.Add($"{what} {e.GetType().Name} {(e as TransferException)?.Error}");
            return default;
        }
    }
}
