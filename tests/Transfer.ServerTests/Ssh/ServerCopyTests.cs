using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>What OpenSSH offers beyond the protocol: copies inside the server, and other users' folders.</summary>
[TestFixture]
[Parallelizable]
public sealed class ServerCopyTests() : SshFixture(ServerVariant.Sftp)
{
    [Test]
    public async Task A_file_and_a_folder_are_copied_inside_the_server()
    {
        var content = Bytes.Random(40_000_000);
        Server.Plant(Remote + "/s/large", content);
        Server.Plant(Remote + "/s/sub/small", [1, 2, 3]);
        Server.Plant(Remote + "/s/empty", []);
        var time = new DateTime(2024, 2, 29, 23, 59, 58, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(Server.Local(Remote + "/s/large"), time);
        // The long way needs two sessions.
        await using var client = Client(options => options with { MaxSessions = 1 });

        var file = await client.CopyFileAsync(Remote + "/s/large", client, Remote + "/copy");
        Assert.That((file.Bytes, file.Verified), Is.EqualTo(((long)content.Length, VerificationMode.Size)));
        Assert.That(client.Features.CopiesFiles && client.Features.SegmentedUploads);
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/copy")), content);
        Assert.That(File.GetLastWriteTimeUtc(Server.Local(Remote + "/copy")), Is.EqualTo(time));

        var folder = await client.CopyDirectoryAsync(Remote + "/s", client, Remote + "/t");
        Assert.That((folder.Files, folder.Bytes, folder.Failed), Is.EqualTo((3L, content.Length + 3L, 0L)));
        Assert.That(TestTree.Differences(Server.Local(Remote + "/s"), Server.Local(Remote + "/t"), TimeSpan.FromSeconds(1)), Is.Empty);
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "copy", "s", "t" }));
    }

    [Test]
    public async Task A_copy_that_is_refused_leaves_nothing()
    {
        Server.Plant(Remote + "/a", [1]);
        Server.Plant(Remote + "/b", [2]);
        await using var client = Client(options => options with { MaxSessions = 1 });
        var exists = (await Assert.CatchAsync<TransferException>(() => client.CopyFileAsync(Remote + "/a", client, Remote + "/b")))!;
        Assert.That(exists.Error, Is.EqualTo(TransferError.Exists));
        var absent = (await Assert.CatchAsync<TransferException>(() => client.CopyFileAsync(Remote + "/none", client, Remote + "/c")))!;
        Assert.That(absent.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "a", "b" }));
    }

    [Test]
    public async Task The_command_copies_inside_the_server_too()
    {
        Server.Plant(Remote + "/a", Bytes.Random(100_000));
        var url = Server.Url().GetLeftPart(UriPartial.Authority).Replace("//",
            $"//{Server.Credential.UserName}:{Uri.EscapeDataString(Server.Credential.Password)}@", StringComparison.Ordinal) + Remote;
        var outcome = await Command.TransferCommand.RunAsync(Server, "copy", "-v", "--known-hosts", Ssh.KnownHosts, url + "/a", url + "/b");
        Assert.That(outcome.ExitCode, Is.Zero, outcome.Errors);
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/b")), Bytes.Random(100_000));
        // Both URLs are one log-in, so that there is one session only.
        Assert.That(Log.Split("Accepted password").Length - 1, Is.EqualTo(1));
    }

    [Test]
    public async Task Another_users_folder_is_found_by_its_name()
    {
        Server.Plant(Remote + "/file", [1, 2, 3]);
        await using var client = Client();
        var below = Remote[Server.Home.Length..];
        Assert.That((await client.GetEntryAsync($"/~{Server.Credential.UserName}{below}/file"))!.Length, Is.EqualTo(3));
        Assert.That((await client.GetEntryAsync("/~root"))!.Type, Is.EqualTo(RemoteEntryType.Directory));
        await client.UploadFileAsync(LocalFile("up", [4, 5]), $"/~{Server.Credential.UserName}{below}/up");
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file", "up" }));
        Assert.That(await client.GetEntryAsync("/~nobody-of-that-name/x"), Is.Null);
    }

    [Test]
    public async Task Owners_in_listings_have_names()
    {
        Server.Plant(Remote + "/file", [1]);
        await using var client = Client();
        var owners = await client.ListAsync(Remote).Select(entry => entry.Owner).ToListAsync();
        Assert.That(owners.Single(), Is.EqualTo(ServerUser.Name).Or.EqualTo(Server.Credential.UserName));
    }
}
