using System.Text;
using Microsoft.Extensions.Logging;

namespace Transfer.Ftp.Protocol;

/// <summary>The settings of a control connection and its data connections. Made from the options by the session.</summary>
internal sealed record ControlConnectionSettings
{
    /// <summary>The host name or IP literal (IPv6 without brackets) as the user wrote it.</summary>
    public required string Host { get; init; }

    /// <summary>The control port.</summary>
    public int Port { get; init; } = 21;

    /// <summary>The options for opening sockets.</summary>
    public DialOptions Dial { get; init; } = new();

    /// <summary>Whether TLS starts before the greeting (ftps:).</summary>
    public bool ImplicitTls { get; init; }

    /// <summary>
    /// The TLS settings; needed for <see cref="ImplicitTls"/> and <see cref="ControlConnection.StartTlsAsync(CancellationToken)"/>.
    /// </summary>
    public TlsSettings? Tls { get; init; }

    /// <summary>The encoding of names at first; <see cref="ControlConnection.Encoding"/> changes that. ASCII-compatible.</summary>
    public Encoding Encoding { get; init; } = NameEncoding.LosslessUtf8;

    /// <summary>The longest wait without any movement.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The log.</summary>
    public required ILogger Logger { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
