using Transfer.Diagnostics;

namespace Transfer.Engine;

/// <summary>What the target has where its listing lacks entries, or may lack some.</summary>
internal sealed partial class FolderPlanner
{
    private const int NamesTogether = 256;

    /// <summary>Looks up, one by one, names that the source has and the target's listing lacks, where that does not prove that nothing has them.</summary>
    /// <returns>Names at the target of which it is not known whether they are there, and why; null: there are none.</returns>
    private async ValueTask<Dictionary<string, TransferException>?> CompleteAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> entries, Dictionary<string, TreeEntry> existing, CancellationToken ct)
    {
        if (directory.IsTargetKnown && !directory.TargetMayHideDots) return null;
        var missing = entries.Select(entry => directory.NameThere(entry.Name)).Where(name => IsUnproved(directory, name) && !existing.ContainsKey(name)).Distinct(_target.Names).ToList();
        if (missing.Count == 0) return null;
        Log.LookedUp(_job.Logger, directory.TargetPath, missing.Count);
        // A refusal proves absence where the same look describes what is there.
        if (existing.Values.FirstOrDefault(entry => entry.Type == RemoteEntryType.File).Name is { } known) missing.Insert(0, known);
        var unknown = new Dictionary<string, TransferException>(_target.Names);
        foreach (var names in missing.Chunk(NamesTogether))
        {
            var looks = await LookAsync(directory, names, ct).ConfigureAwait(false);
            for (var i = 0; i < names.Length; i++)
            {
                if (looks[i].Entry is { } there) existing.TryAdd(names[i], there);
                else if (looks[i].Error is { } error) unknown.TryAdd(names[i], error);
            }
        }
        return unknown.Count > 0 ? unknown : null;
    }

    private async ValueTask<IReadOnlyList<TreeLook>> LookAsync(PlannedDirectory directory, string[] names, CancellationToken ct)
    {
        try
        {
            return await _target.LookAsync(directory.TargetPath, names, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return [.. names.Select(_ => new TreeLook(null, e))];
        }
    }

    // A name that cannot be used fails by itself.
    private bool IsUnproved(PlannedDirectory directory, string name) =>
        (!directory.IsTargetKnown || name.StartsWith('.')) && ListedNames.Refuse(name) is null && _target.Refuse(name) is null;

    // True: it must not be written, since it may be there.
    private bool Withholds(PlannedDirectory directory, in TreeEntry entry, string there, Dictionary<string, TransferException>? unknown)
    {
        if (unknown?.GetValueOrDefault(there) is not { } error || !_rule.NeedsAbsence || entry.Type is RemoteEntryType.Directory or RemoteEntryType.Other) return false;
        if (entry.Type == RemoteEntryType.Link && _options.Links == LinkHandling.Skip) return false;
        _job.Lose(directory.ItemOf(entry.Name), new TransferException(
            TransferError.Partial, $"It is not known whether this is at the target, where the listing of its folder lacks entries or may lack some: {error.Message}", error));
        return true;
    }
}
