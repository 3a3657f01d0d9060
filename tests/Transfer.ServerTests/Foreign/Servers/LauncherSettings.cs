using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>What a launcher is given.</summary>
/// <param name="Address">The address to listen at.</param>
/// <param name="Port">The port; for FTP the passive data connections' ports follow.</param>
/// <param name="Ports">How many ports there are in all.</param>
/// <param name="Root">The folder to serve.</param>
/// <param name="User">The user's name.</param>
/// <param name="Password">The user's password.</param>
/// <param name="Uid">Whom the files belong to.</param>
/// <param name="Gid">The same user's group.</param>
/// <param name="Key">SSH: the host key's file.</param>
/// <param name="Certificate">FTP over TLS: the file of certificate and key.</param>
/// <param name="Program">A program to start for each connection, and its arguments.</param>
internal sealed record LauncherSettings(
    string Address, int Port, int Ports, string Root, string User, string Password, int Uid, int Gid, string? Key = null,
    string? Certificate = null, IReadOnlyList<string>? Program = null)
{
    public static LauncherSettings Of(RealServer server) =>
        new(server.Variant.Place.Address.ToString(), server.Port, Transfer.ServerTests.Servers.Ports.LastPassive + 1, server.Root,
            server.Credential.UserName, server.Credential.Password, ServerUser.Uid, ServerUser.Gid);
}
