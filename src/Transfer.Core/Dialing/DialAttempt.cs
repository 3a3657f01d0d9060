using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Dialing;

/// <summary>One dial: from a name to a connected socket, and the failures on the way.</summary>
internal sealed class DialAttempt
{
    private readonly DialTarget _target;
    private readonly DialOptions _options;
    private readonly INetwork _network;
    private readonly ILogger _logger;
    private readonly AddressRace<DialedConnection> _race;
    private bool _resolved;

    public DialAttempt(
        DialTarget target, DialHints hints, DialOptions options, INetwork network, SocketTuning tuning, ILogger logger, TimeProvider time)
    {
        _target = target;
        _options = options;
        _network = network;
        _logger = logger;
        var connector = new SocketConnector(tuning, network, logger, time);
        _race = new AddressRace<DialedConnection>(
            (address, ct) => connector.ConnectAsync(new IPEndPoint(address, target.Port), hints, ct), options.ConnectionAttemptDelay, time);
    }

    // A socket bound to an address of one family reaches only that family.
    private AddressFamily Family => _options.AddressFamily == AddressFamily.Unspecified && _options.LocalEndPoint is { } local
        ? local.AddressFamily
        : _options.AddressFamily;

    public async Task<DialedConnection> ConnectAsync(CancellationToken ct)
    {
        var addresses = AddressList.Order(await ResolveAsync(ct).ConfigureAwait(false), Family);
        _resolved = true;
        if (addresses.Count == 0)
        {
            throw Permanent(
                $"Could not connect to {_target}: it has no "
                + $"address{(Family == AddressFamily.Unspecified ? "" : $" of the family {Family}")}.");
        }

        return await _race.RunAsync(addresses, ct).ConfigureAwait(false)
            ?? throw new TransferConnectionException(TransferError.Lost, $"Could not connect to {_target}: {Reasons()}",
                _race.Failures[0].Error);
    }

    /// <summary>The error when the time for the whole dial has run out.</summary>
    public TransferConnectionException TimedOut(DialTarget wanted, Exception cause)
    {
        var where = _target == wanted ? wanted.ToString() : $"{wanted} through the proxy {_target}";
        var doing = _resolved ? string.Empty : " Its name was still being looked up.";
        var failed = _race.Failures.Count == 0 ? string.Empty : $" Failed before: {Reasons()}";
        return new TransferConnectionException(
            TransferError.Timeout, $"Connecting to {where} took longer than {_options.ConnectTimeout.TotalSeconds:0.###} s.{doing}{failed}",
            cause);
    }

    private static TransferConnectionException Permanent(string message, Exception? cause = null) =>
        new(TransferError.Lost, message, cause) { IsTransient = false };

    private async ValueTask<IPAddress[]> ResolveAsync(CancellationToken ct)
    {
        if (_target.Literal is { } literal) return [literal];
        try
        {
            // Most systems' resolvers cannot be interrupted: a lookup finishes alone, and its failure is observed and ignored.
            var lookup = _network.ResolveAsync(_target.Host, Family, ct);
            _ = lookup.ContinueWith(
                t => t.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
            var addresses = await lookup.WaitAsync(ct).ConfigureAwait(false);
            Log.Resolved(_logger, _target.Host, addresses.Length);
            return addresses;
        }
        catch (SocketException e)
        {
            var message = $"Could not connect to {_target}: the name could not be resolved: {e.Message}";
            throw e.SocketErrorCode == SocketError.TryAgain
                ? new TransferConnectionException(TransferError.Lost, message, e)
                : Permanent(message, e);
        }
    }

    private string Reasons() => string.Join("; ", _race.Failures.Select(f => $"{f.Address}: {f.Error.Message}"));
}
