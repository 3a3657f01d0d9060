using Microsoft.Extensions.Logging;
using Transfer.Sessions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Settings;

/// <summary>The settings of one SSH connection.</summary>
internal sealed record SshConnectionSettings
{
    public required string Host { get; init; }

    public int Port { get; init; } = 22;

    public required string User { get; init; }

    /// <summary>The host's name in known hosts, whatever the address and port (HostKeyAlias), or null.</summary>
    public string? HostKeyAlias { get; init; }

    /// <summary>How the socket is opened; unused with <see cref="Through"/>.</summary>
    public DialOptions Dial { get; init; } = new();

    public DialHints DialHints { get; init; }

    /// <summary>The connection to reach the host through (ProxyJump), or null. Must outlive this one and is not closed with it.</summary>
    public ISshTunnel? Through { get; init; }

    /// <summary>The time in which the host before must reach this one.</summary>
    public TimeSpan TunnelTimeout { get; init; } = TimeSpan.FromSeconds(15);

    public required IHostTrust Trust { get; init; }

    /// <summary>Keys to log in with, in the order to try them.</summary>
    public IReadOnlyList<ISshSigner> Signers { get; init; } = [];

    /// <summary>The password, or null. The credential's user name is ignored.</summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>Answers the server's questions (keyboard-interactive), or null.</summary>
    public SshInteraction? Interaction { get; init; }

    /// <summary>Lets one connection to the host log in first: a wrong credential is tried once. Key exchanges do not wait.</summary>
    public ServerLogIns Turns { get; init; } = new();

    /// <summary>The configuration's rules for the log-in.</summary>
    public LogInRules LogInRules { get; init; } = new();

    /// <summary>The results of earlier log-ins to the host.</summary>
    public LogInMemory LogIns { get; init; } = new();

    /// <summary>
    /// The use of a channel that may begin with the log-in, before the answer, where the server is known to take that; null for none.
    /// </summary>
    public EarlyUse? Early { get; init; }

    /// <summary>Receives the host's response time, before the log-in; may be null.</summary>
    public Action<TimeSpan>? OnRoundTrip { get; init; }

    public SshAlgorithms Algorithms { get; init; } = new();

    /// <summary>The longest silence of the server while an answer is awaited; after half, a sign of life is requested.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long dialling, the first key exchange and the log-in may take together; zero or less: no limit.</summary>
    public TimeSpan LogInTimeout { get; init; } = TimeSpan.FromSeconds(120);

    /// <summary>The log-in's clock, which pauses for a person's answers; null: no log-in with these settings has begun.</summary>
    public LogInClock? Clock { get; init; }

    public RekeyLimits Rekey { get; init; } = new();

    /// <summary>
    /// The receive window of a channel, in bytes: the most data under way from the server. Reopened when half was read.
    /// </summary>
    public int ReceiveWindow { get; init; } = 32 * 1024 * 1024;

    /// <summary>The pool of the memory in which received data waits; for all connections made with these settings.</summary>
    public SegmentPool Segments { get; init; } = new();

    public required ILogger Logger { get; init; }

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The host and the route to it, for people: different hosts never have the same one.</summary>
    public string Place => HostName.Display(Host, Port) + (Through is null ? string.Empty : $" through {Through.Place}");

    /// <summary>A text of the server in a form to show: printable, and without the password, which some servers repeat.</summary>
    public string Show(string text) => WireText.Clean(WithoutPassword(text));

    /// <summary>A text of the server without the password.</summary>
    public string WithoutPassword(string text) => PrintableText.WithoutSecret(text, Credential?.Password ?? LogIns.TypedPassword);
}
