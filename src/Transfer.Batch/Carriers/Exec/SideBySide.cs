using System.Runtime.ExceptionServices;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Runs the lanes of a carrier. An exception of one lane ends the other lanes, and is thrown when all have ended.</summary>
internal static class SideBySide
{
    public static async Task RunAsync(int lanes, Func<CancellationToken, Task> lane, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        Exception? fault = null;
        async Task RunOneAsync()
        {
            try
            {
                await lane(stop.Token).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                // Exceptions of the lanes that end because of the first one add nothing.
                if (Interlocked.CompareExchange(ref fault, e, null) is null) await stop.CancelAsync().ConfigureAwait(false);
            }
        }
        await Task.WhenAll(Enumerable.Range(0, lanes).Select(_ => Task.Run(RunOneAsync, CancellationToken.None))).ConfigureAwait(false);
        ct.ThrowIfCancellationRequested();
        if (fault is not null) ExceptionDispatchInfo.Throw(fault);
    }
}
