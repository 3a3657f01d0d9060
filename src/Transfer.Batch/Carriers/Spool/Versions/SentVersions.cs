using System.Buffers;
using System.Collections.Concurrent;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>
/// The files sent by a sender's earlier jobs, of any folder, and by this one. Recipients of a spool can't be asked for their files, so this
/// inquiry answers instead, as far as all recipients have confirmed. Thread-safe.
/// </summary>
internal sealed class SentVersions : IBaseInquiry, IDisposable
{
    private readonly TaskCompletionSource<bool> _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentQueue<(string Path, SourceStamp Stamp)> _finished = [];
    private readonly VersionStore _store;
    private readonly LocalTreeReader _tree;
    private readonly string _family;
    private readonly HashSet<string> _to;
    private readonly string _place;
    private List<SentVersion> _earlier = []; // the newest first
    private volatile VersionHead? _head;
    private volatile SentVersionWriter? _writer;

    /// <param name="store">The records.</param>
    /// <param name="tree">The folder that is sent.</param>
    /// <param name="family">The family of jobs (<see cref="VersionStore.IdOf"/>): all that may send the same files to the same people,
    /// under any names of folder and spool.</param>
    /// <param name="place">The spool, likewise.</param>
    /// <param name="to">The recipients of this job, each by <see cref="VersionHead.IdOf"/>.</param>
    public SentVersions(VersionStore store, LocalTreeReader tree, string family, string place, HashSet<string> to)
    {
        _store = store;
        _tree = tree;
        _family = family;
        _place = place;
        _to = to;
    }

    /// <summary>Whether an earlier job has the files that this one lacks.</summary>
    public bool Continues { get; init; }

    /// <summary>Jobs that this one could build on, if all have them, which is not known.</summary>
    public IEnumerable<JobId> Pending => _store.List(_family).Where(name => !name.IsConfirmed && IsOurs(name)).Select(name => name.Job);

    /// <summary>Opens the earlier records, so that confirmed versions can be built on; inquiries wait until then.</summary>
    public async ValueTask OpenAsync(CancellationToken ct)
    {
        try
        {
            using var held = await _store.HoldAsync(ct).ConfigureAwait(false);
            _store.Trim(_family);
            _earlier = OpenEarlier();
            _ready.TrySetResult(_earlier.Exists(version => version.Name.IsConfirmed && version.IsFor(_to, _place)));
        }
        catch (Exception e)
        {
            _ready.TrySetException(e);
            throw;
        }
    }

    /// <summary>Begins a job, recorded from now on.</summary>
    /// <param name="job">The job.</param>
    /// <param name="sequence">The job's place.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask BeginAsync(JobId job, long sequence, CancellationToken ct)
    {
        using var held = await _store.HoldAsync(ct).ConfigureAwait(false);
        // Each spool has numbers of its own, and a clock may have been set back.
        var newest = _store.List(_family) is [var last, ..] ? last.Sequence : 0;
        var head = new VersionHead(new VersionName(_family, Math.Max(newest + 1, sequence), job, IsConfirmed: false), Continues, _to,
            _place);
        _head = head;
        _writer = SentVersionWriter.Create(_store.PathOf(head.Name), head);
        // Without a record of this job, older versions would count as those that recipients have.
        if (_writer is null) _store.Forget(_family, _to);
    }

    /// <summary>A file is in the store.</summary>
    public void Finish(string path, SourceStamp stamp) => _finished.Enqueue((path, stamp));

    /// <summary>Reads finished files once more, for their hashes.</summary>
    public async ValueTask TakeAsync(CancellationToken ct)
    {
        await _ready.Task.WaitAsync(ct).ConfigureAwait(false);
        while (_writer is { } writer && _finished.TryDequeue(out var file)) Take(writer, file.Path, file.Stamp, ct);
    }

    /// <summary>Completes the record: all of the job is in the store, except the end. False: confirmations of the job are not
    /// needed.</summary>
    public bool Complete()
    {
        if (_writer is not { } writer) return false;
        if (writer.HasFiles || _earlier.Count > 0)
        {
            writer.Complete();
            return true;
        }
        writer.Dispose();
        _store.Delete(_head!.Name);
        return false;
    }

    public async ValueTask<bool> IsWorthwhileAsync(CancellationToken ct) => await _ready.Task.WaitAsync(ct).ConfigureAwait(false);

    public ValueTask<BaseAnswer> AskAsync(string path, long length, long modified, CancellationToken ct)
    {
        if (Find(path) is not ({ } version, var file) || !BlockShape.IsWorthwhile(file.Length, length)) return default;
        return ValueTask.FromResult(new BaseAnswer(IsSkipped: false, version.Read(file)));
    }

    public void Dispose()
    {
        _writer?.Dispose();
        foreach (var version in _earlier) version.Dispose();
    }

    private bool IsOurs(VersionName name)
    {
        using var version = SentVersion.Open(_store.PathOf(name), name);
        return version.IsFor(_to, _place);
    }

    private List<SentVersion> OpenEarlier()
    {
        var earlier = _store.List(_family).Where(name => name.Job != _head?.Name.Job).Select(
            name => SentVersion.Open(_store.PathOf(name), name)).ToList();
        for (var i = 0; i < earlier.Count; i++)
        {
            // All recipients have the newer versions, so nothing builds on older ones, nor do those prevent anything; unless they hold
            // other files.
            if (!earlier[i].Name.IsConfirmed || !earlier[i].IsWhole || earlier[i].Continues) continue;
            for (var k = earlier.Count - 1; k > i; k--)
            {
                if (!earlier[i].Covers(earlier[k])) continue;
                earlier[k].Dispose();
                _store.Delete(earlier[k].Name);
                earlier.RemoveAt(k);
            }
        }
        return earlier;
    }

    // Returns the version that all recipients have confirmed, unless one of them may have got another one since.
    private (SentVersion Version, VersionRecord File)? Find(string path)
    {
        byte[]? later = null;
        foreach (var version in _earlier)
        {
            if (!version.Concerns(_to)) continue;
            if (version.Find(path) is not { } file)
            {
                if (version.IsWhole) continue;
                return null;
            }
            if (file.Kind != VersionRecordKind.File || later is not null && !file.Hash.AsSpan().SequenceEqual(later)) return null;
            if (version.Name.IsConfirmed && version.IsFor(_to, _place)) return (version, file);
            later = file.Hash;
        }
        return null;
    }

    private void Take(SentVersionWriter writer, string path, SourceStamp stamp, CancellationToken ct)
    {
        if (!BlockShape.IsWorthwhile(stamp.Length, stamp.Length))
        {
            // The file is no base, but neither is the earlier version any more.
            if (_earlier.Exists(version => version.Has(path))) writer.AddVoid(path);
            return;
        }
        byte[] entries = [];
        try
        {
            if (FileSigner.Sign(_tree.PathOf(path), stamp, out entries, ct) is not ({ } hash, var length))
            {
                writer.AddVoid(path);
                return;
            }
            var record = new VersionRecord
            {
                Kind = VersionRecordKind.File,
                Path = path,
                Length = stamp.Length,
                Hash = hash,
                Entries = length,
                Checksum = JournalFile.Checksum(entries.AsSpan(0, length))
            };
            writer.Add(record, entries.AsSpan(0, length));
        }
        finally
        {
            if (entries.Length > 0) ArrayPool<byte>.Shared.Return(entries);
        }
    }
}
