using System.Globalization;
using FluentFTP;
using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// Looks up single paths: by MLST, else by SIZE, MDTM and CWD, else in the listing of the parent folder. 550 has many meanings and proves
/// absence only where the same command has described an entry of this server before.
/// </summary>
internal sealed class FluentLookUp
{
    // In a folder of anybody's no entry has such an end.
    private const string Absent = ".transfer-2f8c61d3a5e94b07";

    private readonly FluentControl _control;
    private readonly FluentLister _lister;

    public FluentLookUp(FluentControl control, FluentLister lister)
    {
        _control = control;
        _lister = lister;
    }

    private HostKnowledge Host => _control.Host;

    /// <summary>Describes one path; null: the path is proved absent.</summary>
    /// <exception cref="TransferException">Neither could be determined.</exception>
    public async ValueTask<RemoteEntry?> GetAsync(string path, CancellationToken ct)
    {
        var look = _lister.HasMlsd
            ? await ByMlstAsync(path, ct).ConfigureAwait(false)
            : await ByPartsAsync(path, ct).ConfigureAwait(false);
        return look.Entry is null && !look.IsAbsent ? await ByListingAsync(path, look.Refusal!, ct).ConfigureAwait(false) : look.Entry;
    }

    /// <summary>Describes one path; errors are part of the outcome.</summary>
    public async ValueTask<EntryOutcome> LookAsync(string path, CancellationToken ct)
    {
        try
        {
            return new() { Entry = await GetAsync(path, ct).ConfigureAwait(false) };
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new() { Error = e };
        }
    }

    /// <summary>Describes several paths, one after the other.</summary>
    public async ValueTask<IReadOnlyList<EntryOutcome>> LookAllAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        await OneByOne.RunAsync(paths, LookAsync, ct).ConfigureAwait(false);

    /// <summary>Whether a path is seen by one look of its own. Some servers enter any name, which then proves nothing.</summary>
    public async ValueTask<bool> IsSeenAsync(string path, bool isDirectory, CancellationToken ct)
    {
        if (_lister.HasMlsd) return (await ByMlstAsync(path, ct).ConfigureAwait(false)).Entry is not null;
        if (isDirectory)
            return await EntersAsync(path, ct).ConfigureAwait(false) && !await EntersAsync(path + Absent, ct).ConfigureAwait(false);
        return (await _control.ExecuteAsync(_control.Command("SIZE", path), ct).ConfigureAwait(false)).Code == 213;
    }

    /// <summary>Looks at directories that were created: CWD may enter what MLST hides.</summary>
    public async ValueTask<IReadOnlyList<EntryOutcome>> LookAtCreatedAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        await OneByOne.RunAsync(paths, LookAtCreatedAsync, ct).ConfigureAwait(false);

    private async ValueTask<EntryOutcome> LookAtCreatedAsync(string path, CancellationToken ct) =>
        await EntersAsync(path, ct).ConfigureAwait(false)
            ? new() { Entry = new RemoteEntry { Path = path, Type = RemoteEntryType.Directory } }
            : await LookAsync(path, ct).ConfigureAwait(false);

    private async ValueTask<bool> EntersAsync(string path, CancellationToken ct) =>
        (await _control.ExecuteAsync(_control.Command("CWD", path), ct).ConfigureAwait(false)).IsSuccess;

    /// <summary>The error of a change that was confirmed and not made.</summary>
    public static TransferException WithoutEffect(string verb, string path, string state) =>
        new(TransferError.Unsupported, $"{verb} {path}: the server confirms that, but {path} {state}.") { RemotePath = path };

    private async ValueTask<Answer> ByMlstAsync(string path, CancellationToken ct)
    {
        var reply = await _control.ExecuteAsync(_control.Command("MLST", path), ct).ConfigureAwait(false);
        if (Describe(path, reply) is { } entry) return new(entry, false, null);
        // The log-in folder exists: a server that describes it has described an entry.
        if (reply.Code == 550 && !Host.DescribesByMlst)
            Describe(_control.Home, await _control.ExecuteAsync(_control.Command("MLST", _control.Home), ct).ConfigureAwait(false));
        return new(null, reply.Code == 550 && Host.DescribesByMlst, ReplyErrors.ToException(reply, "MLST", path, writes: false));
    }

    private RemoteEntry? Describe(string path, Reply reply)
    {
        foreach (var line in reply.IsSuccess ? reply.Lines : [])
        {
            // Each line of facts begins with a blank, and the name may differ from the one sent. The listed directory itself is a
            // directory.
            var facts = line.TrimStart(' ');
            var isItself = facts.Contains("type=cdir;", StringComparison.OrdinalIgnoreCase)
                || facts.Contains("type=pdir;", StringComparison.OrdinalIgnoreCase);
            var entry = isItself ? new() { Path = path, Type = RemoteEntryType.Directory } : MlsdLine.Parse(facts, string.Empty, out _);
            if (entry is null) continue;
            Host.DescribesByMlst = true;
            return entry with { Path = path };
        }
        return null;
    }

    private async ValueTask<Answer> ByPartsAsync(string path, CancellationToken ct)
    {
        // Some servers give directories a size, so CWD comes first.
        var change = await _control.ExecuteAsync(_control.Command("CWD", path), ct).ConfigureAwait(false);
        if (change.IsSuccess) return new(new RemoteEntry { Path = path, Type = RemoteEntryType.Directory }, false, null);
        var size = await _control.ExecuteAsync(_control.Command("SIZE", path), ct).ConfigureAwait(false);
        if (size.Code == 213 && long.TryParse(size.Text.AsSpan().Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var length))
        {
            Host.DescribesBySize = true;
            var modified = await TimeOfAsync(path, ct).ConfigureAwait(false);
            return new(new RemoteEntry { Path = path, Type = RemoteEntryType.File, Length = length, Modified = modified }, false, null);
        }
        var isProof = size.Code == 550 && change.IsPermanentFailure && Host.DescribesBySize;
        return new(null, isProof, ReplyErrors.ToException(size, "SIZE", path, writes: false));
    }

    private async ValueTask<DateTimeOffset?> TimeOfAsync(string path, CancellationToken ct)
    {
        if (!_control.Client.HasFeature(FtpCapability.MDTM)) return null;
        var reply = await _control.ExecuteAsync(_control.Command("MDTM", path), ct).ConfigureAwait(false);
        return reply.Code == 213 ? FtpTime.Parse(reply.Text) : null;
    }

    private async ValueTask<RemoteEntry?> ByListingAsync(string path, TransferException refusal, CancellationToken ct)
    {
        if (RemotePath.GetParent(path) is not { } parent) throw Unknown(path, refusal);
        var (name, report, found) = (RemotePath.GetName(path), new ListingReport(), (RemoteEntry?)null);
        try
        {
            // To the end: leaving a listing costs the session.
            await foreach (var entry in _lister.ListAsync(parent, report, ct).ConfigureAwait(false))
            {
                if (entry.Name == name) found = entry with { Path = path };
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            throw Unknown(path, refusal);
        }
        if (found is not null) return found;
        var isHidden = name.StartsWith('.') && report.MayHideDots;
        return report.Verdict == ListingVerdict.Complete && !isHidden ? null : throw Unknown(path, refusal);
    }

    // A path that may exist must not be reported as absent.
    private static TransferException Unknown(string path, TransferException refusal) =>
        new(refusal.Error == TransferError.NotFound ? TransferError.Denied : refusal.Error,
            $"Whether {path} is there could not be found out: {refusal.Message}", refusal)
        {
            RemotePath = path,
            IsTransient = refusal.IsTransient,
            ServerCode = refusal.ServerCode,
        };

    private readonly record struct Answer(RemoteEntry? Entry, bool IsAbsent, TransferException? Refusal);
}
