using Transfer.Journal;
using Transfer.Local;

namespace Transfer.Engine.Files;

/// <summary>Compares two files of one length by their last 64 KiB: a file that a killed run began counts as complete only then.</summary>
internal static class FileEnds
{
    /// <summary>Returns whether both ends can be read and are the same.</summary>
    /// <param name="one">Opens one file at an offset.</param>
    /// <param name="other">Opens the other.</param>
    /// <param name="length">The length of both.</param>
    /// <param name="ct">Cancels.</param>
    public static async ValueTask<bool> AreAlikeAsync(
        Func<long, CancellationToken, ValueTask<Stream>> one, Func<long, CancellationToken, ValueTask<Stream>> other, long length,
        CancellationToken ct)
    {
        if (length == 0) return true;
        try
        {
            var end = await ReadAsync(one, length, ct).ConfigureAwait(false);
            var otherEnd = await ReadAsync(other, length, ct).ConfigureAwait(false);
            return end.AsSpan().SequenceEqual(otherEnd);
        }
        catch (Exception e) when (e is TransferException or EndOfStreamException || LocalErrors.IsLocal(e))
        {
            return false;
        }
    }

    /// <summary>Opens a local file at an offset.</summary>
    public static ValueTask<Stream> OpenLocal(string path, long offset)
    {
        var file = DiskFiles.OpenStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        file.Position = offset;
        return new(file);
    }

    private static async ValueTask<byte[]> ReadAsync(Func<long, CancellationToken, ValueTask<Stream>> open, long length,
        CancellationToken ct)
    {
        var end = new byte[RangeTail.LengthOf(0, length)];
        var content = await open(length - end.Length, ct).ConfigureAwait(false);
        await using var contentEnd = content.ConfigureAwait(false);
        await content.ReadExactlyAsync(end, ct).ConfigureAwait(false);
        return end;
    }
}
