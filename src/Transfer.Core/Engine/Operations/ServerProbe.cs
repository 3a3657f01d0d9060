using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>Finds out whether a server answers, and what the server can do.</summary>
internal static class ServerProbe
{
    /// <summary>Asks for an entry: a refusal is an answer too.</summary>
    public static async ValueTask PingAsync(ClientEngine engine, string path, CancellationToken ct) =>
        await engine.ControlAsync("ping", (session, token) => IsRefusedAsync(session, path, token), retry: true, ct).ConfigureAwait(false);

    /// <summary>Tries the ways for one entry and for a listing, then describes the session.</summary>
    public static async ValueTask<ServerReport> RunAsync(ClientEngine engine, string path, CancellationToken ct)
    {
        var report = await engine.ControlAsync("probe", (session, token) => TryAsync(session, path, token), retry: true,
            ct).ConfigureAwait(false);
        return report with
        {
            RoundTrip = engine.Pool.RoundTrip,
            OpeningTime = engine.Pool.LeastOpeningTime,
            MostSessions = engine.Pool.Limit,
        };
    }

    private static async ValueTask<bool> IsRefusedAsync(TransferSession session, string path, CancellationToken ct)
    {
        try
        {
            await session.GetEntryAsync(path, ct).ConfigureAwait(false);
            return false;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return true;
        }
    }

    private static async ValueTask<ServerReport> TryAsync(TransferSession session, string path, CancellationToken ct)
    {
        try
        {
            // Only the ways count.
            if (await session.GetEntryAsync(path, ct).ConfigureAwait(false) is { Type: not RemoteEntryType.File })
                await session.ListAsync(path, new ListingReport(), ct).LastOrDefaultAsync(ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // The report says what can be done, refusal or not.
        }
        return session.Describe();
    }
}
