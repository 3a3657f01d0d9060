using System.Runtime.Versioning;
using Transfer.Pooling;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sessions;

/// <summary>The file that remembers how many sessions servers allow.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class LimitsFileTests : IDisposable
{
    private const string Ignored = "that is ignored";
    private static readonly string Key = KeyOf(0);

    private readonly TempFolder _folder = new();
    private readonly ManualTime _clock = new(DateTimeOffset.UnixEpoch);
    private readonly RecordingLogger _logger = new();

    private string Path => _folder["state/limits"];

    public void Dispose() => _folder.Dispose();

    [Test]
    public void What_one_has_learned_another_finds()
    {
        Assert.That(Open().Find(Key), Is.Null);
        Remember(Key, 3);
        Remember(KeyOf(1), 5);
        Assert.That(Open().Find(Key)?.Sessions, Is.EqualTo(3));
        Assert.That(Open().Find(KeyOf(1))?.Sessions, Is.EqualTo(5));
        Assert.That(Open().Find(KeyOf(2)), Is.Null);
        Remember(Key, 2);
        Assert.That(Open().Find(Key), Is.EqualTo(new RememberedLimit(2, _clock.GetUtcNow())));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "state/limits" }));
        Assert.That(_logger.Messages, Is.Empty);
    }

    [Test]
    public void Scheme_host_port_and_user_tell_servers_apart_and_none_of_them_is_told()
    {
        string[] keys =
        [
            LimitsFile.KeyOf(new Uri("ftp://host/a"), "user"), LimitsFile.KeyOf(new Uri("ftps://host/"), "user"),
            LimitsFile.KeyOf(new Uri("ftp://other/"), "user"),
            LimitsFile.KeyOf(new Uri("ftp://host:2121/"), "user"), LimitsFile.KeyOf(new Uri("ftp://host/"), "other"),
            LimitsFile.KeyOf(new Uri("ftp://host/"), null),
        ];
        Assert.That(keys, Is.Unique);
        Assert.That(LimitsFile.KeyOf(new Uri("ftp://user:secret@HOST:21/b"), "user"), Is.EqualTo(keys[0]));
        Assert.That(keys, Is.All.Match("^[0-9a-f]{32}$"));
    }

    [Test]
    public void After_a_week_it_is_forgotten()
    {
        Remember(Key, 3);
        _clock.Advance(LimitsFile.KeptFor - TimeSpan.FromSeconds(1));
        Assert.That(Open().Find(Key)?.Sessions, Is.EqualTo(3));
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.That(Open().Find(Key), Is.Null);
        Remember(KeyOf(1), 4);
        Assert.That(File.ReadAllText(Path), Does.Not.Contain(Key));
    }

    [Test]
    public void A_limit_from_the_far_future_is_forgotten_too()
    {
        _clock.Advance(TimeSpan.FromDays(30));
        Remember(Key, 3);
        var before = new LimitsFile(Path, new ManualTime(DateTimeOffset.UnixEpoch), _logger);
        Assert.That(before.Find(Key), Is.Null);
    }

    [Test]
    public void The_servers_learned_last_are_kept()
    {
        for (var i = 0; i < LimitsFile.MostServers + 10; i++)
        {
            Remember(KeyOf(i), 1 + i);
            _clock.Advance(TimeSpan.FromSeconds(1));
        }
        Assert.That(File.ReadAllLines(Path), Has.Length.EqualTo(LimitsFile.MostServers));
        Assert.That(Open().Find(KeyOf(9)), Is.Null);
        Assert.That(Open().Find(KeyOf(10))?.Sessions, Is.EqualTo(11));
    }

    [TestCase("{ \"limits\": [] }\n")]
    [TestCase("\0\0\0\0\0\0\0\0")]
    [TestCase("KEY 3\n")]
    [TestCase("KEY 0 0\n")]
    [TestCase("KEY -3 0\n")]
    [TestCase("KEY 99999999999 0\n")]
    [TestCase("KEY 3 99999999999\n")]
    [TestCase("KEY 3 0 0\n")]
    [TestCase("KEY0 3 0\n")]
    [TestCase("KEY 3 0")]
    public void Garbage_is_ignored_and_the_next_that_is_learned_takes_its_place(string garbage)
    {
        _folder.Add("state/limits", System.Text.Encoding.UTF8.GetBytes(garbage.Replace("KEY", Key, StringComparison.Ordinal)));
        Assert.That(Open().Find(Key), Is.Null);
        Assert.That(_logger.Messages, Has.Exactly(1).Contains(Ignored));
        Assert.That(_logger.Warnings, Is.Empty);
        Remember(Key, 2);
        Assert.That(Open().Find(Key)?.Sessions, Is.EqualTo(2));
        Assert.That(File.ReadAllText(Path), Is.EqualTo($"{Key} 2 0\n"));
    }

    [Test]
    public void More_than_it_can_be_is_not_read_to_its_end()
    {
        _folder.Add("state/limits", new byte[10 << 20]);
        Assert.That(Open().Find(Key), Is.Null);
        Remember(Key, 2);
        Assert.That(Open().Find(Key)?.Sessions, Is.EqualTo(2));
    }

    [Test]
    public void Cut_off_anywhere_it_never_gives_another_number()
    {
        _clock.Advance(TimeSpan.FromDays(20_000));
        for (var i = 0; i < 3; i++) Remember(KeyOf(i), 160 + i);
        var whole = File.ReadAllBytes(Path);
        for (var length = 0; length <= whole.Length; length++)
        {
            File.WriteAllBytes(Path, whole[..length]);
            for (var i = 0; i < 3; i++) Assert.That(Open().Find(KeyOf(i))?.Sessions, Is.Null.Or.EqualTo(160 + i));
        }
    }

    [Test]
    public async Task Where_many_write_at_once_every_reader_finds_a_whole_file()
    {
        using var stop = new CancellationTokenSource();
        var reading = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested) Open().Find(Key);
        });
        await Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Run(() =>
        {
            for (var round = 1; round <= 25; round++) Remember(KeyOf(i), round);
        })));
        await stop.CancelAsync();
        await reading;
        Assert.That(Enumerable.Range(0, 8).Select(i => Open().Find(KeyOf(i))?.Sessions), Is.All.EqualTo(25));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "state/limits" }));
        // Windows does not replace a file at the moment in which another reads it: then it is not kept.
        if (!OperatingSystem.IsWindows()) Assert.That(_logger.Messages, Is.Empty);
    }

    [Test]
    public void What_was_left_by_others_who_were_killed_is_deleted_when_it_is_old()
    {
        foreach (var name in new[] { "limits.1.tmp", "limits.2.tmp", "other.tmp" }) _folder.Add($"state/{name}", [1], _clock.GetUtcNow());
        _clock.Advance(TimeSpan.FromDays(30));
        File.SetLastWriteTimeUtc(_folder["state/limits.2.tmp"], _clock.GetUtcNow().UtcDateTime);
        Remember(Key, 2);
        Assert.That(_folder.Files, Is.EqualTo(new[] { "state/limits", "state/limits.2.tmp", "state/other.tmp" }));
    }

    [Test]
    public void Where_it_cannot_be_nothing_fails()
    {
        Directory.CreateDirectory(Path);
        Assert.That(Open().Find(Key), Is.Null);
        Remember(Key, 2);
        Assert.That(_logger.Messages, Has.Exactly(1).Contains("can't be kept"));
        Assert.That(_logger.Warnings, Is.Empty);
        Assert.That(_folder.Files, Is.Empty);

        _folder.Add("file", [1]);
        new LimitsFile(_folder["file/limits"], _clock, _logger).Remember(Key, new RememberedLimit(2, _clock.GetUtcNow()));
        Assert.That(_logger.Messages, Has.Exactly(2).Contains("can't be kept"));
    }

    [Test]
    [Platform(Exclude = "Win")]
    [UnsupportedOSPlatform("windows")]
    public void It_is_its_users_alone()
    {
        Remember(Key, 2);
        Assert.That(File.GetUnixFileMode(Path), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        Assert.That(File.GetUnixFileMode(_folder["state"]),
            Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute));
    }

    private static string KeyOf(int server) => LimitsFile.KeyOf(new Uri($"ftp://host{server}/"), "user");

    private LimitsFile Open() => new(Path, _clock, _logger);

    private void Remember(string key, int sessions) => Open().Remember(key, new RememberedLimit(sessions, _clock.GetUtcNow()));
}
