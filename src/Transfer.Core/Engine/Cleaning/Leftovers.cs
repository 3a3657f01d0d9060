using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Pooling;

namespace Transfer.Engine.Cleaning;

/// <summary>
/// Deletes temporary files of lost sessions, on other sessions of the client, in batches, without a wait of any job before the job's end.
/// </summary>
internal sealed class Leftovers
{
    /// <summary>The longest wait after a request to stop.</summary>
    internal static readonly TimeSpan ShortPatience = TimeSpan.FromSeconds(10);

    // A server that answers has deleted files after one log-in: the wait for one that does not answer is measured by its earlier log-ins.
    private const int LogInsToWait = 4;
    private static readonly TimeSpan LeastPatience = TimeSpan.FromSeconds(1);

    // The delay before a second try: the server may process a lost session's last command after reporting to another session that the
    // file does not exist.
    private static readonly TimeSpan SecondLook = TimeSpan.FromMilliseconds(500);

    private readonly Lock _gate = new();
    private readonly SessionPool _pool;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly TimeSpan _patience;
    private readonly CancellationToken _closing;
    private List<string> _paths = [];
    private List<string> _deleting = [];
    private Task _cleaning = Task.CompletedTask;
    private bool _active;

    /// <param name="pool">The pool of the client.</param>
    /// <param name="idleTimeout">The silence after which a session is lost: the deletions then pass to another session.</param>
    /// <param name="logger">The log, which names the files left.</param>
    /// <param name="time">The clock.</param>
    /// <param name="closing">Fires when the client is disposed.</param>
    public Leftovers(SessionPool pool, TimeSpan idleTimeout, ILogger logger, TimeProvider time, CancellationToken closing)
    {
        _pool = pool;
        _patience = idleTimeout + ShortPatience;
        _logger = logger;
        _time = time;
        _closing = closing;
    }

    /// <summary>Adds a file to delete soon.</summary>
    public void Add(string path)
    {
        lock (_gate)
        {
            _paths.Add(path);
            if (_active) return;
            _active = true;
            _cleaning = Task.Run(CleanAsync);
        }
    }

    /// <summary>Returns the partial files that are gone after their deletion; errors of the rest go only to the log.</summary>
    /// <param name="paths">The files.</param>
    /// <param name="outcomes">An error or null for each, in order.</param>
    /// <param name="logger">The log.</param>
    public static List<string> Gone(IReadOnlyList<string> paths, IReadOnlyList<TransferException?> outcomes, ILogger logger)
    {
        var gone = new List<string>(paths.Count);
        for (var i = 0; i < paths.Count; i++)
        {
            if (outcomes[i] is { Error: not TransferError.NotFound } error) Log.Leftover(logger, paths[i], error.Message);
            else gone.Add(paths[i]);
        }
        return gone;
    }

    /// <summary>Deletes partial files one by one, and folders of a job's own, whose paths end with a slash.</summary>
    /// <param name="paths">The files and folders.</param>
    /// <param name="delete">Deletes one path; the second argument is whether with all entries in it.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>An error or null for each, in order.</returns>
    public static async ValueTask<IReadOnlyList<TransferException?>> DeleteEachAsync(
        IReadOnlyList<string> paths, Func<string, bool, CancellationToken, ValueTask> delete, CancellationToken ct)
    {
        var outcomes = new List<TransferException?>(paths.Count);
        foreach (var path in paths)
        {
            try
            {
                await delete(path.TrimEnd('/'), path.EndsWith('/'), ct).ConfigureAwait(false);
                outcomes.Add(null);
            }
            catch (TransferException e)
            {
                outcomes.Add(e);
            }
        }
        return outcomes;
    }

    /// <summary>Waits until all added files are deleted, or could not be.</summary>
    /// <param name="stop">
    /// Fires when the wait is to end: from then on four times the quickest log-in, from a second to <see cref="ShortPatience"/>.
    /// </param>
    public async Task DrainAsync(CancellationToken stop)
    {
        Task cleaning;
        lock (_gate) cleaning = _cleaning;
        try
        {
            await cleaning.WaitAsync(stop).ConfigureAwait(false);
            return;
        }
        catch (OperationCanceledException)
        {
            // A while longer only.
        }
        try
        {
            await cleaning.WaitAsync(AfterStop, _time, CancellationToken.None).ConfigureAwait(false);
        }
        catch (TimeoutException e)
        {
            string[] left;
            lock (_gate) left = [.. _deleting, .. _paths];
            foreach (var path in left) Log.Leftover(_logger, path, LogReason.Of(e));
        }
    }

    private TimeSpan AfterStop
    {
        get
        {
            if (_pool.LeastOpeningTime is not { } opening) return ShortPatience;
            var patience = opening * LogInsToWait;
            return patience < LeastPatience ? LeastPatience : patience < ShortPatience ? patience : ShortPatience;
        }
    }

    private async Task CleanAsync()
    {
        while (true)
        {
            List<string> paths;
            lock (_gate)
            {
                (paths, _paths) = (_paths, []);
                _deleting = paths;
                _active = paths.Count > 0;
                if (!_active) return;
            }
            var missing = await DeleteAsync(paths).ConfigureAwait(false);
            if (missing.Count == 0) continue;
            await Task.Delay(SecondLook, _time).ConfigureAwait(false);
            await DeleteAsync(missing).ConfigureAwait(false);
        }
    }

    /// <returns>Those that are not there, or not yet.</returns>
    private async ValueTask<List<string>> DeleteAsync(List<string> paths)
    {
        var missing = new List<string>();
        using var patience = new CancellationTokenSource(_patience, _time);
        // The jobs that a disposed client ends wait for their files' deletion: without a while for it these would stay at the server.
        using var closing = _closing.UnsafeRegister(_ => patience.CancelAfter(ShortPatience), null);
        try
        {
            var outcomes = await _pool.UseAsync((session, ct) => session.DeleteFilesAsync(paths, ct), retry: true, patience.Token)
                .ConfigureAwait(false);
            for (var i = 0; i < paths.Count; i++)
            {
                if (outcomes[i] is { Error: TransferError.NotFound }) missing.Add(paths[i]);
                else if (outcomes[i] is { } error) Log.Leftover(_logger, paths[i], error.Message);
            }
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
        {
            foreach (var path in paths) Log.Leftover(_logger, path, LogReason.Of(e));
        }
        return missing;
    }
}
