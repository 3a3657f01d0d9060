using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Sync;

/// <summary>
/// Compares modification times as exactly as both sides have them. A LIST has times in minutes, or in days for older files, in an unknown
/// time zone: where such times differ, the exact one is requested (MDTM, in UTC). The time zone found is kept, so that of many files only
/// some need a request.
/// </summary>
internal sealed class SyncTimes
{
    private const int MostZones = 8; // a zone and its summer time are two
    private const int AskedTogether = 64;

    private const long UnixEpochTicks = 621_355_968_000_000_000; // "no time" of many servers

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan FarthestZones = TimeSpan.FromHours(26); // +14 and -12
    private static readonly TimeSpan ZoneStep = TimeSpan.FromMinutes(15);

    private readonly Lock _gate = new();
    private readonly ILogger _logger;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly bool _preserve;
    private int _isSaid;
    private int _isUnshownSaid;
    private TimeSpan[] _zones = [TimeSpan.Zero]; // by which listed source times are ahead of listed target times

    public SyncTimes(ILogger logger, ISourceTree source, ITargetTree target, bool preserve)
    {
        _logger = logger;
        _source = source;
        _target = target;
        _preserve = preserve;
    }

    /// <summary>Whether the target's files have the source's times.</summary>
    public bool KeepsTimes => _preserve && _target.KeepsTimes;

    /// <summary>Whether the target's files have the source's times, and no listing shows only minutes or days of them.</summary>
    public bool AreExact => KeepsTimes && !SourceIsCoarse && !TargetIsCoarse;

    private bool SourceIsCoarse => ListedTime.IsCoarse(_source.TimePrecision);

    private bool TargetIsCoarse => ListedTime.IsCoarse(_target.TimePrecision);

    /// <summary>The finest step of both sides' times when looked at one by one.</summary>
    public TimeSpan ExactStep => SourceIsCoarse ? Minute : TargetIsCoarse ? Max(_source.TimePrecision, Second) : Step;

    private TimeSpan Step => Max(_source.TimePrecision, _target.TimePrecision);

    /// <summary>Returns for each pair, in order, whether the target's file is like the source's, by time.</summary>
    public async ValueTask<bool[]> CompareAsync(PlannedDirectory directory, IReadOnlyList<SyncPair> pairs, CancellationToken ct)
    {
        if (_preserve && !KeepsTimes && Interlocked.Exchange(ref _isSaid, 1) == 0) Log.TimesNotKept(_logger, _target.PathOf(string.Empty));
        var same = new bool[pairs.Count];
        var doubtful = new List<int>();
        for (var i = 0; i < same.Length; i++)
        {
            same[i] = AgreesAsListed(directory, pairs[i]);
            if (!same[i] && (SourceIsCoarse || TargetIsCoarse)) doubtful.Add(i);
        }

        // First one pair of each distance that may be a time zone's: if proved, the rest of that distance needs no request.
        var probes = doubtful.Where(i => ZoneOf(pairs[i]) is not null).DistinctBy(i => ZoneOf(pairs[i])).Take(MostZones).ToList();
        await AskAsync(directory, pairs, probes, same, ct).ConfigureAwait(false);
        doubtful = [.. doubtful.Except(probes)];
        foreach (var i in doubtful) same[i] = AgreesAsListed(directory, pairs[i]);
        foreach (var some in doubtful.Where(i => !same[i]).Chunk(AskedTogether))
            await AskAsync(directory, pairs, some, same, ct).ConfigureAwait(false);
        return same;
    }

    /// <summary>
    /// Returns files of the target with their most exact times, since too many files share a minute; without a time where not known.
    /// </summary>
    public async ValueTask<IReadOnlyList<TreeEntry>> ExactAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> files,
        CancellationToken ct)
    {
        if (!TargetIsCoarse) return files;
        var exact = new List<TreeEntry>(files.Count);
        foreach (var some in files.Chunk(AskedTogether))
        {
            var found = await LookAsync(_target, directory.TargetPath, [.. some.Select(file => file.Name)], ct).ConfigureAwait(false);
            exact.AddRange(some.Select((file, i) => file with { ModifiedTicks = found[i]?.ModifiedTicks ?? 0 }));
        }
        return exact;
    }

    private async ValueTask AskAsync(
        PlannedDirectory directory, IReadOnlyList<SyncPair> pairs, IReadOnlyList<int> which, bool[] same, CancellationToken ct)
    {
        if (which.Count == 0) return;
        var ours = SourceIsCoarse
            ? await LookAsync(_source, directory.Path, [.. which.Select(i => pairs[i].Source.Name)], ct).ConfigureAwait(false) : null;
        var theirs = TargetIsCoarse
            ? await LookAsync(_target, directory.TargetPath, [.. which.Select(i => pairs[i].Target.Name)], ct).ConfigureAwait(false) : null;
        for (var k = 0; k < which.Count; k++)
        {
            var pair = pairs[which[k]];
            var (source, target) = (ours?[k] ?? pair.Source, theirs?[k] ?? pair.Target);
            var exact =
                (!SourceIsCoarse || ours![k] is { ModifiedTicks: > 0 }) && (!TargetIsCoarse || theirs![k] is { ModifiedTicks: > 0 });
            if (!exact || LastChange(directory, source) is not { } one || target.Modified is not { } other) continue;
            same[which[k]] = Agrees(Floor(one, Second), Floor(other, Second));
            if (same[which[k]] && Floor(one, Second) == Floor(other, Second) && ZoneOf(pair) is { } zone) Remember(zone);
        }
    }

    // Without an answer the listed time stands.
    private static async ValueTask<IReadOnlyList<TreeEntry?>> LookAsync(
        IFolderTree tree, string directory, IReadOnlyList<string> names, CancellationToken ct)
    {
        try
        {
            return [.. (await tree.LookAsync(directory, names, ct).ConfigureAwait(false)).Select(look => look.Entry)];
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new TreeEntry?[names.Count];
        }
    }

    // Where the target has the time of arrival, a file put in place of another with an older time would count as unchanged: the system's
    // own record of changes tells the two apart.
    private DateTimeOffset? LastChange(PlannedDirectory directory, in TreeEntry source)
    {
        if (KeepsTimes || source.ModifiedTicks == 0) return source.Modified;
        var changed = _source.ChangedTicks(directory.PathOf(source.Name));
        return changed > source.ModifiedTicks ? new DateTimeOffset(changed, TimeSpan.Zero) : source.Modified;
    }

    private bool AgreesAsListed(PlannedDirectory directory, in SyncPair pair)
    {
        if (LastChange(directory, pair.Source) is not { } ours) return false;
        // Where times are not kept, and not even shown, lengths decide alone: they are equal here.
        if (_preserve && !KeepsTimes && pair is { Source.ExactLength: not null, Target.ExactLength: not null }
            && pair.Target.Modified is not { UtcTicks: > UnixEpochTicks })
        {
            if (Interlocked.Exchange(ref _isUnshownSaid, 1) == 0) Log.TimesNotShown(_logger, _target.PathOf(string.Empty));
            return true;
        }
        if (pair.Target.Modified is not { } theirs) return false;

        // The later of two times is not known across time zones, unless they are far apart.
        if (!KeepsTimes && (SourceIsCoarse || TargetIsCoarse)) return ours + FarthestZones <= theirs;
        foreach (var zone in Volatile.Read(ref _zones))
        {
            var (one, other) = (ours, theirs + zone);
            if (Agrees(Floor(one, Step), Floor(other, Step))) return true;

            // Some servers keep the day of a time alone.
            if (!KeepsTimes && IsMidnight(other) && Floor(one, TimeSpan.FromDays(1)) <= other.UtcTicks) return true;

            // Midnight to the minute: the listing has no more than a day.
            if (TargetIsCoarse && IsMidnight(theirs) && Floor(one - zone, TimeSpan.FromDays(1)) == theirs.UtcTicks) return true;
            if (SourceIsCoarse && IsMidnight(ours) && Floor(other, TimeSpan.FromDays(1)) == ours.UtcTicks) return true;
        }
        return false;
    }

    private bool Agrees(long source, long target) => KeepsTimes ? source == target : source <= target;

    private TimeSpan? ZoneOf(in SyncPair pair)
    {
        if (pair.Source.Modified is not { } ours || pair.Target.Modified is not { } theirs) return null;
        // the distance of a day from a time proves nothing
        if (SourceIsCoarse && IsMidnight(ours) || TargetIsCoarse && IsMidnight(theirs)) return null;
        var distance = TimeSpan.FromTicks(Floor(ours, Minute) - Floor(theirs, Minute));
        return distance.Ticks % ZoneStep.Ticks == 0 && distance.Duration() <= FarthestZones ? distance : null;
    }

    private void Remember(TimeSpan zone)
    {
        lock (_gate)
        {
            if (_zones.Contains(zone) || _zones.Length == MostZones) return;
            Volatile.Write(ref _zones, [.. _zones, zone]);
        }
        Log.ZoneFound(_logger, (long)zone.TotalMinutes);
    }

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;

    private static bool IsMidnight(DateTimeOffset time) => time.UtcTicks % TimeSpan.TicksPerDay == 0;

    private static long Floor(DateTimeOffset time, TimeSpan step) => time.UtcTicks - time.UtcTicks % Math.Max(1, step.Ticks);
}
