using Microsoft.Win32.SafeHandles;
using Transfer.Journal;

namespace Transfer.Local.Contents;

/// <summary>
/// The ranges of a file being received that are on the disk. Now and then the bytes written are flushed, beside the writing, and only then
/// noted in the journal: the ranges in the journal are there after a power cut too. Thread-safe.
/// </summary>
internal sealed class WrittenRanges
{
    // A crash costs at most as much of each session, or the bytes of a second where those are more: a fast link repeats them as soon.
    private const long Step = 16 << 20;

    // A flush has the disk write everything, and the end of the file waits for the flush: with more flushes, the disk would bound a fast
    // link.
    private static readonly TimeSpan Least = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private readonly SafeFileHandle _handle;
    private readonly string _path;
    private readonly JournaledFile _file;
    private readonly TimeProvider _time;
    private readonly WrittenLedger _ledger = new();
    private Task _flushing = Task.CompletedTask;
    private long _flushed;
    private bool _closed;
    private volatile Exception? _failure;

    public WrittenRanges(SafeFileHandle handle, string path, JournaledFile file)
    {
        _handle = handle;
        _path = path;
        _file = file;
        _time = file.Time;
        _flushed = _time.GetTimestamp();
    }

    /// <summary>Whether a flush has failed. Ranges not noted in the journal before then are not known to be on the disk, also after a later
    /// successful flush: they have to be written again.</summary>
    public bool HasFailed => _failure is not null;

    /// <summary>Records bytes written; each session writes in ascending order.</summary>
    public void Wrote(long offset, int count)
    {
        lock (_gate)
        {
            if (_ledger.Wrote(offset, count) < Step || !_flushing.IsCompleted || HasFailed || _closed
                || _time.GetElapsedTime(_flushed) < Least)
            {
                return;
            }

            _flushing = Task.Run(Flush);
        }
    }

    /// <summary>All ranges written, flushed or not.</summary>
    public ByteRanges Written()
    {
        lock (_gate) return _ledger.Written();
    }

    /// <summary>Flushes all bytes written and notes them in the journal, unless a flush has failed.</summary>
    public async ValueTask FlushAsync()
    {
        await StopAsync().ConfigureAwait(false);
        await Task.Run(Flush).ConfigureAwait(false);
    }

    /// <summary>Ends the flush that is under way, so that the file can be closed.</summary>
    /// <returns>The reason why this flush or an earlier one failed; null: none did.</returns>
    public async ValueTask<Exception?> StopAsync()
    {
        Task flushing;
        lock (_gate)
        {
            _closed = true;
            flushing = _flushing;
        }
        await flushing.ConfigureAwait(false);
        return _failure;
    }

    private void Flush()
    {
        IReadOnlyList<(WrittenLedger.Run Run, long Start, long End)> written;
        lock (_gate) written = _ledger.Unproved();
        if (HasFailed) return;
        try
        {
            Disk.FlushFile(_handle, _path);
            NoteInJournal(written);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            lock (_gate) _ledger.Fail();
            _failure = e;
        }
    }

    private void NoteInJournal(IReadOnlyList<(WrittenLedger.Run Run, long Start, long End)> written)
    {
        lock (_gate) _flushed = _time.GetTimestamp();
        foreach (var (run, start, end) in written)
        {
            if (RangeTail.Hash(_handle, start, end, _path) is not { } tail) continue;
            _file.Written(start, end, tail);
            lock (_gate) _ledger.Prove(run, end);
        }
    }
}
