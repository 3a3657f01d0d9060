using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>
/// Receives over one stream that is safe already: standard input and output of a command that was started over SSH. This side sends the
/// first hello, so that the sender knows of the receiver before sending anything; there are no proofs.
/// </summary>
internal static class StreamReceiver
{
    /// <summary>Receives one job.</summary>
    /// <param name="stream">The stream both ways, closed at the end.</param>
    /// <param name="open">Creates the receiving end of the job.</param>
    /// <param name="idle">How long the sender may stay silent.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Logs the job.</param>
    /// <param name="handle">The job's handle.</param>
    /// <exception cref="TransferException">There was no job, or its sender was lost.</exception>
    public static async Task<JobResult> ReceiveAsync(Stream stream, Func<byte[], IJobSink> open, TimeSpan idle, TimeProvider time,
        ILogger logger, TransferJobContext handle)
    {
        var jobs = new ReceivingJobs(open, keep: false, returnTime: TimeSpan.Zero, time, logger);
        await using var all = jobs.ConfigureAwait(false);
        var link = new LinkConnection(stream, idle, time);
        await using var connection = link.ConfigureAwait(false);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(handle.CancellationToken);
        var receiving = jobs.RunNextAsync(handle, run => run());
        // Without a job there is nothing to finish.
        using var stopping = handle.Stopping.UnsafeRegister(_ =>
        {
            if (!jobs.HasBegun) end.Cancel();
        }, null);
        try
        {
            await ServeAsync(link, jobs, idle, logger, end.Token).ConfigureAwait(false);
            if (!jobs.HasBegun && !end.IsCancellationRequested)
                throw link.Fault ?? new TransferConnectionException(TransferError.Lost, "The sender ended before it began a job.");
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            // The handle was cancelled or stopped, and reports that.
        }
        finally
        {
            if (!jobs.HasBegun) await jobs.DisposeAsync().ConfigureAwait(false);
            await ((Task)receiving).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        return await receiving.ConfigureAwait(false);
    }

    private static async Task ServeAsync(LinkConnection link, ReceivingJobs jobs, TimeSpan idle, ILogger logger, CancellationToken ct)
    {
        var nonce = RandomNumberGenerator.GetBytes(HelloMessage.NonceLength);
        await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, HelloMessage.Milliseconds(idle), nonce, []),
            ct).ConfigureAwait(false);
        var hello = await HelloAsync(link, ct).ConfigureAwait(false);
        link.KeepAwake(TimeSpan.FromMilliseconds(hello.IdleTimeout));
        link.Reader.MaxPayload = LinkFrame.MaxPayload;
        await ReceivingLane.RunAsync(link, jobs, logger, ct).ConfigureAwait(false);
    }

    private static async Task<HelloMessage> HelloAsync(LinkConnection link, CancellationToken ct)
    {
        try
        {
            return (await link.Reader.NextAsync(ct).ConfigureAwait(false)).As<HelloMessage>();
        }
        catch (TransferException)
        {
            // The hello still leaves, so that a peer that is no sender sees what was reached.
            await link.CloseAsync().ConfigureAwait(false);
            throw;
        }
    }
}
