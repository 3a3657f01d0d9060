using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// Sends the archives of a folder to our own command at the host. A command has one channel; a channel carries what the server's window lets it in a round trip, so
/// on a long link several commands share the archives, each with a job of the same name.
/// </summary>
internal static class ReceiverUpload
{
    /// <summary>
    /// Ends when every archive is confirmed or has failed. What a lost command had taken may have its names already: who carries it again says so, and it is taken for what it is.
    /// </summary>
    /// <param name="receivers">The commands.</param>
    /// <param name="archives">The archives.</param>
    /// <param name="job">What they are of.</param>
    /// <param name="options">How each of them carries.</param>
    /// <param name="ct">Gives it up.</param>
    /// <exception cref="TransferException">The folder cannot be read.</exception>
    public static async Task RunAsync(HostDialer[] receivers, FolderArchives archives, JobId job, LinkCarrierOptions options, CancellationToken ct)
    {
        var id = job.ToArray();
        options = options with { Lanes = 1 };
        TransferException? lost = null;
        var begun = 0;
        await SideBySide.RunAsync(receivers.Length, async token =>
        {
            try
            {
                await LinkCarrier.CarryAsync(archives, id, receivers[Interlocked.Increment(ref begun) - 1], options, token).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                Log.CommandFailed(options.Logger, e.Message);
                lost = e;
            }
        }, ct).ConfigureAwait(false);
        options.Questions?.End();
        while (lost is not null && await archives.NextAsync(ct).ConfigureAwait(false) is { } archive) archive.Fail(lost);
    }
}
