using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Described;

namespace Transfer.Tests.Ftp.Described;

/// <summary>A described FTP server.</summary>
/// <param name="server">The server.</param>
/// <param name="home">The folder of the tests, as a client names it.</param>
/// <param name="root">The same at the server; empty: the root.</param>
internal sealed class OddPlace(OddServer server, string home, string root) : DescribedServer
{
    public override string Home => home;

    public override IReadOnlyList<string> Files =>
        [.. server.Files.Keys.Select(path => path[(root.Length + 1)..]).Order(StringComparer.Ordinal)];

    public override TransferClient Client(int sessions, string journals) => new FtpTransferClient(server.Uri, new FtpOptions
    {
        MaxSessions = sessions,
        IdleTimeout = TimeSpan.FromSeconds(10),
        Retry = Samples.SoonAgain,
        JournalDirectory = journals,
        LimitsFile = Path.Join(journals, "limits"),
    });

    public override byte[]? Read(string path) => server.Files.GetValueOrDefault($"{root}/{path}");

    public override void Plant(string path, byte[] content) => server.Files[$"{root}/{path}"] = content;

    public override void PlantFolder(string path) => server.Folders[$"{root}/{path}"] = true;

    public override bool HasFolder(string path) => server.Folders.ContainsKey($"{root}/{path}");

    public override ValueTask DisposeAsync() => server.DisposeAsync();
}
