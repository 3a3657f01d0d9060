using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Ssh;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Batch;

/// <summary>
/// What runs at a host is read first by the user's own shell, which need not be a POSIX one; and the tools there need not be GNU's.
/// </summary>
[TestFixtureSource(nameof(Hosts))]
[Parallelizable]
public sealed class LogInShellTests : SshFixture
{
    private const int Files = 300;

    // What is a word of its own only where it is quoted.
    private const string Odd = "/it's $HOME \\ !x";

    private readonly bool _tarTakesLists;

    /// <param name="variant">The server.</param>
    /// <param name="tarTakesLists">Its tar can be given the names of what it is to send.</param>
    public LogInShellTests(ServerVariant variant, bool tarTakesLists)
        : base(variant) => _tarTakesLists = tarTakesLists;

    public static IEnumerable<TestFixtureData> Hosts =>
    [
        .. new[] { "fish", "tcsh", "zsh" }.Select(shell =>
            new TestFixtureData(ServerVariant.Sftp with { Name = shell, LogInShell = ServerFiles.LogInShell(shell) }, true)),
        new(ServerVariant.Sftp with { Name = "busybox", LogInShell = Path.Combine(ServerFiles.SmallHost, "sh"),
            SshSettings = $"SetEnv PATH={ServerFiles.SmallHost}" }, false),
    ];

    [Test]
    public async Task A_folder_goes_up_in_a_batch_and_comes_down()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, Files);
        await using var client = Client();
        var up = await client.UploadDirectoryAsync(source, Remote + Odd, InBatch());
        Assert.That((up.Way, up.Reason, up.Files, up.Failed, up.Alone), Is.EqualTo((BatchWay.Tar, (string?)null, (long)Files, 0L, 0)));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + Odd), TimeSpan.FromSeconds(1)), Is.Empty);

        var target = Path.Combine(Scratch, "down");
        if (_tarTakesLists)
        {
            var down = await client.DownloadDirectoryAsync(Remote + Odd, target, InBatch());
            Assert.That((down.Way, down.Reason, down.Files, down.Failed), Is.EqualTo((BatchWay.Tar, (string?)null, (long)Files, 0L)));
        }
        else
        {
            var error = (await Assert.CatchAsync<TransferException>(() => client.DownloadDirectoryAsync(Remote + Odd, target, InBatch())))!;
            Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
            var down = await client.DownloadDirectoryAsync(Remote + Odd, target, new BatchOptions());
            Assert.That((down.Way, down.Failed), Is.EqualTo((BatchWay.Files, 0L)));
        }
        Assert.That(TestTree.Differences(source, target, TimeSpan.FromSeconds(1)), Is.Empty);
    }

    [Test]
    public async Task Hashes_are_the_hosts()
    {
        Server.Plant(Remote + Odd, [1, 2, 3]);
        await using var client = Client();
        Assert.That(await client.GetHashAsync(Remote + Odd, "SHA-256"),
            Is.EqualTo("039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"));
    }
}
