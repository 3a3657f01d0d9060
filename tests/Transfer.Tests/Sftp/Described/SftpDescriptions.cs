using Transfer.Sftp.Protocol;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;
using Transfer.Tests.Described;
using Transfer.Tests.Testing;

namespace Transfer.Tests.Sftp.Described;

/// <summary>SFTP servers in front of object stores, and one of an application, after their documents.</summary>
internal static class SftpDescriptions
{
    private const string Root = "/bucket";

    private static readonly string[] OpenSshOnly = [SftpExtension.FSync, SftpExtension.Limits, SftpExtension.CopyData];

    private static readonly string[] NoExtensions =
        [.. OpenSshOnly, SftpExtension.PosixRename, SftpExtension.HardLink, SftpExtension.StatVfs];

    public static IReadOnlyDictionary<string, Description> All { get; } = new Dictionary<string, Description>
    {
        ["MinIO"] = new(StartMinioAsync)
        {
            Publish = PublishMode.Direct,
            Limits = new Dictionary<string, string>
            {
                ["put under a temporary name"] = "--publish direct",
                ["mv"] = "the server does not rename files",
                ["mv over"] = "the server does not rename files",
            },
        },
        ["AWS Transfer"] = new(() => StartAsync("SSH-2.0-AWS_SFTP_1.2", store => new ObjectStore(store) { RenameReplaces = true },
            [.. NoExtensions, "SETSTAT", "FSETSTAT", "SYMLINK", "READLINK"])),
        ["Azure Blob Storage"] = new(() => StartAsync("SSH-2.0-AzureSSH_1.0.0", store => new ObjectStore(store) { RenamesFolders = true },
            [.. NoExtensions, "SETSTAT", "FSETSTAT", "SYMLINK", "READLINK"])),
        ["SFTPGo"] = new(() => StartAsync("SSH-2.0-SFTPGo_2.6.6", store => new IgnoringStore(store),
            [.. OpenSshOnly, SftpExtension.PosixRename, SftpExtension.HardLink])),
    };

    /// <summary>
    /// MinIO ("MinIO FTP/SFTP Server": no append, no rename; the source of its driver): pkg/sftp announces posix-rename and hardlink, and
    /// the driver has neither; an open file is described as a folder, for the object is not there yet.
    /// </summary>
    private static async Task<DescribedServer> StartMinioAsync()
    {
        PhantomStore? front = null;
        var (server, place) = await StartServerAsync("SSH-2.0-Go", store => front = new PhantomStore(store), OpenSshOnly);
        front!.IsLook = path => server.Commands.LastOrDefault(command => command.Argument == path).Verb
            is "LSTAT" or "STAT" or "FSTAT" or "OPENDIR";
        foreach (var request in (string[])["SETSTAT", "FSETSTAT", "RENAME", "SYMLINK", SftpExtension.PosixRename, SftpExtension.HardLink])
            server.Faults.Status(request, SftpTestStatus.Unsupported, "not implemented", times: int.MaxValue);
        return place;
    }

    private static async Task<DescribedServer> StartAsync(string version, Func<MemoryStore, ITestStore> front, string[] disabled) =>
        (await StartServerAsync(version, front, disabled)).Place;

    private static async Task<(SftpTestServer Server, DescribedServer Place)> StartServerAsync(
        string version, Func<MemoryStore, ITestStore> front, string[] disabled)
    {
        var store = new MemoryStore();
        store.AddDirectory(Root);
        var server = await SftpServerHarness.StartAsync(new()
        {
            Version = version,
            Store = front(store),
            HomeDirectory = Root,
            DisabledRequests = disabled.ToHashSet(),
        });
        return (server, new StorePlace(server, store, Root));
    }

    /// <summary>
    /// SFTPGo with <c>setstat_mode</c> 1 ("Full configuration reference": changes of mode, owner and times are ignored, with success), as
    /// for its back ends in clouds; RENAME replaces files.
    /// </summary>
    private sealed class IgnoringStore(ITestStore inner) : StoreFront(inner)
    {
        public override ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default) =>
            base.MoveAsync(from, to, replace: true, ct);

        public override ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) => default;

        public override ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) => default;
    }
}
