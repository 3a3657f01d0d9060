using System.Globalization;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>OpenSSH's programs without anybody's configuration.</summary>
internal static class SshTools
{
    public static string Ssh => Programs.Find("ssh") ?? "ssh";

    /// <summary>The options that all of them know.</summary>
    public static IEnumerable<string> CommonOptions(ServerAccess server) =>
    [
        "-F", "none", "-i", server.Identity, "-o", $"UserKnownHostsFile={server.KnownHosts}", "-o", "GlobalKnownHostsFile=/dev/null",
        "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "BatchMode=yes",
    ];

    /// <summary>Those of ssh itself.</summary>
    public static IEnumerable<string> Options(ServerAccess server) => [.. CommonOptions(server), "-p", Port(server)];

    public static string Port(ServerAccess server) => server.Port.ToString(CultureInfo.InvariantCulture);

    public static string UserAndHost(ServerAccess server) => $"{server.User}@{server.Host}";
}
