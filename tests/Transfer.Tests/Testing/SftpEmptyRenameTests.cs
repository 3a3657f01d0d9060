using Transfer.Testing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Testing;

/// <summary>
/// Servers that answer OK to a rename and rename nothing, and those that take a new file away as soon as that has its name.
/// </summary>
[Parallelizable(ParallelScope.All)]
internal sealed class SftpEmptyRenameTests
{
    private const string PosixRename = "posix-rename@openssh.com";
    private const string HardLink = "hardlink@openssh.com";

    private static readonly byte[] Old = SftpServerHarness.Content(3000, 1);
    private static readonly byte[] New = SftpServerHarness.Content(5000, 2);

    [Test]
    public async Task An_old_file_is_not_replaced_which_is_an_error_and_the_source_stays()
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        await client.CreateDirectoryAsync("/d");
        await client.PutAsync("/d/a", Old);
        Confirm(server, "RENAME", PosixRename);
        using var folder = new TempFolder();
        folder.Add("a", New);
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, RemoveSource = true };
        var result = await client.UploadDirectoryAsync(folder.Path, "/d", options);
        Assert.That(result.Failed, Is.EqualTo(1));
        Assert.That(result.Failures.Single().Error!.Message, Does.Contain("still there"));
        Same.Bytes(await client.GetAsync("/d/a"), Old);
        Same.Bytes(folder.Read("a"), New);
    }

    [Test]
    public async Task A_new_file_goes_under_its_own_name([Values] bool mayReplace)
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        Confirm(server, "RENAME", PosixRename, HardLink);
        using var folder = new TempFolder();
        folder.Add("a", New);
        await client.UploadFileAsync(Path.Combine(folder.Path, "a"), "/a",
            new() { RemoveSource = true, Overwrite = mayReplace ? OverwriteMode.Always : OverwriteMode.Fail });
        Same.Bytes(await client.GetAsync("/a"), New);
        Assert.That(await client.ListAsync("/").CountAsync(), Is.EqualTo(1));
        Assert.That(File.Exists(Path.Combine(folder.Path, "a")), Is.False);
    }

    [Test]
    public async Task A_link_that_was_confirmed_and_not_made_takes_no_file_its_only_name()
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        Confirm(server, HardLink);
        await client.PutAsync("/a", New, new() { Overwrite = OverwriteMode.Fail });
        Same.Bytes(await client.GetAsync("/a"), New);
        await client.PutAsync("/b", New, new() { Overwrite = OverwriteMode.Fail });
        Assert.That(server.Requests().Count(verb => verb == HardLink), Is.EqualTo(1), "the server has no links");
    }

    [Test]
    public async Task A_file_that_a_hot_folder_takes_at_once_has_arrived()
    {
        var store = new MemoryStore();
        await using var server = await StartAsync(new HotFolderStore(store));
        await using var client = server.Client();
        using var folder = new TempFolder();
        folder.Add("a", New);
        folder.Add("b", New);
        var options = new DirectoryOptions { RemoveSource = true, Overwrite = OverwriteMode.Always };
        var result = await client.UploadDirectoryAsync(folder.Path, "/d", options);
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
        Assert.That(store.Files, Is.Empty);
        Assert.That(Directory.GetFiles(folder.Path), Is.Empty);
    }

    [Test]
    public async Task A_move_that_moved_nothing_names_its_source([Values] bool isFolder)
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        if (isFolder) await client.CreateDirectoryAsync("/a");
        else await client.PutAsync("/a", Old);
        Confirm(server, "RENAME", PosixRename);
        var error = await SftpServerHarness.FailsAsync(() => client.MoveAsync("/a", "/b", overwrite: true).AsTask());
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Unsupported, "/a")));
        Assert.That(error.Message, Does.StartWith("/a: ").And.Contain("still there"));
        Assert.That(await client.GetEntryAsync("/b"), Is.Null);
    }

    [Test]
    public async Task A_name_in_another_case_is_the_same_name_to_some_servers()
    {
        var store = new MemoryStore();
        store.AddFile("/a", Old);
        await using var server = await StartAsync(new CaselessStore(store));
        await using var client = server.Client();
        await client.MoveAsync("/a", "/A", overwrite: true);
        Same.Bytes(store.ReadFile(store.Files.Single()), Old);
    }

    [Test]
    public async Task Hard_links_of_one_file_that_a_rename_leaves_as_they_are_are_moved_all_the_same()
    {
        var store = new MemoryStore();
        store.AddFile("/a", Old);
        await store.CreateHardLinkAsync("/a", "/b");
        await using var server = await StartAsync(new LinkedStore(store, "/a", "/b"));
        await using var client = server.Client();
        await client.MoveAsync("/a", "/b", overwrite: true);
        Assert.That(store.Files, Is.EqualTo(new[] { "/b" }));
    }

    [Test]
    public async Task Only_servers_that_are_not_known_by_name_are_asked_for_the_old_name([Values] bool isKnown)
    {
        await using var server = isKnown ? await SftpServerHarness.StartAsync() : await StartAsync();
        await using var client = server.Client();
        await client.PutAsync("/a", Old);
        var asked = server.Commands.SkipWhile(command => command.Verb != PosixRename).Skip(1).Select(command => command.Verb);
        Assert.That(asked, Is.EqualTo(isKnown ? Array.Empty<string>() : ["LSTAT"]));
    }

    [Test]
    public async Task A_posix_rename_that_is_always_refused_or_does_nothing_is_left_for_RENAME([Values(SftpTestStatus.Failure,
        SftpTestStatus.PermissionDenied, SftpTestStatus.BadMessage, SftpTestStatus.NoSuchFile, SftpTestStatus.Unsupported,
        SftpTestStatus.Ok)] SftpTestStatus status)
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        await client.PutAsync("/a", Old, new() { Overwrite = OverwriteMode.Fail });
        await client.PutAsync("/b", Old, new() { Overwrite = OverwriteMode.Fail });
        server.Faults.Status(PosixRename, status, times: 99);
        foreach (var name in new[] { "/a", "/new", "/b" })
        {
            await client.PutAsync(name, New);
            Same.Bytes(await client.GetAsync(name), New);
        }
        Assert.That(await client.ListAsync("/").CountAsync(), Is.EqualTo(3));
        Assert.That(server.Requests().Count(verb => verb == PosixRename), Is.LessThanOrEqualTo(2), "what the first file has shown");
    }

    [TestCase(SftpTestStatus.PermissionDenied)]
    [TestCase(SftpTestStatus.BadMessage)]
    [TestCase(SftpTestStatus.Unsupported)]
    [TestCase(SftpTestStatus.NoSuchFile)]
    public async Task A_name_that_exists_may_be_refused_with_any_status(SftpTestStatus status)
    {
        var store = new MemoryStore();
        await using var server = await SftpServerHarness.StartAsync(new()
        {
            Version = "SSH-2.0-Other",
            Store = store,
            DisabledRequests = new HashSet<string> { PosixRename, HardLink },
        });
        await using var client = server.Client();
        store.AddFile("/a", Old);
        server.Faults.Status("RENAME", status);
        await client.PutAsync("/a", New);
        Same.Bytes(store.ReadFile("/a"), New);
        Assert.That(store.Files, Is.EqualTo(new[] { "/a" }));
    }

    // Confirms and does nothing.
    private static void Confirm(SftpTestServer server, params string[] verbs)
    {
        foreach (var verb in verbs) server.Faults.Status(verb, SftpTestStatus.Ok, times: 99);
    }

    private static Task<SftpTestServer> StartAsync(ITestStore? store = null)
    {
        var options = new SftpTestServerOptions { Version = "SSH-2.0-Other" };
        return SftpServerHarness.StartAsync(store is null ? options : options with { Store = store });
    }
}
