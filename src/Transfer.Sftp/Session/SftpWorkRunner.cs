using Transfer.Sessions;

namespace Transfer.Sftp.Session;

/// <summary>
/// Keeps many files under way on one session, bounded by open handles and bytes. While a large file still has content to request, no other
/// file is taken, so that other sessions find work, too.
/// </summary>
internal sealed class SftpWorkRunner
{
    public const int MostFiles = 256;
    private const long LargeFile = 1 << 20;

    private readonly SftpSessionContext _context;
    private readonly SftpRenamer _renamer;
    private readonly ChangeSignal _changed = new();
    private int _running;
    private int _requesting;

    public SftpWorkRunner(SftpSessionContext context, SftpRenamer renamer)
    {
        _context = context;
        _renamer = renamer;
    }

    public async Task RunAsync(IWorkSource work, CancellationToken abort)
    {
        CleanUpWatch? cleanUp = null;
        _context.Engine.Buffers.AddUser();
        using var onAbort = abort.UnsafeRegister(_ => Volatile.Write(ref cleanUp, new CleanUpWatch(_context)), null);
        try
        {
            await TakeAllAsync(work, abort).ConfigureAwait(false);
        }
        finally
        {
            await WaitForAllAsync().ConfigureAwait(false);
            onAbort.Dispose();
            Volatile.Read(ref cleanUp)?.Dispose();
            _context.Engine.Buffers.RemoveUser();
        }
        abort.ThrowIfCancellationRequested();
    }

    private async Task TakeAllAsync(IWorkSource work, CancellationToken abort)
    {
        var taken = new WorkItem[MostFiles];
        while (_context.Engine.Fault is null && !abort.IsCancellationRequested)
        {
            var running = Volatile.Read(ref _running);
            if (running >= MostFiles || Volatile.Read(ref _requesting) > 0)
            {
                await _changed.WaitAsync().ConfigureAwait(false);
                continue;
            }
            var take = work.TakeAsync(taken.AsMemory(0, MostFiles - running), abort);
            // The source may wait for items that are still open here.
            if (!take.IsCompleted) await WaitForAllAsync().ConfigureAwait(false);
            var count = await take.ConfigureAwait(false);
            await LearnAsync(taken.AsMemory(0, count)).ConfigureAwait(false);
            for (var i = 0; i < count; i++) Start(taken[i], abort);
            Array.Clear(taken, 0, count);
            if (count > 0) continue;
            if (Volatile.Read(ref _running) == 0) return;
            // More work may arrive before or when one of these ends.
            await Task.WhenAny(_changed.WaitAsync(), work.WhenMoreAsync()).ConfigureAwait(false);
        }
    }

    // Items taken must be completed: each meets a loss of the session itself.
    private async ValueTask LearnAsync(ReadOnlyMemory<WorkItem> items)
    {
        var named = false;
        foreach (var item in items.Span) named |= UserFolders.IsNamed(item.Path);
        if (!named) return;
        try
        {
            await _context.Users.ResolveUsersAsync(items.ToArray().Select(item => item.Path), CancellationToken.None).ConfigureAwait(false);
        }
        catch (TransferConnectionException) when (_context.Engine.Fault is not null)
        {
            // The items end as untouched.
        }
    }

    private void Start(WorkItem item, CancellationToken abort)
    {
        if (item is { Kind: WorkKind.Upload, Offset: > 0 } && !_context.WritesAtOffset)
        {
            var message = $"{item.Path}: this server takes files from their start only, not from byte {item.Offset}.";
            item.Complete(new WorkOutcome.Failed(new TransferException(TransferError.Unsupported, message) { RemotePath = item.Path }));
            return;
        }
        Interlocked.Increment(ref _running);
        var large = item.Content.Length is not <= LargeFile;
        if (large) Interlocked.Increment(ref _requesting);
        void AllAsked()
        {
            if (!large) return;
            Interlocked.Decrement(ref _requesting);
            _changed.Set();
        }
        SftpWork file = item.Kind == WorkKind.Upload
            ? new SftpUpload(_context, item, AllAsked, _renamer)
            : new SftpDownload(_context, item, AllAsked);
        _ = RunAsync(file, abort);
    }

    private async Task RunAsync(SftpWork file, CancellationToken abort)
    {
        try
        {
            await file.RunAsync(abort).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _running);
            _changed.Set();
        }
    }

    private async ValueTask WaitForAllAsync()
    {
        while (Volatile.Read(ref _running) > 0) await _changed.WaitAsync().ConfigureAwait(false);
    }
}
