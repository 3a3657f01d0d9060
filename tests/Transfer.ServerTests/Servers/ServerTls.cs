namespace Transfer.ServerTests.Servers;

/// <summary>When TLS starts at a server.</summary>
public enum ServerTls
{
    Off,
    Explicit,
    Implicit,
}
