using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Finds data connections that a server does not use: some answer the listing of an empty directory with the end alone, without a beginning
/// and without a byte, and leave the connection open.
/// </summary>
internal static class FtpUnusedConnection
{
    private const int RoundTrips = 10;

    // The data of a server that announces no beginning may arrive behind the reply, over the other connection.
    private static readonly TimeSpan Least = TimeSpan.FromSeconds(2);

    /// <summary>Waits until data would have arrived. True: the connection is not used.</summary>
    /// <param name="context">The session.</param>
    /// <param name="command">The command; its positive final reply is here.</param>
    /// <param name="hasBytes">Whether a byte has arrived.</param>
    public static async ValueTask<bool> WaitAsync(FtpSessionContext context, PendingReply command, Func<bool> hasBytes)
    {
        if (command.HasBegun || hasBytes() || command.Command.Verb is not ("LIST" or "NLST" or "MLSD")) return false;
        await Task.Delay(FtpSilence.Of(context.Control.RoundTrip, RoundTrips, Least), context.Options.TimeProvider).ConfigureAwait(false);
        return !hasBytes();
    }
}
