using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>A target that calls some things otherwise is made like its source, and stays so.</summary>
[Platform(Exclude = "Win,MacOsX", Reason = "Needs names that these can't have.")]
public sealed class NameMappingTests : MemoryFixture
{
    [SetUp]
    public void Fill()
    {
        foreach (var name in (string[])["a:b", "README", "readme", "d:/x", "d:/y?", "plain"])
            Local.Add(name, System.Text.Encoding.UTF8.GetBytes(name), Samples.Time);
    }

    [Test]
    public async Task The_second_time_nothing_is_sent_and_nothing_deleted([Values] SyncComparison compare)
    {
        var first = await UpAsync(new() { Compare = compare });
        Assert.That((first.Files, first.Failed), Is.EqualTo((6L, 0L)));
        var second = await UpAsync(new() { Compare = compare });
        Assert.That((second.Files, second.Unchanged, second.Moved, second.Deleted), Is.EqualTo((0L, 6L, 0L, 0L)));
        Assert.That(Store.Files,
            Is.EqualTo(new[] { "/t/%72%65%61%64%6D%65", "/t/README", "/t/a%3Ab", "/t/d%3A/x", "/t/d%3A/y%3F", "/t/plain" }));
        Assert.That(Items.Values.Where(item => item.Action == ItemAction.Keep).Select(item => (item.Path, item.MappedTo)),
            Does.Contain(("d:/y?", "d%3A/y%3F")));

        Local.Add("a:b", [1, 2, 3, 4], Samples.Time.AddDays(1));
        var third = await UpAsync(new() { Compare = compare });
        Assert.That((third.Files, third.Unchanged, third.Deleted), Is.EqualTo((1L, 5L, 0L)));
        Assert.That(Store["/t/a%3Ab"]!.Content, Is.EqualTo(new byte[] { 1, 2, 3, 4 }));
    }

    [Test]
    public async Task What_the_source_has_no_longer_is_deleted_and_what_was_renamed_moved()
    {
        Store.Hashes = true;
        await UpAsync(new());
        Directory.Delete(Local["d:"], recursive: true);
        File.Delete(Local["readme"]);
        File.Move(Local["a:b"], Local["c?"]);
        var result = await UpAsync(new());
        Assert.That((result.Files, result.Moved, result.Deleted, result.Failed), Is.EqualTo((0L, 1L, 4L, 0L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/README", "/t/c%3F", "/t/plain" }));
        var moved = Items.Values.Single(item => item.Action == ItemAction.Move);
        Assert.That((moved.Path, moved.MappedTo, moved.MovedFrom), Is.EqualTo(("c?", "c%3F", "a%3Ab")));
    }

    [TestCase("a:*")]
    [TestCase("a%*")]
    public async Task What_is_left_out_stays_by_either_name(string pattern)
    {
        await UpAsync(new());
        File.Delete(Local["a:b"]);
        var result = await UpAsync(new() { Filter = new() { Exclude = [pattern] } });
        Assert.That(result.Deleted, Is.Zero);
        Assert.That(Store["/t/a%3Ab"], Is.Not.Null);
    }

    [Test]
    public async Task In_a_folder_with_another_name_what_only_the_target_has_is_deleted()
    {
        await UpAsync(new());
        Store.AddFile("/t/d%3A/gone/z", [1]);
        var result = await UpAsync(new());
        Assert.That((result.Unchanged, result.Deleted), Is.EqualTo((6L, 2L)));
        Assert.That(Items.Values.Where(item => item.Action == ItemAction.Delete).Select(item => (item.Path, item.MappedTo)),
            Is.EquivalentTo(new[] { ("d:/gone", "d%3A/gone"), ("d:/gone/z", "d%3A/gone/z") }));
        Assert.That(Store["/t/d%3A/gone"], Is.Null);
    }

    private async Task<JobResult> UpAsync(SyncOptions options) =>
        await Client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, options with { NameMapping = NameMapping.Windows, Delete = true },
            readItems: true).TellAsync(Items).Soon();
}
