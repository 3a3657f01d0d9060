using System.Buffers;
using System.Collections.Concurrent;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>
/// What a sender's earlier jobs have sent, of whatever folder, and what this one sends: where nobody can be asked for what he has, this answers, as far as all recipients have said
/// that they have it. Thread-safe.
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

    /// <param name="store">Where it is kept.</param>
    /// <param name="tree">The folder that is sent.</param>
    /// <param name="family">The jobs that it is about (<see cref="VersionStore.IdOf"/>): all that may send the same files to the same people, however they call folder and spool.</param>
    /// <param name="place">The spool, likewise.</param>
    /// <param name="to">Whom this one is for, each as <see cref="VersionHead.IdOf"/> has it.</param>
    public SentVersions(VersionStore store, LocalTreeReader tree, string family, string place, HashSet<string> to)
    {
        _store = store;
        _tree = tree;
        _family = family;
        _place = place;
        _to = to;
    }

    /// <summary>An earlier job has the files that this one has not.</summary>
    public bool Continues { get; init; }

    /// <summary>Jobs that this one could build on, if all have them, which is not known.</summary>
    public IEnumerable<JobId> Pending => _store.List(_family).Where(name => !name.IsConfirmed && IsOurs(name)).Select(name => name.Job);

    /// <summary>What all have confirmed by now can be built on; before, whoever asks waits.</summary>
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

    /// <summary>A job begins: from now on it is known that there was one.</summary>
    /// <param name="job">The job.</param>
    /// <param name="sequence">Its place.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask BeginAsync(JobId job, long sequence, CancellationToken ct)
    {
        using var held = await _store.HoldAsync(ct).ConfigureAwait(false);
        // Each spool has numbers of its own, and a clock may have been put back.
        var newest = _store.List(_family) is [var last, ..] ? last.Sequence : 0;
        var head = new VersionHead(new VersionName(_family, Math.Max(newest + 1, sequence), job, IsConfirmed: false), Continues, _to, _place);
        _head = head;
        _writer = SentVersionWriter.Create(_store.PathOf(head.Name), head);
        // Without it older ones would be taken for what recipients have.
        if (_writer is null) _store.Forget(_family, _to);
    }

    /// <summary>A file is in the store.</summary>
    public void Finish(string path, SourceStamp stamp) => _finished.Enqueue((path, stamp));

    /// <summary>Reads what is finished once more, for its hashes.</summary>
    public async ValueTask TakeAsync(CancellationToken ct)
    {
        await _ready.Task.WaitAsync(ct).ConfigureAwait(false);
        while (_writer is { } writer && _finished.TryDequeue(out var file)) Take(writer, file.Path, file.Stamp, ct);
    }

    /// <summary>All of the job is in the store, but for its end. False: nobody need know whether it is confirmed.</summary>
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
        return ValueTask.FromResult(new BaseAnswer(IsLeft: false, version.Read(file)));
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
        var earlier = _store.List(_family).Where(name => name.Job != _head?.Name.Job).Select(name => SentVersion.Open(_store.PathOf(name), name)).ToList();
        for (var i = 0; i < earlier.Count; i++)
        {
            // All have what is newer, so nothing builds on what is older any more, nor is that in the way of anything; unless it knows of other files.
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

    // What all have confirmed, unless something else may have come to one of them after it.
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
            // None builds on it; but neither on what was there before.
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
            var record = new VersionRecord { Kind = VersionRecordKind.File, Path = path, Length = stamp.Length, Hash = hash, Entries = length, Checksum = JournalFile.Checksum(entries.AsSpan(0, length)) };
            writer.Add(record, entries.AsSpan(0, length));
        }
        finally
        {
            if (entries.Length > 0) ArrayPool<byte>.Shared.Return(entries);
        }
    }
}
