using Microsoft.Extensions.Logging;
using Transfer.Dialing;
using Transfer.Sessions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Hosts;

namespace Transfer.Sftp.Ssh.Settings;

/// <summary>Everything that one SSH connection is made of.</summary>
internal sealed record SshConnectionSettings
{
    public required string Host { get; init; }

    public int Port { get; init; } = 22;

    public required string User { get; init; }

    /// <summary>The name that known hosts have for the host whatever its address and port (HostKeyAlias), or null.</summary>
    public string? HostKeyAlias { get; init; }

    /// <summary>Opens the socket; not used behind <see cref="Through"/>.</summary>
    public required Dialer Dialer { get; init; }

    public DialHints DialHints { get; init; }

    /// <summary>The connection to reach the host through (ProxyJump), or null. It must outlive this one and is not closed with it.</summary>
    public ISshTunnel? Through { get; init; }

    /// <summary>How long the host before may take to reach this one.</summary>
    public TimeSpan TunnelTimeout { get; init; } = TimeSpan.FromSeconds(15);

    public required IHostTrust Trust { get; init; }

    /// <summary>Keys to log in with, in the order to try them.</summary>
    public IReadOnlyList<ISshSigner> Signers { get; init; } = [];

    /// <summary>The password, or null. Its user name is not looked at.</summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>Answers the server's questions (keyboard-interactive), or null.</summary>
    public SshInteraction? Interaction { get; init; }

    /// <summary>Lets one connection to the host log in first: what is wrong is tried once. Key exchanges do not wait for it.</summary>
    public LogInGate Gate { get; init; } = new();

    /// <summary>How the configuration lets the host be logged in to.</summary>
    public LogInRules LogInRules { get; init; } = new();

    /// <summary>What earlier log-ins to the host have shown.</summary>
    public LogInMemory LogIns { get; init; } = new();

    /// <summary>What may begin with the log-in, before its answer, where the server is known to take that; null: nothing.</summary>
    public EarlyUse? Early { get; init; }

    /// <summary>Told how long the host took to answer something, before the log-in; null: nobody wants to know.</summary>
    public Action<TimeSpan>? OnRoundTrip { get; init; }

    public SshAlgorithms Algorithms { get; init; } = new();

    /// <summary>How long the server may be silent while something is waited for; after half of it, it is asked for a sign of life.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long dialling, the first key exchange and the log-in may take together; zero or less: no limit.</summary>
    public TimeSpan LogInTimeout { get; init; } = TimeSpan.FromSeconds(120);

    /// <summary>The log-in's clock, which is paused while a person is asked; null: no log-in has begun by these settings.</summary>
    public LogInClock? Clock { get; init; }

    public RekeyLimits Rekey { get; init; } = new();

    /// <summary>The receive window of a channel, in bytes: what the server may have under way to us. Given back when half of it was read.</summary>
    public int ReceiveWindow { get; init; } = 32 * 1024 * 1024;

    /// <summary>Where what is received waits for its reader; for all connections that are made by these settings.</summary>
    public SegmentPool Segments { get; init; } = new();

    public required ILogger Logger { get; init; }

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The host and the way to it, for people: two hosts that are not the same never have the same one.</summary>
    public string Place => HostName.Display(Host, Port) + (Through is null ? string.Empty : $" through {Through.Place}");
}
