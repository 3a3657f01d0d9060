using Transfer.Diagnostics;
using Transfer.Engine.Recovery;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>
/// Finds the existing entries of the target: by listings, and where those lack entries, or may lack some, by looks at single names.
/// </summary>
/// <param name="plan">The plan.</param>
/// <param name="leftovers">The leftovers of earlier runs at the target, which are deleted.</param>
internal sealed class TargetSight(FolderPlan plan, TargetLeftovers leftovers)
{
    private const int NamesTogether = 256;

    /// <summary>
    /// Lists the target's side of a directory; or returns why the entries cannot be known: then no entry there may be overwritten.
    /// </summary>
    /// <param name="directory">The directory.</param>
    /// <param name="entries">The source's entries, which may not need the listing; null: list in any case.</param>
    /// <param name="ct">Cancels.</param>
    public async Task<TargetEntries> ListAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry>? entries, CancellationToken ct)
    {
        if (directory.IsNewAndEmpty || directory.Error is not null || !directory.ExistsAtTarget
            || entries is not null && !(leftovers.AreKnown || plan.Rule.NeedsTarget(entries)))
        {
            return default;
        }

        TreeListing listed;
        try
        {
            listed = plan.Rule.PresenceSuffices
                ? await plan.Target.FindAsync(directory.TargetPath, ct).ConfigureAwait(false)
                : await plan.Target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            // In a dry run a folder that would have been created is absent.
            if (plan.Options.DryRun && e.Error == TransferError.NotFound) return default;
            // Only the leftovers needed the listing.
            return entries is null || plan.Rule.NeedsTarget(entries) ? new(null, e, null) : default;
        }
        // A creation, or an empty listing, is doubtful alone, where a server reports such for an existing folder. Together they are proof.
        var isNew = directory.IsCreated && listed.Entries.Count == 0
            && listed.Verdict is ListingVerdict.Complete or ListingVerdict.EmptyUnproved or ListingVerdict.EmptyRefused;
        (directory.Side.IsKnown, directory.Side.MayHideDots) = (isNew || listed.IsComplete, !isNew && listed.MayHideDots);
        // Extra entries that the listing lacks stay: then the target is not like the source.
        if (plan.Rule.WalksTarget && listed.Gap is { } gap) plan.Job.Fail(directory.Item, gap);
        IReadOnlyList<TreeEntry> left;
        try
        {
            left = await leftovers.CleanAsync(directory, listed.Entries, ct).ConfigureAwait(false);
        }
        catch
        {
            listed.Dispose();
            throw;
        }
        var (existing, repeated) = (new Dictionary<string, TreeEntry>(left.Count, plan.Target.Names), 0);
        foreach (var entry in left)
        {
            // A name with a line end can make the line of a directory for a link, whose own line is here, too.
            if (existing.TryAdd(entry.Name, entry)) continue;
            if (existing[entry.Name] is { Name: var name, Type: var type } && name == entry.Name && type == entry.Type) repeated++;
            if (entry.Type != RemoteEntryType.Directory) existing[entry.Name] = entry;
        }
        if (plan.Rule.WalksTarget && repeated > 0 && listed.Gap is null) plan.Job.Fail(directory.Item, FolderTwins.Repeated(repeated));
        return new(existing, null, listed.Share);
    }

    /// <summary>
    /// Looks, one by one, for names that the source has and the target's listing lacks, where that is no proof of absence.
    /// </summary>
    /// <returns>Names that may exist at the target, with the reason for the doubt; null: none.</returns>
    public async ValueTask<Dictionary<string, TransferException>?> CompleteAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> entries, Dictionary<string, TreeEntry> existing, CancellationToken ct)
    {
        if (directory.Side.IsKnown && !directory.Side.MayHideDots) return null;
        var missing = entries.Select(entry => directory.NameThere(entry.Name)).Where(
            name => IsUnproved(directory, name) && !existing.ContainsKey(name)).Distinct(plan.Target.Names).ToList();
        if (missing.Count == 0) return null;
        Log.LookedUp(plan.Job.Logger, directory.TargetPath, missing.Count);
        // A refusal proves absence where the same look describes an existing entry.
        if (existing.Values.FirstOrDefault(entry => entry.Type == RemoteEntryType.File).Name is { } known) missing.Insert(0, known);
        var unknown = new Dictionary<string, TransferException>(plan.Target.Names);
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

    /// <summary>Returns whether an entry must not be written, since the target may have one of that name.</summary>
    public bool TryWithhold(PlannedDirectory directory, in TreeEntry entry, string there, Dictionary<string, TransferException>? unknown)
    {
        if (unknown?.GetValueOrDefault(there) is not { } error || !plan.Rule.NeedsAbsence
            || entry.Type is RemoteEntryType.Directory or RemoteEntryType.Other)
        {
            return false;
        }

        if (entry.Type == RemoteEntryType.Link && plan.Options.Links == LinkHandling.Skip) return false;
        plan.Job.ReportLost(directory.ItemOf(entry.Name), new TransferException(
            TransferError.Partial,
            $"It is not known whether this is at the target, where the listing of its folder lacks entries or may lack some: "
            + $"{error.Message}", error));
        return true;
    }

    /// <summary>
    /// Gives entries that the target lists in another case, or in another of Unicode's forms, the source's names. A look for the source's
    /// name, which the listing lacks, decides.
    /// </summary>
    public async ValueTask AdoptSpellingsAsync(PlannedDirectory directory, IEnumerable<TreeEntry> entries,
        Dictionary<string, TreeEntry> existing, CancellationToken ct)
    {
        var names = entries.Select(entry => directory.NameThere(entry.Name));
        if (SpellingAdoption.Sought(names, existing) is not { Count: > 0 } sought) return;
        IReadOnlyList<TreeLook>? found = null;
        try
        {
            found = await plan.Target.LookAsync(directory.TargetPath, sought, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Log.SpellingsUnknown(plan.Job.Logger, directory.TargetPath, e.Message);
        }
        foreach (var (name, listed) in SpellingAdoption.Adopt(sought, found, names, existing))
        {
            (directory.Side.Adopted ??= []).Add(name);
            Log.AdoptedSpelling(plan.Job.Logger, directory.PathThere(listed));
        }
    }

    private async ValueTask<IReadOnlyList<TreeLook>> LookAsync(PlannedDirectory directory, string[] names, CancellationToken ct)
    {
        try
        {
            return await plan.Target.LookAsync(directory.TargetPath, names, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return [.. names.Select(_ => new TreeLook(null, e))];
        }
    }

    // A name that cannot be used fails by itself.
    private bool IsUnproved(PlannedDirectory directory, string name) =>
        (!directory.Side.IsKnown || name.StartsWith('.')) && ListedNames.Refuse(name) is null && plan.Target.Refuse(name) is null;
}
