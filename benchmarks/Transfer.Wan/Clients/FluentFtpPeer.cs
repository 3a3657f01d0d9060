using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>
/// <c>FluentFTP</c>, <c>FluentFTP tuned</c> and <c>Transfer.FluentFtp</c>. They are there in a build with -p:FluentFtp=true.
/// </summary>
internal sealed class FluentFtpPeer(string label) : LibraryClient(label, "fluentftp")
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.FTP, Protocol.FTPS];

    public override string? WhyNot =>
#if FLUENTFTP
        null;
#else
        "built without the package: FluentFtp=true ./build.sh wan ... adds it";
#endif
}
