using Transfer.Sessions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;

namespace Transfer.Sftp.Ssh;

/// <summary>
/// Reads a host's keys: a key exchange for each type of key, since the host shows one key in each (RFC 4253 section 8). All connections
/// run at once, and end before a log-in.
/// </summary>
internal static class HostKeyReader
{
    /// <exception cref="TransferConnectionException">
    /// A connection failed; <see cref="TransferError.Unsupported"/>: the host has no key that is understood.
    /// </exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> fired.</exception>
    public static async Task<IReadOnlyList<SshHostKey>> ReadAsync(SshConnectionSettings settings, CancellationToken ct)
    {
        var reading = OneOfEach(settings.Algorithms).Select(algorithms => TryReadAsync(settings with { Algorithms = algorithms }, ct));
        var answers = await Task.WhenAll(reading).ConfigureAwait(false);
        SshHostKey[] keys = [.. answers.Select(answer => answer.Key).OfType<SshHostKey>()];
        if (keys.Length > 0) return keys;
        throw answers.FirstOrDefault().Refusal
            ?? new TransferConnectionException(TransferError.Unsupported, "The options name certificates only, and no type of plain key.");
    }

    /// <summary>The algorithms, of which those of host keys are of one type.</summary>
    private static IEnumerable<SshAlgorithms> OneOfEach(SshAlgorithms all) =>
        from type in KeyAlgorithms.KeyTypes
        let names = all.HostKeys.Where(KeyAlgorithms.OfType(type).Contains).ToList()
        where names.Count > 0
        select all with { HostKeys = names };

    private static async Task<(SshHostKey? Key, TransferConnectionException? Refusal)> TryReadAsync(
        SshConnectionSettings settings, CancellationToken ct)
    {
        try
        {
            var what = $"The key exchange with {settings.Place}";
            var reading = LogInClock.RunAsync(what, settings.LogInTimeout, settings.TimeProvider, clock => ReadAsync(settings, clock), ct);
            return (await reading.ConfigureAwait(false), null);
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Unsupported)
        {
            // The host has no key of this type, or one that is too short.
            return (null, e);
        }
    }

    private static async ValueTask<SshHostKey> ReadAsync(SshConnectionSettings settings, LogInClock clock)
    {
        var seen = new SeenHostKey();
        var timed = settings with { Clock = clock, Trust = seen };
        var (stream, _) = await SshConnector.OpenStreamAsync(timed, clock.Token).ConfigureAwait(false);
        var transport = new SshTransport(stream, timed);
        try
        {
            await transport.HandshakeAsync(clock.Token).ConfigureAwait(false);
            return seen.Key!;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            transport.Fail(e);
            throw transport.Failure!;
        }
        finally
        {
            await transport.DisposeAsync().ConfigureAwait(false);
            transport.EndReading();
        }
    }

    /// <summary>Takes any key if the host has proved possession: nothing sent to the host would need trust.</summary>
    private sealed class SeenHostKey : IHostTrust
    {
        public SshHostKey? Key { get; private set; }

        public IReadOnlyList<string> KnownTypes(string host, int port) => [];

        public ValueTask VerifyAsync(string host, int port, SshPublicKey key, CancellationToken ct)
        {
            Key = SshHostKey.Of(host, port, key);
            return default;
        }
    }
}
