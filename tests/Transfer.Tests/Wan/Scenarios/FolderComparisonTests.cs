using Transfer.Wan.Runs;

namespace Transfer.Tests.Wan.Scenarios;

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
    public void The_same_files_do_not_differ() => Assert.That(FolderComparison.Difference(_sent, _there), Is.Null);

    [Test]
    public void A_missing_file_is_named()
    {
        File.Delete(Path.Combine(_there, "b"));
        Assert.That(FolderComparison.Difference(_sent, _there), Is.EqualTo("1 files are missing, b first"));
    }

    [Test]
    public void A_file_too_many_is_named()
    {
        File.WriteAllText(Path.Combine(_there, ".b.part"), string.Empty);
        Assert.That(FolderComparison.Difference(_sent, _there), Is.EqualTo(".b.part was not sent"));
    }

    [Test]
    public void A_last_byte_that_differs_is_seen()
    {
        using (var file = File.OpenWrite(Path.Combine(_there, "b")))
        {
            file.Position = 1 << 20;
            file.WriteByte(1);
        }

        Assert.That(FolderComparison.Difference(_sent, _there), Is.EqualTo("b has other contents"));
    }

    [Test]
    public void A_file_that_is_too_short_is_seen()
    {
        File.WriteAllBytes(Path.Combine(_there, "a"), [1, 2]);
        Assert.That(FolderComparison.Difference(_sent, _there), Is.EqualTo("a has other contents"));
    }
}
