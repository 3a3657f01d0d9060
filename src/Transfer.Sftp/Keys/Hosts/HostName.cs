namespace Transfer.Sftp.Keys.Hosts;

/// <summary>The names under which known_hosts files know a host.</summary>
internal static class HostName
{
    private const int DefaultPort = 22;

    /// <summary>
    /// The host by itself, in small letters and without the brackets of an address. A HostKeyAlias may be the name of a line with a port,
    /// <c>[host]:port</c>, and stays whole.
    /// </summary>
    public static string Plain(string host) => (host is ['[', .. var inner, ']'] ? inner : host).ToLowerInvariant();

    /// <summary>The host on the usual port, <c>[host]:port</c> on another.</summary>
    public static string WithPort(string host, int port) => port == DefaultPort ? Plain(host) : $"[{Plain(host)}]:{port}";

    /// <summary>The host in the usual notation, with the port only where unusual.</summary>
    public static string Display(string host, int port) => port == DefaultPort ? host
        : host.Contains(':', StringComparison.Ordinal) ? $"[{host}]:{port}"
        : $"{host}:{port}";

    /// <summary>True when a file can hold the name: no character has a meaning there.</summary>
    public static bool IsWritable(string name) =>
        !name.Any(c => char.IsWhiteSpace(c) || char.IsControl(c) || c is ',' or '*' or '?' or '!' or '|' or '#' or '@');
}
