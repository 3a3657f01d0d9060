using Microsoft.Extensions.Logging;

namespace Transfer.Dialing;

/// <summary>Opens TCP connections as <see cref="DialOptions"/> say. No name is ever looked up backwards.</summary>
public sealed class Dialer
{
    private readonly DialOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;

    /// <summary>Creates a dialer.</summary>
    public Dialer(DialOptions options, ILogger logger, TimeProvider time)
    {
        _options = options;
        _logger = logger;
        _time = time;
    }

    /// <summary>Connects to a host name or IP literal (IPv6 without brackets).</summary>
    /// <exception cref="TransferConnectionException">Name not found, refused, unreachable, timed out, or refused by the proxy.</exception>
    public ValueTask<DialedConnection> DialAsync(string host, int port, DialHints hints = default, CancellationToken ct = default) =>
        throw new NotImplementedException($"{_options}{_logger}{_time}");
}
