using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>
/// The files of a copy within one server that the server copies itself: their bytes never come here. As soon as one can't be copied so, it
/// and all later ones go the long way.
/// </summary>
internal sealed class ServerCopies : IDisposable
{
    private readonly EngineJob _job;
    private readonly bool _rename;
    private readonly string? _temporaryFolder;
    private readonly SemaphoreSlim _places;
    private readonly List<Task> _running = [];
    private volatile bool _impossible;

    /// <param name="job">Whose files they are.</param>
    /// <param name="publish">How the copies get their names.</param>
    /// <param name="temporaryFolder">Where they are until then; null: beside their targets.</param>
    /// <param name="parallel">Most files at once; each holds a session.</param>
    public ServerCopies(EngineJob job, PublishMode publish, string? temporaryFolder, int parallel)
    {
        _job = job;
        _rename = publish == PublishMode.Rename;
        _temporaryFolder = temporaryFolder;
        _places = new SemaphoreSlim(parallel);
    }

    /// <summary>Begins to copy a file, when there is room; <paramref name="otherwise"/> sends it the long way.</summary>
    public async ValueTask SendAsync(FileCopy copy, JobFile file, Func<ValueTask> otherwise)
    {
        if (_impossible)
        {
            await otherwise().ConfigureAwait(false);
            return;
        }
        await _places.WaitAsync(_job.Ending).ConfigureAwait(false);
        lock (_running)
        {
            _running.RemoveAll(task => task.IsCompletedSuccessfully);
            _running.Add(RunAsync(copy, file, otherwise));
        }
    }

    /// <summary>Waits until all have ended, one way or the other.</summary>
    public async Task FinishAsync()
    {
        Task[] running;
        lock (_running) running = [.. _running];
        await Task.WhenAll(running).ConfigureAwait(false);
    }

    /// <summary>Copies one file. False: it can't be done so, and nothing was.</summary>
    /// <exception cref="TransferException">It was not copied, and no part of it is left.</exception>
    public async ValueTask<bool> TryCopyAsync(FileCopy copy, JobFile file)
    {
        var length = file.Content.Length;
        await _job.Dispatcher.Flow.WhenResumedAsync(_job.Abort).ConfigureAwait(false);
        long moved = 0;
        string? temporary = null;
        var arrived = false;
        _job.Expect(length);
        file.Journaled?.Taken();
        try
        {
            var copied = await _job.Dispatcher.ControlAsync(async (session, ct) =>
            {
                // The second try: what a lost session has left goes, and counts no more.
                if (temporary is not null) await session.DeleteFilesAsync([temporary], ct).ConfigureAwait(false);
                _job.Moved(-moved);
                moved = 0;
                temporary = _rename ? RemotePath.Combine(_temporaryFolder ?? RemotePath.GetParent(copy.Target) ?? "/", _job.NextTemporaryName()) : null;
                if (temporary is not null) file.Journaled?.Began(temporary);
                return await session.CopyFileAsync(copy with { TemporaryPath = temporary, Moved = Moved }, ct).ConfigureAwait(false);
            }, retry: true, _job.Abort).ConfigureAwait(false);
            if (copied is not { Bytes: var bytes }) return false;
            arrived = true;
            _job.Moved(bytes - moved);
            file.Journaled?.Done();
            _job.Done(file.Spec.Item, new TransferResult { Bytes = bytes, Attempts = 1, Verified = copied.Verified });
            return true;
        }
        catch (TransferException e) when (e.Error == TransferError.Denied && _temporaryFolder is not null && e is not TransferConnectionException)
        {
            // Most likely: nobody tells whether it was the rename.
            throw TemporaryFolderError.Explain(e, _temporaryFolder);
        }
        catch (TransferConnectionException) when (temporary is not null)
        {
            // The session cleans up behind itself unless it is lost.
            await DeleteAsync(temporary).ConfigureAwait(false);
            throw;
        }
        finally
        {
            if (!arrived)
            {
                _job.Moved(-moved);
                _job.Unexpect(length);
            }
        }

        void Moved(long bytes)
        {
            moved += bytes;
            _job.Moved(bytes);
        }
    }

    public void Dispose() => _places.Dispose();

    private async Task RunAsync(FileCopy copy, JobFile file, Func<ValueTask> otherwise)
    {
        try
        {
            if (await TryCopyAsync(copy, file).ConfigureAwait(false)) return;
            _impossible = true;
            await otherwise().ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            _job.Lose(file.Spec.Item, e);
        }
        finally
        {
            _places.Release();
        }
    }

    private async ValueTask DeleteAsync(string temporary)
    {
        try
        {
            await _job.Dispatcher.DeleteFilesAsync([temporary], _job.Abort).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            Log.Leftover(_job.Logger, temporary, e.Message);
        }
    }
}
