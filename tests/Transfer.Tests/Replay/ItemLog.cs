namespace Transfer.Tests.Replay;

/// <summary>Hears of a job's items: each must end once, and one that succeeded must be there.</summary>
/// <param name="log">Where it is written down.</param>
/// <param name="isThere">Whether an item that succeeded is there.</param>
internal sealed class ItemLog(ReplayLog log, Func<string, bool> isThere) : IProgress<ItemResult>
{
    private readonly HashSet<string> _ended = new(StringComparer.Ordinal);

    /// <summary>Files that have ended.</summary>
    public int Count => _ended.Count;

    /// <summary>The first thing that was wrong; null: nothing.</summary>
    public string? Wrong { get; private set; }

    public void Report(ItemResult value)
    {
        if (value.Type != RemoteEntryType.File) return;
        var name = RemotePath.GetName(value.Path.Replace('\\', '/'));
        log.Add($"item {name} {value.Action} {value.Error?.Error.ToString() ?? "ok"} {value.Result?.Attempts} attempts");
        if (!_ended.Add(name)) Wrong ??= $"{name} has ended twice.";
        if (value is { Error: null, Result.Skipped: false } && !isThere(name)) Wrong ??= $"{name} is told to be there, and is not.";
    }

    /// <summary>Throws where something was wrong, or where not all files of a job have ended.</summary>
    public void Check(JobResult? result, int files)
    {
        if (Wrong is { } wrong) throw new ReplayException(wrong);
        if (result is null) return;
        if (Count != files) throw new ReplayException($"The job has ended, and of {files} files {Count} have.");
        if (result.Files + result.Failed + result.Skipped + result.Unchanged != files)
            throw new ReplayException($"Of {files} files {result.Files} are moved, {result.Failed} failed, {result.Skipped} skipped.");
    }
}
