using Microsoft.Extensions.Logging;
using Renci.SshNet;
using Transfer.SshNet.Diagnostics;

namespace Transfer.SshNet.Session;

/// <summary>
/// The calls on one <see cref="SftpClient"/>: each ends by itself, by cancellation, or when nothing moves any more, and throws mapped
/// errors. A call given up in the middle leaves the client disposed of. Several calls may be under way at once.
/// </summary>
internal sealed class SshNetCalls : IAsyncDisposable
{
    // SSH.NET waits a second for the other side to close the channel.
    private static readonly TimeSpan ClosingTime = TimeSpan.FromSeconds(5);

    private readonly SftpClient _client;
    private readonly TimeSpan _idle;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _end = new();
    private TransferConnectionException? _broken;
    private Task? _closing;

    /// <param name="client">The client, connected; owned from now on.</param>
    /// <param name="options">The options of the session's client.</param>
    /// <param name="logger">Where messages go.</param>
    public SshNetCalls(SftpClient client, TransferClientOptions options, ILogger logger)
    {
        (_client, _idle, _time, _logger) = (client, options.IdleTimeout, options.TimeProvider, logger);
    }

    /// <summary>Whether the client is connected, and no call was given up.</summary>
    public bool Usable
    {
        get
        {
            try
            {
                return Volatile.Read(ref _broken) is null && _client.IsConnected;
            }
            catch (ObjectDisposedException)
            {
                return false;
            }
        }
    }

    /// <summary>Ends every call, for that reason, and closes the client.</summary>
    public void Break(TransferConnectionException reason)
    {
        Interlocked.CompareExchange(ref _broken, reason, null);
        // Closing waits for the server, which may hang: calls under way end first.
        _end.Cancel();
        _ = CloseAsync();
    }

    /// <summary>Makes a call.</summary>
    /// <param name="request">The request's description for messages: <c>Cannot read</c>.</param>
    /// <param name="path">The path concerned, or null.</param>
    /// <param name="call">Makes the call.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The call was refused, or failed.</exception>
    /// <exception cref="ContentFault">The local end failed.</exception>
    public async Task<T> RunAsync<T>(string request, string? path, Func<SftpClient, IdleWatch, Task<T>> call, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (Volatile.Read(ref _broken) is { } reason) throw new TransferConnectionException(reason.Error, reason.Message, reason);
        using var watch = new IdleWatch(_idle, _time, _end.Token, ct);
        Task<T>? called = null;
        try
        {
            called = call(_client, watch);
            return await called.WaitAsync(watch.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (watch.Token.IsCancellationRequested)
        {
            // SSH.NET gives up such a call, with the handles open at the server.
            Forget(called);
            var end = Volatile.Read(ref _broken) ?? EndOf(request, path, watch);
            Break(end);
            ct.ThrowIfCancellationRequested();
            throw new TransferConnectionException(end.Error, end.Message, end);
        }
        catch (Exception e) when (e is not ContentFault)
        {
            var error = Volatile.Read(ref _broken) is { } why
                ? new TransferConnectionException(why.Error, why.Message, e)
                : SshNetErrors.Map(e, request, path);
            if (error is TransferConnectionException lost) Break(lost);
            throw error;
        }
    }

    /// <summary>
    /// Makes a call that SSH.NET has only without a task: on a separate thread, since threads of the pool must not block.
    /// </summary>
    /// <inheritdoc cref="RunAsync{T}"/>
    public Task<T> RunBlockingAsync<T>(string request, string? path, Func<SftpClient, T> call, CancellationToken ct) =>
        RunAsync(request, path, (client, _) => OnThreadAsync(() => call(client)), ct);

    /// <summary>Runs a function on a separate thread.</summary>
    public static Task<T> OnThreadAsync<T>(Func<T> run) =>
        Task.Factory.StartNew(run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>Ignores the end of a call that is no longer awaited.</summary>
    public static void Forget(Task? called) => called?.ContinueWith(
        static ended => ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);

    public async ValueTask DisposeAsync()
    {
        Interlocked.CompareExchange(ref _broken, new TransferConnectionException("The session is closed."), null);
        await _end.CancelAsync().ConfigureAwait(false);
        var closing = CloseAsync();
        await Task.WhenAny(closing, Task.Delay(ClosingTime, _time)).ConfigureAwait(false);
    }

    private TransferConnectionException EndOf(string request, string? path, IdleWatch watch) => watch.HasExpired
        ? new(TransferError.Timeout,
            $"{request}{(path is null ? string.Empty : " " + path)}: nothing moved for {_idle.TotalSeconds:0.###} s.")
        : new($"{request}: it was cancelled.");

    // Blocks where the network does.
    private Task CloseAsync()
    {
        var closing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        if (Interlocked.CompareExchange(ref _closing, closing.Task, null) is { } begun) return begun;
        _ = OnThreadAsync(() =>
        {
            try
            {
                _client.Dispose();
            }
            catch (Exception e)
            {
                // The connection is being closed: errors there do not matter.
                Log.NotClosed(_logger, e);
            }
            closing.SetResult();
            return true;
        });
        return closing.Task;
    }
}
