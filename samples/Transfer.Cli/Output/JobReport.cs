using Transfer.Companions;

namespace Transfer.Cli.Output;

/// <summary>Adds up what a command did, over all its sources and from any thread.</summary>
internal sealed class JobReport : IProgress<ItemResult>
{
    private readonly Lock _gate = new();
    private readonly List<ItemFailure> _failures = [];
    private readonly List<ItemMapping> _mapped = [];
    private readonly HashSet<int> _codes = [];
    private readonly List<KeptFile> _kept = [];
    private TransferResult? _weakest;

    public long Files { get; private set; }

    public long Bytes { get; private set; }

    public long Skipped { get; private set; }

    public long Unchanged { get; private set; }

    public long Moved { get; private set; }

    public long Deleted { get; private set; }

    public long NotDeleted { get; private set; }

    /// <summary>Items whose permissions were changed.</summary>
    public long Changed { get; private set; }

    public long ReadBack { get; private set; }

    public long Failed { get; private set; }

    /// <summary>Items that arrived under another name.</summary>
    public long MappedCount { get; private set; }

    /// <summary>Receives each item; null: none does.</summary>
    public IItemOutput? Items { get; set; }

    /// <summary>The text before the items' paths in messages.</summary>
    public string Prefix { get; init; } = string.Empty;

    /// <summary>The name of the folder itself, which is an item with an empty path.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>The action that a transfer stands for: <c>sent</c>, or <c>changed</c> of permissions.</summary>
    public string Done { get; init; } = ItemText.Sent;

    /// <summary>The greatest offset at which a file was continued.</summary>
    public long ResumedAt { get; private set; }

    public int Sessions { get; private set; }

    public int Retries { get; private set; }

    /// <summary>
    /// How a folder went at a server that runs commands: <c>tar</c>, <c>transfer</c>, or <c>off</c>; null: there was none.
    /// </summary>
    public string? Batch { get; set; }

    /// <summary>Of its checks, what was checked for every single file, so the weakest; null before the first.</summary>
    public TransferResult? Weakest
    {
        get
        {
            lock (_gate) return _weakest;
        }
    }

    public IReadOnlyList<ItemFailure> Failures
    {
        get
        {
            lock (_gate) return [.. _failures];
        }
    }

    /// <summary>The first of those.</summary>
    public IReadOnlyList<ItemMapping> Mapped
    {
        get
        {
            lock (_gate) return [.. _mapped];
        }
    }

    /// <summary>Content at the target that has not its name.</summary>
    public IReadOnlyList<KeptFile> Kept
    {
        get
        {
            lock (_gate) return [.. _kept];
        }
    }

    /// <summary>0, or 1; a code of its own when nothing was done and all for the same reason.</summary>
    public int ExitCode
    {
        get
        {
            lock (_gate)
            {
                if (Failed == 0) return Host.ExitCode.Done;
                var done = Files + Skipped + Unchanged + Moved + Deleted + Changed;
                return done == 0 && _codes.Count == 1 ? _codes.First() : Host.ExitCode.SomeFailed;
            }
        }
    }

    /// <summary>Takes an item of a folder as it ends, so that an interrupted job can be counted too.</summary>
    public void Report(ItemResult value)
    {
        if (value.Result is not { } result) Count(value.Path, value.Error!);
        else if (value.Action is ItemAction.Transfer or ItemAction.Skip) Add(result);
        else Count(value.Action);
        if (value is { Action: ItemAction.Transfer or ItemAction.Move, Result.Skipped: false, MappedTo: { } there })
            Add(new ItemMapping(value.Path, there));
        Items?.Write(ItemEvent.Of(value.Path.Length == 0 ? Name : Prefix + value.Path, value, Done));
    }

    /// <summary>A report for the items of a folder, which are named below that; it is added when the folder has ended.</summary>
    public JobReport ForFolder(string prefix, string name) => new() { Items = Items, Prefix = prefix, Name = name, Done = Done };

    public void Add(TransferResult result)
    {
        lock (_gate)
        {
            _kept.AddRange(result.Kept);
            if (result.Skipped)
            {
                Skipped++;
                return;
            }

            Files++;
            Bytes = LengthSum.Add(Bytes, result.Bytes);
            ResumedAt = Math.Max(ResumedAt, result.ResumedAt);
            Retries += Math.Max(0, result.Attempts - 1);
            _weakest = Weaker(_weakest, result);
        }
    }

    // A hash's algorithm is told when it is the same for all that were checked so.
    private static TransferResult Weaker(TransferResult? one, TransferResult other)
    {
        if (one is null || Strength(other) < Strength(one)) return other;
        return Strength(one) < Strength(other) || one.HashAlgorithm == other.HashAlgorithm ? one : one with { HashAlgorithm = null };

        static int Strength(TransferResult result) => ((int)result.Verified << 2) + (int)(result.HashSource ?? 0);
    }

    private void Count(ItemAction action)
    {
        lock (_gate)
        {
            if (action == ItemAction.Keep) Unchanged++;
            else if (action == ItemAction.Move) Moved++;
            else if (action == ItemAction.Delete) Deleted++;
            else if (action == ItemAction.ChangeMode) Changed++;
        }
    }

    private void Add(ItemMapping item)
    {
        lock (_gate)
        {
            MappedCount++;
            if (_mapped.Count < JobResult.MaxFailures) _mapped.Add(item);
        }
    }

    /// <summary>Takes a failure outside of a job's items, and names it at once.</summary>
    public void Add(Messages messages, string path, TransferException error)
    {
        messages.Unlogged($"{path}: {error.Message}");
        Add(path, error);
    }

    /// <summary>Takes a failure outside of a job's items.</summary>
    /// <param name="path">The name for messages.</param>
    /// <param name="error">The reason.</param>
    public void Add(string path, Exception error)
    {
        Count(path, error);
        Items?.Write(ItemEvent.Of(path, error));
    }

    private void Count(string path, Exception error)
    {
        lock (_gate)
        {
            Failed++;
            _codes.Add(Host.ExitCode.For(error));
            if (_failures.Count < JobResult.MaxFailures) _failures.Add(new ItemFailure(path, error));
        }
    }

    /// <summary>
    /// Takes a folder job over: its own counts where it came to its end, else those of the items that were told one by one.
    /// </summary>
    /// <param name="items">What its items reported.</param>
    /// <param name="result">Null: it was interrupted, or threw.</param>
    public void Add(JobReport items, JobResult? result)
    {
        var (prefix, name) = (items.Prefix, items.Name);
        lock (_gate)
        {
            Files += result?.Files ?? items.Files;
            Bytes = LengthSum.Add(Bytes, result?.Bytes ?? items.Bytes);
            Skipped += result?.Skipped ?? items.Skipped;
            Unchanged += result?.Unchanged ?? items.Unchanged;
            Moved += result?.Moved ?? items.Moved;
            Deleted += result?.Deleted ?? items.Deleted;
            NotDeleted += result?.NotDeleted ?? 0;
            ReadBack += result?.ReadBack ?? 0;
            ResumedAt = Math.Max(ResumedAt, items.ResumedAt);
            Failed += result?.Failed ?? items.Failed;
            Retries += result?.Retries ?? items.Retries;
            Sessions = Math.Max(Sessions, result?.Sessions ?? items.Sessions);
            _kept.AddRange(result?.Kept ?? []);
            // Of several folders the first that went so.
            if (Batch is null or "off") Batch = items.Batch ?? Batch;
            MappedCount += items.MappedCount;
            _mapped.AddRange(
                items.Mapped.Take(JobResult.MaxFailures - _mapped.Count).Select(item => item with { Path = prefix + item.Path }));
            if (items.Weakest is { } weakest) _weakest = Weaker(_weakest, weakest);

            var failures =
                result?.Failures.Where(f => f.Error is not null).Select(f => new ItemFailure(f.Path, f.Error!)) ?? items.Failures;
            foreach (var failure in failures)
            {
                _codes.Add(Host.ExitCode.For(failure.Error));
                if (_failures.Count < JobResult.MaxFailures)
                    _failures.Add(failure with { Path = failure.Path.Length == 0 ? name : prefix + failure.Path });
            }
        }
    }

    /// <summary>Takes over how many sessions were open at once.</summary>
    public void UseSessions(int sessions)
    {
        lock (_gate) Sessions = Math.Max(Sessions, sessions);
    }
}
