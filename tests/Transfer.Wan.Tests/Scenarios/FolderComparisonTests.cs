using Transfer.Wan.Runs;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>That what arrived is what was sent.</summary>
public sealed class FolderComparisonTests
{
    private string _sent = string.Empty;
    private string _there = string.Empty;

    [SetUp]
    public void Create()
    {
        _sent = Directory.CreateTempSubdirectory("wan-sent-").FullName;
        _there = Directory.CreateTempSubdirectory("wan-there-").FullName;
        foreach (var folder in new[] { _sent, _there })
        {
            File.WriteAllBytes(Path.Combine(folder, "a"), [1, 2, 3]);
            File.WriteAllBytes(Path.Combine(folder, "b"), new byte[(1 << 20) + 5]);
        }
    }

    [TearDown]
    public void Delete()
    {
        Directory.Delete(_sent, recursive: true);
        Directory.Delete(_there, recursive: true);
    }

    [Test]
    public void The_same_files_do_not_differ() => Assert.That(FolderComparison.Difference(_sent, _there, null), Is.Null);

    [Test]
    public void A_modification_time_that_differs_is_seen_where_times_are_kept()
    {
        var time = new DateTime(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc);
        foreach (var name in (string[])["a", "b"])
        {
            File.SetLastWriteTimeUtc(Path.Combine(_sent, name), time);
            File.SetLastWriteTimeUtc(Path.Combine(_there, name), time);
        }
        Assert.That(FolderComparison.Difference(_sent, _there, TimeSpan.FromTicks(1)), Is.Null);
        File.SetLastWriteTimeUtc(Path.Combine(_there, "b"), time.AddMilliseconds(999));
        Assert.That(FolderComparison.Difference(_sent, _there, TimeSpan.FromSeconds(1)), Is.Null);
        Assert.That(FolderComparison.Difference(_sent, _there, TimeSpan.FromTicks(1)), Is.EqualTo("b has another modification time"));
        Assert.That(FolderComparison.Difference(_sent, _there, null), Is.Null);
    }

    [Test]
    public void A_missing_file_is_named()
    {
        File.Delete(Path.Combine(_there, "b"));
        Assert.That(FolderComparison.Difference(_sent, _there, null), Is.EqualTo("1 files are missing, b first"));
    }

    [Test]
    public void A_file_too_many_is_named()
    {
        File.WriteAllText(Path.Combine(_there, ".b.part"), string.Empty);
        Assert.That(FolderComparison.Difference(_sent, _there, null), Is.EqualTo(".b.part was not sent"));
    }

    [Test]
    public void A_last_byte_that_differs_is_seen()
    {
        using (var file = File.OpenWrite(Path.Combine(_there, "b")))
        {
            file.Position = 1 << 20;
            file.WriteByte(1);
        }

        Assert.That(FolderComparison.Difference(_sent, _there, null), Is.EqualTo("b has other contents"));
    }

    [Test]
    public void A_file_that_is_too_short_is_seen()
    {
        File.WriteAllBytes(Path.Combine(_there, "a"), [1, 2]);
        Assert.That(FolderComparison.Difference(_sent, _there, null), Is.EqualTo("a has other contents"));
    }
}
