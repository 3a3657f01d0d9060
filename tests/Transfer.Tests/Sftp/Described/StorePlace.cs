using Transfer.Sftp;
using Transfer.Testing;
using Transfer.Tests.Described;
using Transfer.Tests.Testing;

namespace Transfer.Tests.Sftp.Described;

/// <summary>A described SFTP server.</summary>
/// <param name="server">The server.</param>
/// <param name="store">The files behind the server's front.</param>
/// <param name="root">The folder of the tests.</param>
internal sealed class StorePlace(SftpTestServer server, MemoryStore store, string root) : DescribedServer
{
    public override string Home => root;

    public override IReadOnlyList<string> Files => [.. store.Files.Select(path => path[(root.Length + 1)..])];

    public override TransferClient Client(int sessions, string journals) => server.Client((SftpOptions options) => options with
    {
        MaxSessions = sessions,
        JournalDirectory = journals,
        LimitsFile = Path.Join(journals, "limits"),
    });

    public override byte[]? Read(string path) => store.Files.Contains($"{root}/{path}") ? store.ReadFile($"{root}/{path}") : null;

    public override void Plant(string path, byte[] content) => store.AddFile($"{root}/{path}", content);

    public override void PlantFolder(string path) => store.AddDirectory($"{root}/{path}");

    public override bool HasFolder(string path) => store.Directories.Contains($"{root}/{path}");

    public override ValueTask DisposeAsync() => server.DisposeAsync();
}
