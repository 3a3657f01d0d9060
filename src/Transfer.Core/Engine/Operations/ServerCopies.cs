using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>
/// The files of a copy within one server that the server copies itself: their bytes never come through this process. As soon as one can't
/// be copied so, that file and all later ones are downloaded and uploaded.
/// </summary>
internal sealed class ServerCopies : IDisposable
{
    private readonly EngineJob _job;
    private readonly bool _rename;
    private readonly string? _temporaryFolder;
    private readonly SemaphoreSlim _places;
    private readonly List<Task> _running = [];
    private volatile bool _impossible;

    /// <param name="job">The job of the files.</param>
    /// <param name="publish">The way in which the copies get their names.</param>
    /// <param name="temporaryFolder">The folder of the temporary names; null: the targets' own.</param>
    /// <param name="parallel">The most files at once; each holds a session.</param>
    public ServerCopies(EngineJob job, PublishMode publish, string? temporaryFolder, int parallel)
    {
        _job = job;
        _rename = publish == PublishMode.Rename;
        _temporaryFolder = temporaryFolder;
        _places = new SemaphoreSlim(parallel);
    }

    /// <summary>Begins to copy a file when there is room; <paramref name="otherwise"/> downloads and uploads the file.</summary>
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

    /// <summary>Waits until all copies have ended, with or without success.</summary>
    public async Task FinishAsync()
    {
        Task[] running;
        lock (_running) running = [.. _running];
        await Task.WhenAll(running).ConfigureAwait(false);
    }

    /// <summary>Copies one file, or reports it as refused. False: the server can't, and no byte was copied.</summary>
    /// <exception cref="TransferException">The file was not copied, and no part is left.</exception>
    public async ValueTask<bool> TryCopyAsync(FileCopy copy, JobFile file)
    {
        if (await _job.RefusesAsync(file).ConfigureAwait(false)) return true;
        var length = file.Content.Length;
        await _job.Dispatcher.Flow.WhenResumedAsync(_job.Abort).ConfigureAwait(false);
        long moved = 0;
        string? temporary = null;
        var arrived = false;
        _job.PlanFile(length);
        file.Journaled?.Taken();
        try
        {
            var copied = await _job.Dispatcher.ControlAsync(async (session, ct) =>
            {
                // Before a second try the leftover of a lost session goes, and the bytes are no longer counted.
                if (temporary is not null) await session.DeleteFilesAsync([temporary], ct).ConfigureAwait(false);
                _job.OnBytesMoved(-moved);
                moved = 0;
                temporary = _rename
                    ? RemotePath.Combine(_temporaryFolder ?? RemotePath.GetParent(copy.Target) ?? "/", _job.NextTemporaryName()) : null;
                if (temporary is not null) file.Journaled?.Began(temporary);
                return await session.CopyFileAsync(copy with { TemporaryPath = temporary, Moved = Moved }, ct).ConfigureAwait(false);
            }, retry: true, _job.Abort).ConfigureAwait(false);
            if (copied is not { Bytes: var bytes }) return false;
            arrived = true;
            _job.OnBytesMoved(bytes - moved);
            file.Journaled?.Done();
            _job.Done(file.Spec.Item, new TransferResult { Bytes = bytes, Attempts = 1, Verified = copied.Verified });
            return true;
        }
        catch (TransferException e)
            when (e.Error == TransferError.Denied && _temporaryFolder is not null && e is not TransferConnectionException)
        {
            // The likely cause: no reply shows whether the rename was refused.
            throw TemporaryFolderError.Explain(e, _temporaryFolder);
        }
        catch (TransferConnectionException) when (temporary is not null)
        {
            // A session cleans up after itself, unless lost.
            await DeleteAsync(temporary).ConfigureAwait(false);
            throw;
        }
        finally
        {
            if (!arrived)
            {
                _job.OnBytesMoved(-moved);
                _job.UnplanFile(length);
            }
        }

        void Moved(long bytes)
        {
            moved += bytes;
            _job.OnBytesMoved(bytes);
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
            _job.ReportLost(file.Spec.Item, e);
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
            Log.Leftover(_job.Logger, temporary, LogReason.Of(e));
        }
    }
}
