using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// Sends the archives of a folder to the SDK's own command at the host. A command has one channel; a channel carries as much as the
/// server's window allows in a round trip, so on a long link several commands share the archives, each with a job of the same name.
/// </summary>
internal static class ReceiverUpload
{
    /// <summary>
    /// Returns when every archive is confirmed or has failed. A lost command may have published an archive's files already: the archive
    /// carries that flag when sent again, and the files are recognized.
    /// </summary>
    /// <param name="receivers">The commands.</param>
    /// <param name="archives">The archives.</param>
    /// <param name="job">The job of the archives.</param>
    /// <param name="options">How each of the commands carries.</param>
    /// <param name="ct">Stops the job.</param>
    /// <exception cref="TransferException">The folder cannot be read.</exception>
    public static async Task RunAsync(HostDialer[] receivers, FolderArchives archives, JobId job, LinkCarrierOptions options,
        CancellationToken ct)
    {
        var id = job.ToArray();
        options = options with { Lanes = 1 };
        TransferException? lost = null;
        var begun = 0;
        await SideBySide.RunAsync(receivers.Length, async token =>
        {
            try
            {
                await LinkCarrier.CarryAsync(archives, id, receivers[Interlocked.Increment(ref begun) - 1], options,
                    token).ConfigureAwait(false);
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
