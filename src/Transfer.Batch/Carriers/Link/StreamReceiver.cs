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
    /// <param name="ct">Stops the job.</param>
    /// <exception cref="TransferException">There was no job, or its sender was lost.</exception>
    public static async Task<JobResult> ReceiveAsync(Stream stream, Func<byte[], IJobSink> open, TimeSpan idle, TimeProvider time,
        ILogger logger, CancellationToken ct)
    {
        var jobs = new ReceivingJobs(open, keep: false, returnTime: TimeSpan.Zero, time, logger);
        await using var all = jobs.ConfigureAwait(false);
        var link = new LinkConnection(stream, idle, time);
        await using var connection = link.ConfigureAwait(false);
        var nonce = RandomNumberGenerator.GetBytes(HelloMessage.NonceLength);
        await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, HelloMessage.Milliseconds(idle), nonce, []),
            ct).ConfigureAwait(false);
        var hello = await HelloAsync(link, ct).ConfigureAwait(false);
        link.KeepAwake(TimeSpan.FromMilliseconds(hello.IdleTimeout));
        link.Reader.MaxPayload = LinkFrame.MaxPayload;
        await ReceivingLane.RunAsync(link, jobs, logger, ct).ConfigureAwait(false);
        ct.ThrowIfCancellationRequested();
        if (!jobs.HasBegun)
            throw link.Fault ?? new TransferConnectionException(TransferError.Lost, "The sender ended before it began a job.");
        var job = await jobs.EndedJobs.ReadAsync(ct).ConfigureAwait(false);
        return await job.Completion.ConfigureAwait(false);
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
