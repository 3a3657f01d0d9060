using Renci.SshNet;
using Transfer.Sftp;
using Transfer.SshNet;
using Transfer.Testing;

namespace Transfer.Tests.SshNet;

/// <summary>What is asked of a server by way of SSH.NET, against the embedded server.</summary>
[TestFixture]
public sealed class SshNetRequestTests
{
    // docs/migrate-from-sshnet.md says so: 16 round trips, for some leave together.
    [Test]
    public async Task A_small_file_that_replaces_another_costs_twenty_requests_and_gets_its_name_by_posix_rename()
    {
        await using var server = await SftpTestServer.StartAsync();
        using var folder = new TempFolder();
        await using var client = Client(server);
        var options = new UploadOptions { Overwrite = OverwriteMode.Always };
        await client.UploadFileAsync(folder.Add("a", [1, 2, 3]), "/a", options);
        var before = server.Commands.Count;

        await client.UploadFileAsync(folder.Add("b", [4, 5]), "/a", options);

        var requests = server.Commands.Skip(before).ToList();
        Assert.That(requests, Has.Count.EqualTo(20), string.Join('\n', requests));
        Assert.That(requests[^1].Verb, Is.EqualTo("posix-rename@openssh.com"));
    }

    private static SshNetTransferClient Client(SftpTestServer server) => new(
        () => new ConnectionInfo("127.0.0.1", server.EndPoint.Port, "demo", new PasswordAuthenticationMethod("demo", "demo")),
        options: new SshNetOptions { HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint] } });
}
