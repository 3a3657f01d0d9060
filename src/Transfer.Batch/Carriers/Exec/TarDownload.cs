using System.Buffers;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers.Link;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// Fetches files by the host's tar, over several channels at once. A command fetches a portion of the files, which are published when the
/// command has succeeded: tar pads a file that became shorter while being read, and reports this only at the end.
/// </summary>
internal sealed class TarDownload
{
    private const int ReadSize = 256 * 1024;

    // Headers, padding, and names that are too long for them.
    private const long MostOfEntry = 4 * TarFormat.Block + 2 * TarFormat.MostPath;
    private const long MostOfEnd = 1 << 20;

    private readonly HostShell _shell;
    private readonly string _remote;
    private readonly string _proof;
    private readonly UnpackTarget _target;
    private readonly BatchItems _items;
    private readonly JobTally _tally;
    private readonly ItemJournal? _journal;
    private readonly CancellationToken _finish;
    private readonly LaneBoard _board;
    private readonly ILogger _logger;
    private long _begun;
    private TransferException? _lost;

    /// <param name="shell">The host's shell.</param>
    /// <param name="remote">The remote folder, absolute.</param>
    /// <param name="proof">A folder that SFTP shows.</param>
    /// <param name="target">The folder here.</param>
    /// <param name="items">Receives the files that have arrived, and those that have not.</param>
    /// <param name="tally">Counts the files that have arrived.</param>
    /// <param name="journal">Records the files that have arrived; null: none.</param>
    /// <param name="board">Shows each lane's work.</param>
    /// <param name="logger">Logs failures of commands.</param>
    /// <param name="finish">Once cancelled, no further portion begins. Portions under way are finished: their files prove complete at the
    /// end only.</param>
    public TarDownload(
        HostShell shell, string remote, string proof, UnpackTarget target, BatchItems items, JobTally tally, ItemJournal? journal,
        LaneBoard board, ILogger logger, CancellationToken finish)
    {
        _shell = shell;
        _remote = remote;
        _proof = proof;
        _target = target;
        _items = items;
        _tally = tally;
        _journal = journal;
        _board = board;
        _finish = finish;
        _logger = logger;
    }


    /// <summary>Fetches the files of a line, and returns when each has arrived, is left to the rest or is left out.</summary>
    /// <exception cref="OperationCanceledException">Files were left out because the job was stopped.</exception>
    public async Task RunAsync(PortionLine line, int lanes, CancellationToken ct)
    {
        IReadOnlyList<ListedFile> left;
        try
        {
            await SideBySide.RunAsync(lanes, stop => RunLaneAsync(line, stop), ct).ConfigureAwait(false);
        }
        finally
        {
            left = line.Close();
        }
        AddToRest(left.Select(file => file.Path));
        if (left.Count > 0) _finish.ThrowIfCancellationRequested();
    }

    /// <summary>Whether a path can be given to tar, and comes back unchanged.</summary>
    public static bool IsPlain(string path)
    {
        for (var i = 0; i < path.Length; i++)
        {
            if (!char.IsSurrogate(path[i])) continue;
            if (!char.IsSurrogatePair(path, i)) return false;
            i++;
        }
        return true;
    }

    private void AddToRest(IEnumerable<string> paths)
    {
        foreach (var path in paths) _items.AddToRest(path);
    }

    private async Task RunLaneAsync(PortionLine line, CancellationToken ct)
    {
        using var work = _board.Add();
        // After a lost command the host gets no further ones.
        while (Volatile.Read(ref _lost) is null && await NextAsync(line, ct).ConfigureAwait(false) is { } portion)
        {
            IReadOnlyList<ItemResult> items;
            work.Begin(Interlocked.Increment(ref _begun));
            try
            {
                items = await FetchAsync(portion, work, ct).ConfigureAwait(false);
            }
            catch (Exception e) when (!ct.IsCancellationRequested)
            {
                // After any failure, each file of the portion can still go on its own.
                Log.CommandFailed(_logger, e.Message);
                AddToRest(portion.Select(file => file.Path));
                if (e is TransferConnectionException lost)
                {
                    Volatile.Write(ref _lost, lost);
                    AddToRest(line.Close().Select(file => file.Path));
                }
                continue;
            }
            finally
            {
                work.End();
            }
            foreach (var item in items) Report(item);
        }
    }

    private async ValueTask<ListedFile[]?> NextAsync(PortionLine line, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct, _finish);
        try
        {
            stop.Token.ThrowIfCancellationRequested();
            return await line.NextAsync(stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_finish.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            return null;
        }
    }

    private async ValueTask<IReadOnlyList<ItemResult>> FetchAsync(ListedFile[] portion, LaneWork work, CancellationToken ct)
    {
        var unpacking = new ArchiveUnpacking(_target, isAgain: false, ct);
        var listed = new ListedFiles(unpacking, portion);
        ArchivePublishing publishing;
        ArchiveReceipt receipt;
        try
        {
            await ReadAsync(portion, new TarReader(listed), work, ct).ConfigureAwait(false);
            if (unpacking.Full is { } full) throw full;
            publishing = new ArchivePublishing(_target);
            foreach (var incoming in unpacking.Entries) _journal?.Taken(incoming.Entry.Path, StampOf(incoming.Entry));
            receipt = await publishing.RunAsync(unpacking.Entries).ConfigureAwait(false);
        }
        catch
        {
            unpacking.Abandon();
            throw;
        }
        AddToRest(listed.Missing);
        // Not every failure is an item: of some, other carriers' senders hear alone.
        AddToRest(receipt.Failures.Select(failure => failure.Path));
        if (_journal is not null) Note(_journal, publishing.Items, unpacking.Entries);
        return publishing.Items;
    }

    private static void Note(ItemJournal journal, IReadOnlyList<ItemResult> items, IReadOnlyList<Incoming> entries)
    {
        var arrived = items.Where(item => item is { Action: ItemAction.Transfer, Error: null }).Select(item => item.Path).ToHashSet();
        journal.Done(
            entries.Select(incoming => incoming.Entry).Where(entry => arrived.Contains(entry.Path)).Select(
                entry => (entry.Path, StampOf(entry))));
    }

    // The time as SFTP lists it, to the second.
    private static SourceStamp StampOf(TarEntry entry) => new(entry.ContentLength, entry.Modified.Ticks);

    private async ValueTask ReadAsync(ListedFile[] portion, TarReader tar, LaneWork work, CancellationToken ct)
    {
        var command = await _shell.StartAsync(HostScript.Create, _remote, ct, proof: _proof).ConfigureAwait(false);
        await using var end = command.ConfigureAwait(false);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        // While reading: tar takes further names only when its output is read.
        var asking = AskAsync(command, portion, stop.Token);
        var buffer = ArrayPool<byte>.Shared.Rent(ReadSize);
        try
        {
            var left = LengthSum.Of([.. portion.Select(file => LengthSum.Add(file.Length, MostOfEntry)), MostOfEnd]);
            int read;
            while ((read = await command.ReadAsync(buffer.AsMemory(0, ReadSize), ct).ConfigureAwait(false)) > 0)
            {
                if ((left -= read) < 0) throw new TransferException(TransferError.Protocol, "The server sends more than was requested.");
                tar.Read(buffer.AsSpan(0, read));
                work.Moved(read);
            }
            await command.CheckStatusAsync(ct).ConfigureAwait(false);
            tar.Complete();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
            await stop.CancelAsync().ConfigureAwait(false);
            // A failure here means that the command has ended, and the command's status explains why.
            await asking.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task AskAsync(HostCommand command, ListedFile[] portion, CancellationToken ct)
    {
        var names = new ArrayBufferWriter<byte>();
        foreach (var file in portion)
        {
            names.Write("./"u8);
            names.Write(_shell.Names.GetBytes(file.Path));
            names.Write("\0"u8);
        }
        await command.WriteAsync(names.WrittenMemory, ct).ConfigureAwait(false);
        await command.EndWritesAsync(ct).ConfigureAwait(false);
    }

    private void Report(ItemResult item)
    {
        if (item.Error is null)
        {
            _tally.Done(item.Action, item.Result ?? new TransferResult());
            if (item.Action == ItemAction.Transfer) _target.Options.Progress?.FileDone();
        }
        _items.Report(item);
    }
}
