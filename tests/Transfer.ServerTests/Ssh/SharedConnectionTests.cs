using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>Sessions share connections: as many as the options want, or as sshd allows.</summary>
[TestFixture("MaxSessions 10", 1, 1)]
[TestFixture("MaxSessions 10", 4, 4)]
[TestFixture("MaxSessions 3", 1, 3)]
[TestFixture("MaxSessions 1", 4, 8)]
[Parallelizable]
public sealed class SharedConnectionTests(string limit, int wanted, int connections)
    : SshFixture(ServerVariant.Sftp with { Name = $"Shared-{limit.Replace(' ', '-')}-{wanted}", SshSettings = limit })
{
    private const int Sessions = 8;
    private const long Length = 200_000;

    [Test]
    public async Task Eight_sessions_are_open_at_once()
    {
        await using var client = Ssh.SftpClient(options => options with { MaxSessions = Sessions, Connections = wanted });

        // None goes on before all have begun, so each has a session of its own.
        var sources = Enumerable.Range(0, Sessions).Select(_ => new GatedStream(Length, before: Length / 2)).ToList();
        var uploads = Task.WhenAll(sources.Select((source, i) => client.UploadAsync(source, $"{Remote}/{i}")));
        await await Task.WhenAny(uploads, Task.WhenAll(sources.Select(source => source.Reached))).WaitAsync(TimeSpan.FromSeconds(60));
        foreach (var source in sources) source.Open();
        await uploads;

        Assert.That(RemoteNames().Select(name => new FileInfo(Server.Local($"{Remote}/{name}")).Length),
            Is.All.EqualTo(Length).And.Exactly(Sessions).Items);
        Assert.That(Lines("Starting session: subsystem 'sftp'"), Is.EqualTo(Sessions));
        Assert.That(Lines("Accepted password"), Is.EqualTo(connections));
    }

    private int Lines(string text) => Log.Split(text).Length - 1;
}
