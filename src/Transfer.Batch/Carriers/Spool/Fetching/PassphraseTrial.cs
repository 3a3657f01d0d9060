using Microsoft.Extensions.Logging;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>
/// Detects that a fetcher's passphrase differs from the senders'. Other groups may share the spool with a passphrase of their own, so jobs
/// that do not open prove this only as long as the passphrase has never opened any there.
/// </summary>
internal sealed class PassphraseTrial
{
    private readonly SpoolState _state;
    private readonly SpoolStore _store;
    private readonly KeyRing _ring;
    private readonly SpoolFetcherOptions _options;
    private readonly ILogger _logger;
    private bool _isRight;
    private bool _hasTold;

    /// <param name="state">Records that the passphrase has opened a job.</param>
    /// <param name="store">The spool.</param>
    /// <param name="ring">The passphrase, or another key, for which nothing is detected.</param>
    /// <param name="options">Whether the fetcher waits for jobs, and the clock.</param>
    /// <param name="logger">Logs the jobs of other groups, once.</param>
    public PassphraseTrial(SpoolState state, SpoolStore store, KeyRing ring, SpoolFetcherOptions options, ILogger logger)
    {
        _state = state;
        _store = store;
        _ring = ring;
        _options = options;
        _logger = logger;
    }

    /// <summary>Ends a look, in which all heads in the store were tried.</summary>
    /// <param name="who">The recipient, with the passphrase's name in the state.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask LookedAsync(string who, CancellationToken ct)
    {
        if (!_isRight && (_ring.HasOpenedPassphrase || _ring.HasOtherPassphrase))
        {
            _isRight = await _state.ChangeAsync($"opened by {who} in {_store.Name}", known => _ring.HasOpenedPassphrase ? 1 : known,
                _options.TimeProvider, ct).ConfigureAwait(false) != 0;
        }

        if (_hasTold || !_ring.HasOtherPassphrase || !_isRight && !_options.Wait) return;
        Log.SpoolOtherPassphrase(_logger, _store.Name);
        _hasTold = true;
    }

    /// <summary>Ends the trial with the fetch; a waiting fetcher goes on, since the first job may come yet.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: the passphrase has opened nothing, now or before, and there
    /// were jobs sealed with another one.</exception>
    public void ThrowIfWrong()
    {
        if (_ring.HasOtherPassphrase && !_isRight && !_options.Wait)
        {
            throw new TransferException(TransferError.Auth,
                $"The jobs in {_store.Name} are sealed with another passphrase than the one given here, which has never opened a job "
                + "there.");
        }
    }
}
