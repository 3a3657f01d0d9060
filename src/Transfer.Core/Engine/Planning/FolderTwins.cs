using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>Finds, in a directory of the source, the names that may be one at the target.</summary>
/// <param name="plan">The plan.</param>
internal sealed class FolderTwins(FolderPlan plan)
{
    /// <summary>
    /// Returns the set by which the rest of a group is found once the first is in, and the reason to report; null: no two names are one.
    /// Marks the names of folders in which no entry is extra.
    /// </summary>
    /// <param name="directory">The directory.</param>
    /// <param name="entries">The entries of the source, of which repeated names are removed.</param>
    /// <param name="existing">The entries of the target; null: not known.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<(HashSet<string>? Seen, string? Why)> FindAsync(
        PlannedDirectory directory, List<TreeEntry> entries, Dictionary<string, TreeEntry>? existing, CancellationToken ct)
    {
        if (plan.Options.DryRun) await LookAsync(directory, entries, existing, ct).ConfigureAwait(false);
        var (seen, why) = await CompareAsync(directory, entries, ct).ConfigureAwait(false);
        if (seen is null || !plan.Rule.WalksTarget) return (seen, why);
        directory.Side.Merged ??= TwinNames.Merge(directory, entries, seen.Comparer);
        if (directory.Side.Merged is { Count: > 0 } merged && existing is { Count: > 0 })
            Adopt(directory, entries.Where(entry => merged.Contains(entry.Name)), existing, seen.Comparer);
        return (seen, why);
    }

    // The first of a group is the one that is kept, also where the target lists the spelling of another.
    private static void Adopt(PlannedDirectory directory, IEnumerable<TreeEntry> entries, Dictionary<string, TreeEntry> existing,
        IEqualityComparer<string> comparer)
    {
        foreach (var first in entries.Select(entry => directory.NameThere(entry.Name)).Distinct(comparer).ToList())
        {
            if (existing.ContainsKey(first)) continue;
            if (existing.Keys.FirstOrDefault(name => comparer.Equals(name, first)) is not { } other) continue;
            existing.Remove(other, out var entry);
            existing[first] = entry with { Name = first };
            (directory.Side.Adopted ??= []).Add(first);
        }
    }

    // No test folder shows a target's comparison of names in a dry run: where the target has some already, looks do.
    private async ValueTask LookAsync(
        PlannedDirectory directory, List<TreeEntry> entries, Dictionary<string, TreeEntry>? existing, CancellationToken ct)
    {
        if (TwinNames.Group([.. entries.Select(entry => entry.Name)]) is not { } twins) return;
        if (plan.Options.IsPlan) directory.Side.Twins = twins;
        if (existing is { Count: > 0 } && plan.Rule.WalksTarget)
            directory.Side.Merged = await TwinNames.FindMergedAsync(plan.Target, directory, twins, existing, ct).ConfigureAwait(false);
    }

    // Of names that differ in case or in Unicode's form only, the first is kept where they may be one at the target.
    private async ValueTask<(HashSet<string>? Seen, string? Why)> CompareAsync(PlannedDirectory directory, List<TreeEntry> entries,
        CancellationToken ct)
    {
        if (!TwinNames.AreToldApart(plan.Target.Names))
        {
            RemoveRepeated(directory, entries);
            return (new(plan.Target.Names), TwinNames.OneName);
        }
        if (directory.Error is not null || TwinNames.AreFarApart(entries.Select(entry => directory.NameThere(entry.Name)), entries.Count))
            return default;
        RemoveRepeated(directory, entries);
        var there = entries.Select(entry => directory.NameThere(entry.Name));
        // With inclusions, the directory may not be made yet, or never: the one above is as good for the test.
        var made = directory;
        while (made is { ExistsAtTarget: false, Parent: { } above }) made = above;
        var (names, why) = await TwinNames.FindAsync(plan.Target, made.TargetPath, there, entries.Count, ct).ConfigureAwait(false);
        return names is null ? default : (new(entries.Count, names), why);
    }

    // A repeated name stands for another, not distinguished by the client, or the directory changed while it was read.
    private void RemoveRepeated(PlannedDirectory directory, List<TreeEntry> entries)
    {
        var names = new HashSet<string>(entries.Count, StringComparer.Ordinal);
        if (entries.RemoveAll(entry => ListedNames.Refuse(entry.Name) is null && !names.Add(entry.Name)) is not (> 0 and var repeated))
            return;
        directory.Listed = ListingVerdict.Partial;
        plan.Job.Fail(directory.Item, Repeated(repeated));
    }

    /// <summary>The error of a listing with repeated names.</summary>
    public static TransferException Repeated(int count) =>
        new(TransferError.Partial, $"The listing is partial: {RepeatedNames.Gap(count)}.");
}
