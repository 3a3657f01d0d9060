using Transfer.Ftp.Session;

namespace Transfer.Tests.Ftp.Session;

/// <summary>The memory of directories that STAT has just shown.</summary>
public sealed class SeenDirectoriesTests
{
    private readonly ManualTime _time = new();

    [Test]
    public void A_directory_is_there_once_and_nothing_else_is()
    {
        var seen = new FtpSeenDirectories(_time);
        seen.Add([Entry("/d/a", RemoteEntryType.Directory), Entry("/d/link", RemoteEntryType.Link), Entry("/d/f", RemoteEntryType.File)]);
        Assert.That(new[] { "/d/a", "/d/a", "/d/link", "/d/f", "/d/absent" }.Select(seen.Take),
            Is.EqualTo(new[] { true, false, false, false, false }));
    }

    // A directory may be replaced by a link at any time.
    [Test]
    public void None_is_older_than_five_seconds()
    {
        var seen = new FtpSeenDirectories(_time);
        seen.Add([Entry("/a", RemoteEntryType.Directory), Entry("/b", RemoteEntryType.Directory)]);
        _time.Advance(TimeSpan.FromSeconds(4));
        seen.Add([Entry("/c", RemoteEntryType.Directory)]);
        Assert.That(seen.Take("/a"));
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.That(seen.Take("/b") || seen.Take("/c"), Is.False);
        seen.Add([Entry("/d", RemoteEntryType.Directory)]);
        Assert.That(seen.Take("/d"));
    }

    [Test]
    public void Ten_thousand_are_kept()
    {
        var seen = new FtpSeenDirectories(_time);
        seen.Add([.. Enumerable.Range(0, 10_001).Select(i => Entry($"/{i}", RemoteEntryType.Directory))]);
        Assert.That((seen.Take("/9999"), seen.Take("/10000")), Is.EqualTo((true, false)));
    }

    private static RemoteEntry Entry(string path, RemoteEntryType type) => new() { Path = path, Type = type };
}
