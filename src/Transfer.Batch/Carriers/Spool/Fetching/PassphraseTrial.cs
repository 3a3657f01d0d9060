using Microsoft.Extensions.Logging;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>
/// Finds out whether a fetcher's passphrase is another than its senders'. Others may share the spool with one of their own, so jobs that it does not open say that only as long as it has never opened any there.
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

    /// <param name="state">Remembers that it has opened a job.</param>
    /// <param name="store">The spool.</param>
    /// <param name="ring">The passphrase, or another key: of that nothing is found out.</param>
    /// <param name="options">Whether jobs are waited for, and the clock.</param>
    /// <param name="logger">Is told of others' jobs, once.</param>
    public PassphraseTrial(SpoolState state, SpoolStore store, KeyRing ring, SpoolFetcherOptions options, ILogger logger)
    {
        _state = state;
        _store = store;
        _ring = ring;
        _options = options;
        _logger = logger;
    }

    /// <summary>All heads that are there were tried.</summary>
    /// <param name="who">The recipient, with what the passphrase is called in the state.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask LookedAsync(string who, CancellationToken ct)
    {
        if (!_isRight && (_ring.HasOpenedPassphrase || _ring.HasOtherPassphrase))
            _isRight = await _state.ChangeAsync($"opened by {who} in {_store.Name}", known => _ring.HasOpenedPassphrase ? 1 : known, _options.TimeProvider, ct).ConfigureAwait(false) != 0;
        if (_hasTold || !_ring.HasOtherPassphrase || !_isRight && !_options.Wait) return;
        Log.SpoolOtherPassphrase(_logger, _store.Name);
        _hasTold = true;
    }

    /// <summary>The fetch ends; who waits goes on, for whom the first job may come yet.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: it has opened nothing, now or before, and there was what it should have opened.</exception>
    public void ThrowIfWrong()
    {
        if (_ring.HasOtherPassphrase && !_isRight && !_options.Wait)
            throw new TransferException(TransferError.Auth, $"What is in {_store.Name} is sealed with another passphrase than the one given here, which has never opened anything there.");
    }
}
