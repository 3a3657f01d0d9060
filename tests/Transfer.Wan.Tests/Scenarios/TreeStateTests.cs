using System.Runtime.Versioning;
using Transfer.Wan.Runs;
using Transfer.Wan.Scenarios;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>What an operation on a tree has done is seen at the server's files.</summary>
public sealed class TreeStateTests
{
    private string _source = string.Empty;
    private string _target = string.Empty;

    [SetUp]
    public void SetUp()
    {
        var folder = Directory.CreateTempSubdirectory("tree-state-").FullName;
        (_source, _target) = (Path.Combine(folder, "near"), Path.Combine(folder, "far"));
        foreach (var side in new[] { _source, _target })
        {
            Directory.CreateDirectory(Path.Combine(side, "d"));
            foreach (var name in new[] { "a.bin", "d/b.bin" })
            {
                File.WriteAllText(Path.Combine(side, name), name);
                File.SetLastWriteTimeUtc(Path.Combine(side, name), new DateTime(2024, 1, 2, 3, 4, 5, DateTimeKind.Utc));
            }
        }
    }

    [TearDown]
    public void TearDown() => Directory.Delete(Path.GetDirectoryName(_source)!, recursive: true);

    [TestCase("a.bin\nd/\nd/b.bin\n", null)]
    [TestCase("-rw-r--r-- 5 2024/01/02 03:04:05 a.bin\n-rw-r--r-- 7 2024/01/02 03:04:05 d/b.bin\n", null)]
    [TestCase("a.bin\nd/\n", "b.bin was not printed")]
    public void A_list_names_every_file(string output, string? difference) =>
        Assert.That(State(TreeWork.List).Difference(output), Is.EqualTo(difference));

    [Test]
    public void A_synchronization_leaves_files_of_the_same_content_and_time()
    {
        Assert.That(State(TreeWork.Sync).Difference(string.Empty), Is.Null);
        File.SetLastWriteTimeUtc(Path.Combine(_target, "a.bin"), DateTime.UtcNow);
        Assert.That(State(TreeWork.Sync).Difference(string.Empty), Is.EqualTo("a.bin has another modification time"));
    }

    [Test]
    public void A_deletion_leaves_nothing()
    {
        File.Delete(Path.Combine(_target, "a.bin"));
        var state = State(TreeWork.Delete);
        Assert.That((state.Difference(string.Empty), state.Done()), Is.EqualTo(("d is still there", 6L)));
        Directory.Delete(_target, recursive: true);
        Assert.That((state.Difference(string.Empty), state.Done()), Is.EqualTo(((string?)null, 12L)));
        Directory.CreateDirectory(_target);
    }

    [Test]
    [Platform(Exclude = "Win")]
    [UnsupportedOSPlatform("windows")]
    public void Permissions_are_those_of_every_entry()
    {
        File.SetUnixFileMode(Path.Combine(_target, "a.bin"), TreeWorks.Mode);
        File.SetUnixFileMode(Path.Combine(_target, "d"), TreeWorks.Mode);
        var state = State(TreeWork.Modes);
        Assert.That((state.Difference(string.Empty), state.Done()), Is.EqualTo(("d/b.bin has other permissions", 6L)));
        File.SetUnixFileMode(Path.Combine(_target, "d/b.bin"), TreeWorks.Mode);
        Assert.That(state.Difference(string.Empty), Is.Null);
    }

    private TreeState State(TreeWork work) => new(work, _source, _target, files: 2, bytes: 12);
}
