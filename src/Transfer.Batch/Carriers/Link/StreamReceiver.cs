using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>
/// Receives over one stream that is safe already: standard input and output of a command that was started over SSH. It says hello first, so that the sender knows that it
/// is there before it sends anything; nobody proves anything.
/// </summary>
internal static class StreamReceiver
{
    /// <summary>Receives one job.</summary>
    /// <param name="stream">The way there and back; it is closed at the end.</param>
    /// <param name="open">Makes the receiving end of the job.</param>
    /// <param name="idle">How long the sender may say nothing.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Is told of the job.</param>
    /// <param name="ct">Gives it up.</param>
    /// <exception cref="TransferException">There was no job, or its sender was lost.</exception>
    public static async Task<JobResult> ReceiveAsync(Stream stream, Func<byte[], IJobSink> open, TimeSpan idle, TimeProvider time, ILogger logger, CancellationToken ct)
    {
        var jobs = new ReceivingJobs(open, keep: false, returnTime: TimeSpan.Zero, time, logger);
        await using var all = jobs.ConfigureAwait(false);
        var link = new LinkConnection(stream, idle, time);
        await using var connection = link.ConfigureAwait(false);
        var nonce = RandomNumberGenerator.GetBytes(HelloMessage.NonceLength);
        await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, HelloMessage.Milliseconds(idle), nonce, []), ct).ConfigureAwait(false);
        var hello = await HelloAsync(link, ct).ConfigureAwait(false);
        link.KeepAwake(TimeSpan.FromMilliseconds(hello.IdleTimeout));
        link.Reader.MaxPayload = LinkFrame.MaxPayload;
        await ReceivingLane.RunAsync(link, jobs, logger, ct).ConfigureAwait(false);
        ct.ThrowIfCancellationRequested();
        if (!jobs.HasBegun) throw link.Fault ?? new TransferConnectionException(TransferError.Lost, "The sender ended before it began a job.");
        var job = await jobs.Over.ReadAsync(ct).ConfigureAwait(false);
        return await job.Over.ConfigureAwait(false);
    }

    private static async Task<HelloMessage> HelloAsync(LinkConnection link, CancellationToken ct)
    {
        try
        {
            return (await link.Reader.NextAsync(ct).ConfigureAwait(false)).As<HelloMessage>();
        }
        catch (TransferException)
        {
            // What it said itself still leaves, so that whoever is there sees whom he has reached.
            await link.CloseAsync().ConfigureAwait(false);
            throw;
        }
    }
}
