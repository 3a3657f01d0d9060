using Transfer.Contents;
using Transfer.Engine.Jobs;
using Transfer.Engine.Recovery;
using Transfer.Engine.Trees;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>The rule of uploads, downloads and copies: existing entries are treated by the caller's options.</summary>
internal sealed class OverwriteRule : IFolderRule
{
    private readonly EngineJob _job;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly DirectoryJobOptions _options;
    private readonly Func<PlannedDirectory, TreeEntry, ValueTask> _send;

    public OverwriteRule(
        EngineJob job, ISourceTree source, ITargetTree target, DirectoryJobOptions options,
        Func<PlannedDirectory, TreeEntry, ValueTask> send)
    {
        _job = job;
        _source = source;
        _target = target;
        _options = options;
        _send = send;
    }

    public bool WalksTarget => false;

    public bool ListsTarget => LooksAlways || _options.Overwrite != OverwriteMode.Always;

    public bool MayFindAll => _options.Overwrite is not (OverwriteMode.Always or OverwriteMode.Fail);

    private bool LooksAlways => _options.DryRun || _job.Journal is { Continues: true };

    public void Begin(bool fresh)
    {
        // A new directory needs no listing: the planner knows each of them.
    }

    public bool NeedsTarget(IReadOnlyList<TreeEntry> entries) =>
        LooksAlways
        || _options.Overwrite != OverwriteMode.Always
        && entries.Any(
            entry => entry.Type is RemoteEntryType.File or RemoteEntryType.Directory
                || entry.Type == RemoteEntryType.Link && _options.Links != LinkHandling.Skip);

    public bool NeedsAbsence => _options.Overwrite != OverwriteMode.Always;

    // Most files are new: a look at each of their names takes longer.
    public bool PresenceSuffices => false;

    public async ValueTask FilesAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> files, IReadOnlyDictionary<string, TreeEntry>? existing, CancellationToken ct)
    {
        foreach (var file in files)
        {
            ct.ThrowIfCancellationRequested();
            TreeEntry? there = existing is not null && existing.TryGetValue(directory.NameThere(file.Name), out var found) ? found : null;
            var item = directory.ItemOf(file.Name);
            if (await IsFinishedEarlierAsync(item, file, there, ct).ConfigureAwait(false)) _job.Skip(item, SkipReason.Finished);
            else if (Decide(item, file, there)) await _send(directory, file).ConfigureAwait(false);
        }
    }

    public bool Link(PlannedDirectory directory, TreeEntry link, string text, TreeEntry? there, string? textThere) =>
        Decide(directory.ItemOf(link.Name), link, there);

    public void Matched(int entries) => throw new InvalidOperationException("The target is not walked.");

    public void Extra(PlannedDirectory directory, TreeEntry? entry, DirectoryProof? proof = null) =>
        throw new InvalidOperationException("The target is not walked.");

    public void Spare(PlannedDirectory directory)
    {
        // Nothing is extra.
    }

    public ValueTask CompleteAsync(long found, CancellationToken ct) => default;

    public Task FinishAsync(CancellationToken ct) => Task.CompletedTask;

    private ValueTask<bool> IsFinishedEarlierAsync(ItemPath item, TreeEntry file, TreeEntry? there, CancellationToken ct) =>
        EarlierRuns.HaveFinishedAsync(_job, item.TargetPath, SourceStamp.Of(file.Length, file.Modified), there, _options.Overwrite,
            (offset, token) => _source.OpenAsync(item.Path, offset, token),
            (offset, token) => _target.OpenAsync(item.TargetPath, offset, token), ct);

    private bool Decide(ItemPath item, TreeEntry entry, TreeEntry? there)
    {
        try
        {
            // Written by this job, from a source that has changed since.
            if (_job.Journal is { Continues: true } journal && there is { Type: RemoteEntryType.File, Length: { } length }
                && journal.FinishedAs(item.TargetPath) is { } then && then.Length == length)
            {
                return true;
            }
            var precision = TimeSpan.FromTicks(Math.Max(_source.TimePrecision.Ticks, _target.TimePrecision.Ticks));
            if (OverwritePolicy.ShouldSend(_options.Overwrite, item.TargetPath, entry.Modified, there, precision)) return true;
            _job.Skip(item, OverwritePolicy.ReasonOf(_options.Overwrite));
            return false;
        }
        catch (TransferException e)
        {
            _job.Fail(item, e);
            return false;
        }
    }
}
