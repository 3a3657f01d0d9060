using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>sshd allows fewer sessions a connection, or fewer connections that have not logged in, than the client would like.</summary>
[TestFixture("MaxSessions 3", 10)]
[TestFixture("MaxSessions 1", 10)]
[TestFixture("MaxStartups 2:100:2", 1)]
[Parallelizable]
public sealed class SshLimitTests(string limit, int sessionsPerConnection)
    : SshFixture(ServerVariant.Sftp with { Name = limit.Replace(' ', '-').Replace(':', '-'), SshSettings = limit })
{
    private const int Sessions = 8;

    [Test]
    public async Task A_folder_goes_through_with_what_is_allowed()
    {
        var source = Path.Combine(Scratch, "source");
        var target = Path.Combine(Scratch, "target");
        TestTree.Write(source, files: 400);
        await using var client =
            Ssh.SftpClient(options => options with { MaxSessions = Sessions, SessionsPerConnection = sessionsPerConnection });

        var up = await client.UploadDirectoryAsync(source, Remote + "/tree");
        var down = await client.DownloadDirectoryAsync(Remote + "/tree", target);

        TestContext.Out.WriteLine($"{limit}: {up.Sessions} sessions up, {down.Sessions} down, {up.Retries} and {down.Retries} retries");
        Assert.That((up.Files, up.Failed, down.Files, down.Failed), Is.EqualTo((400L, 0L, 400L, 0L)));
        Assert.That(TestTree.Differences(source, target, ListedPrecision), Is.Empty);
    }
}
