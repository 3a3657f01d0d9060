using Renci.SshNet;
using Transfer.Sftp;
using Transfer.SshNet;
using Transfer.Testing;

namespace Transfer.Tests.SshNet;

/// <summary>Servers that confirm renames, deletions and MKDIR, and do nothing, or refuse what they announce, by way of SSH.NET.</summary>
[TestFixture]
internal sealed class SshNetConfirmationTests
{
    private const string PosixRename = "posix-rename@openssh.com";

    [Test]
    public async Task A_rename_without_effect_is_an_error_and_the_source_stays([Values] bool replaces)
    {
        var store = new MemoryStore();
        await using var server = await StartAsync(store);
        store.AddFile("/a", [1]);
        if (replaces) store.AddFile("/b", [2, 3]);
        foreach (var verb in new[] { "RENAME", PosixRename }) server.Faults.Status(verb, SftpTestStatus.Ok, times: 99);
        await using var client = Client(server);
        var error = await FailsAsync(() => client.MoveAsync("/a", "/b", overwrite: replaces).AsTask());
        Assert.That(error.Message, Does.Contain("still there"));
        Assert.That(store.Files, Does.Contain("/a"));
    }

    [Test]
    public async Task An_upload_whose_rename_has_no_effect_removes_no_source()
    {
        var store = new MemoryStore();
        await using var server = await StartAsync(store);
        store.AddFile("/a", [1]);
        foreach (var verb in new[] { "RENAME", PosixRename }) server.Faults.Status(verb, SftpTestStatus.Ok, times: 99);
        await using var client = Client(server);
        using var folder = new TempFolder();
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, RemoveSource = true };
        await FailsAsync(() => client.UploadFileAsync(folder.Add("a", [1, 2, 3]), "/a", options));
        Assert.That(folder.Files, Is.EqualTo(new[] { "a" }));
        Assert.That(store.ReadFile("/a"), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task A_deletion_without_effect_is_an_error([Values] bool isFolder)
    {
        var store = new MemoryStore();
        await using var server = await StartAsync(store);
        if (isFolder) store.AddDirectory("/a");
        else store.AddFile("/a", [1]);
        foreach (var verb in new[] { "REMOVE", "RMDIR" }) server.Faults.Status(verb, SftpTestStatus.Ok, times: 99);
        await using var client = Client(server);
        var error = await FailsAsync(() => client.DeleteAsync("/a").AsTask());
        Assert.That(error.Message, Does.Contain("still there"));
    }

    [Test]
    public async Task A_folder_that_is_not_there_is_an_error()
    {
        await using var server = await StartAsync(new MemoryStore());
        server.Faults.Status("MKDIR", SftpTestStatus.Ok, times: 99);
        await using var client = Client(server);
        var error = await FailsAsync(() => client.CreateDirectoryAsync("/new").AsTask());
        Assert.That(error.Message, Does.Contain("does not exist"));
    }

    [Test]
    public async Task A_posix_rename_that_is_always_refused_or_does_nothing_is_left_for_RENAME(
        [Values(SftpTestStatus.Failure, SftpTestStatus.PermissionDenied, SftpTestStatus.Unsupported, SftpTestStatus.Ok)]
        SftpTestStatus status)
    {
        var store = new MemoryStore();
        await using var server = await StartAsync(store);
        store.AddFile("/a", [1]);
        store.AddFile("/b", [1]);
        server.Faults.Status(PosixRename, status, times: 99);
        await using var client = Client(server);
        using var folder = new TempFolder();
        var options = new UploadOptions { Overwrite = OverwriteMode.Always };
        foreach (var name in new[] { "/a", "/new", "/b" }) await client.UploadFileAsync(folder.Add("f", [1, 2, 3]), name, options);
        Assert.That(store.Files, Is.EquivalentTo(new[] { "/a", "/b", "/new" }));
        Assert.That(store.Files.Select(path => store.ReadFile(path).Length), Is.All.EqualTo(3));
        var asked = server.Commands.Count(command => command.Verb == PosixRename);
        Assert.That(asked, Is.LessThanOrEqualTo(2), "what the first file has shown");
    }

    private static async Task<TransferException> FailsAsync(Func<Task> work) => (await Assert.CatchAsync<TransferException>(() => work()))!;

    private static Task<SftpTestServer> StartAsync(MemoryStore store) =>
        SftpTestServer.StartAsync(new() { Version = "SSH-2.0-Other", Store = store });

    private static SshNetTransferClient Client(SftpTestServer server) => new(
        () => new ConnectionInfo("127.0.0.1", server.EndPoint.Port, "demo", new PasswordAuthenticationMethod("demo", "demo")),
        options: new SshNetOptions
        {
            HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint] },
            MaxSessions = 1,
            Retry = Samples.SoonAgain,
        });
}
