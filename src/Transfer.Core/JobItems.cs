using System.Runtime.CompilerServices;
using Transfer.Engine;

namespace Transfer;

/// <summary>
/// A job of a folder as the items that end in it, for <c>await foreach</c>: any of a client's folder jobs, which begins with the loop. A loop that is left
/// early cancels the job, and waits until nothing half is left of it.
/// </summary>
/// <example>
/// <code>
/// var items = new JobItems((items, ct) => client.UploadDirectoryAsync("photos", "/photos", new DirectoryOptions { Items = items }, cancellationToken: ct));
/// await foreach (var item in items) Console.WriteLine($"{item.Path}: {item.Error?.Message ?? "done"}");
/// Console.WriteLine($"{items.Result.Failed} failed");
/// </code>
/// </example>
/// <remarks>
/// Nothing is left out, and memory is bounded: while <see cref="MostUnread"/> items or more are waiting for the loop, the job plans no further, so that what it has planned
/// (a few thousand files, and the folders it is reading) is all that is added. Sessions are not held meanwhile. Whoever needs no loop gives
/// <see cref="DirectoryJobOptions.Items"/> a handler of its own: that one is called at once, and never holds the job back.
/// </remarks>
public sealed class JobItems : IAsyncEnumerable<ItemResult>
{
    /// <summary>The number of unread items from which on a job plans no further.</summary>
    public const int MostUnread = 4096;

    private readonly Func<IProgress<ItemResult>, CancellationToken, Task<JobResult>> _start;
    private JobResult? _result;
    private int _begun;

    /// <summary>Describes a job; nothing begins yet.</summary>
    /// <param name="start">
    /// Begins it: with what it is given as its <see cref="DirectoryJobOptions.Items"/>, as it is and for that one job, and with the token, which cancels it.
    /// </param>
    public JobItems(Func<IProgress<ItemResult>, CancellationToken, Task<JobResult>> start)
    {
        ArgumentNullException.ThrowIfNull(start);
        _start = start;
    }

    /// <summary>The job's counts, once the loop has come to its end.</summary>
    /// <exception cref="InvalidOperationException">It has not: the job has not ended, failed, or was cancelled.</exception>
    public JobResult Result => Volatile.Read(ref _result) ?? throw new InvalidOperationException("The job has not come to its end.");

    /// <summary>Begins the job. Its items come in the order in which they end; then what the job throws, if it fails as a whole.</summary>
    /// <param name="cancellationToken">Cancels the job. The items that have ended by then still come, and then the <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="InvalidOperationException">It has begun already; a job runs once.</exception>
    public IAsyncEnumerator<ItemResult> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        if (Interlocked.Exchange(ref _begun, 1) != 0) throw new InvalidOperationException("The job has begun already, and runs once.");
        return RunAsync(cancellationToken).GetAsyncEnumerator(CancellationToken.None);
    }

    private async IAsyncEnumerable<ItemResult> RunAsync(CancellationToken caller, [EnumeratorCancellation] CancellationToken ct = default)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(caller, ct);
        var line = new ItemLine(MostUnread);
        var job = RunJobAsync(line, stop.Token);
        try
        {
            while (await line.ReadAsync().ConfigureAwait(false) is { } item) yield return item;
            Volatile.Write(ref _result, await EndAsync(job, caller).ConfigureAwait(false));
        }
        finally
        {
            if (!job.IsCompleted) await stop.CancelAsync().ConfigureAwait(false);
            await ((Task)job).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task<JobResult> RunJobAsync(ItemLine line, CancellationToken ct)
    {
        try
        {
            var result = await _start(line, ct).ConfigureAwait(false);
            return line.IsTaken ? result : throw new InvalidOperationException("The job was not given the items as its DirectoryJobOptions.Items.");
        }
        finally
        {
            line.Complete();
        }
    }

    private static async Task<JobResult> EndAsync(Task<JobResult> job, CancellationToken caller)
    {
        try
        {
            return await job.ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (caller.IsCancellationRequested && e.CancellationToken != caller)
        {
            throw new OperationCanceledException(e.Message, e, caller);
        }
    }
}
