using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>
/// An archive that is read to its end before anything of it is used, so that its proof is known to be right: one of the usual length in memory, a longer one in a file that goes with it.
/// </summary>
internal static class HeldArchive
{
    /// <summary>Most bytes of an archive, which is more than what is unpacked of one.</summary>
    public const long MostLength = 320L << 20;

    private const int MostMemory = 8 << 20;
    private const int Step = 128 << 10;

    /// <summary>Reads all of it.</summary>
    /// <param name="source">The archive; fails at its end if it is not the sender's own.</param>
    /// <param name="scratch">Where it may be put. Nobody else has this file.</param>
    /// <param name="most">Most bytes.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: it is too long; or it could not be put there, or what the source says.</exception>
    public static async ValueTask<Stream> ReadAsync(Stream source, string scratch, long most, CancellationToken ct)
    {
        Stream held = RentedMemory.Of(MostMemory);
        try
        {
            var buffer = new byte[Step];
            long length = 0;
            for (int count; (count = await source.ReadAsync(buffer, ct).ConfigureAwait(false)) > 0;)
            {
                length += count;
                if (length > most) throw new TransferException(TransferError.Protocol, $"The archive has more than {most} bytes.");
                if (length > MostMemory && held is RentedMemory memory) held = await SpillAsync(memory, scratch, ct).ConfigureAwait(false);
                await held.WriteAsync(buffer.AsMemory(0, count), ct).ConfigureAwait(false);
            }
            held.Position = 0;
            return held;
        }
        catch (Exception e)
        {
            await held.DisposeAsync().ConfigureAwait(false);
            if (LocalErrors.IsLocal(e)) throw LocalErrors.Map(e, "Cannot write", scratch);
            throw;
        }
    }

    private static async ValueTask<Stream> SpillAsync(RentedMemory memory, string scratch, CancellationToken ct)
    {
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.ReadWrite, Share = FileShare.None, Options = FileOptions.Asynchronous | FileOptions.DeleteOnClose };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        var file = new FileStream(scratch, options);
        try
        {
            memory.Position = 0;
            await memory.CopyToAsync(file, ct).ConfigureAwait(false);
            await memory.DisposeAsync().ConfigureAwait(false);
            return file;
        }
        catch
        {
            await file.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
