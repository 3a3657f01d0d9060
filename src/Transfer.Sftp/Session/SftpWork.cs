using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>One work item in a session: the common part of uploads and downloads.</summary>
internal abstract class SftpWork
{
    private readonly Action _onAllRequested;
    private bool _isRequesting = true;

    /// <param name="context">The session.</param>
    /// <param name="item">The item.</param>
    /// <param name="allAsked">Called once, when all of the item's content is under way and another can use the link.</param>
    protected SftpWork(SftpSessionContext context, WorkItem item, Action allAsked)
    {
        Context = context;
        Item = item;
        Path = context.Expand(item.Path);
        _onAllRequested = allAsked;
    }

    public WorkItem Item { get; }

    protected SftpSessionContext Context { get; }

    protected SftpOperations Operations => Context.Operations;

    /// <summary>The file's path in the server's form.</summary>
    protected string Path { get; }

    /// <summary>Moves and completes the item. Never throws: every end is an outcome.</summary>
    public async Task RunAsync(CancellationToken abort)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(abort, Item.Canceled);
        WorkOutcome outcome;
        try
        {
            outcome = await MoveAsync(stop.Token).ConfigureAwait(false);
        }
        catch (TransferConnectionException lost) when (Context.Engine.Fault is not null)
        {
            outcome = WhenLost(lost);
        }
        catch (Exception e)
        {
            // No other exception is expected, and none may lose the item: the files open at the server are unknown now.
            var lost = new TransferConnectionException(TransferError.Protocol, $"{Item.Path}: {e.Message}", e);
            Context.Engine.Fail(lost);
            outcome = WhenLost(lost);
        }
        OnAllRequested();
        Item.Complete(outcome);
    }

    protected abstract Task<WorkOutcome> MoveAsync(CancellationToken stop);

    /// <summary>Returns the outcome of a session lost at this moment.</summary>
    protected abstract WorkOutcome WhenLost(TransferConnectionException lost);

    protected void OnAllRequested()
    {
        if (!_isRequesting) return;
        _isRequesting = false;
        _onAllRequested();
    }

    /// <summary>Opens the file by <see cref="HandleOpener"/>; the caller has a place among the open ones.</summary>
    protected ValueTask<SftpReply> OpenAsync(string path, SftpOpenFlags flags, SftpAttributes attributes) =>
        Context.Opener.OpenAsync((path, flags, attributes),
            static (operations, file) => operations.OpenAsync(file.path, file.flags, file.attributes, CancellationToken.None));

    /// <summary>The error of an item that began before later requests were seen to overtake earlier ones, for one more try.</summary>
    protected static TransferException WithOrderLost(TransferException error) => new(error.Error, error.Message, error)
    {
        RemotePath = error.RemotePath,
        ServerCode = error.ServerCode,
        IsTransient = true,
    };

    protected TransferException Canceled() =>
        new(TransferError.Lost, $"{Item.Path}: the transfer was cancelled.") { RemotePath = Item.Path, IsTransient = false };

    /// <summary>Returns the item's error for an exception of the local end, which is no fault of the session, whatever its type.</summary>
    protected TransferException LocalError(Exception error, CancellationToken stop) => error switch
    {
        OperationCanceledException when stop.IsCancellationRequested => Canceled(),
        TransferConnectionException other =>
            new TransferException(other.Error, other.Message, other) { RemotePath = other.RemotePath ?? Item.Path },
        TransferException known => known,
        _ => new TransferException(TransferError.Lost, $"{Item.Path}: the local end of the transfer failed: {error.Message}", error)
        {
            RemotePath = Item.Path,
            IsTransient = false,
        },
    };
}
