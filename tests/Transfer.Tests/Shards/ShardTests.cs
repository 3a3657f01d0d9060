using FsCheck;
using FsCheck.Fluent;
using Transfer.Names;

namespace Transfer.Tests.Shards;

[TestFixture]
public sealed class ShardTests
{
    // Found by another program (SHA-256 of the folded name, first eight bytes, highest first): a changed rule would divide a job's files
    // anew between two versions.
    [TestCase("a.txt", 1781115419757552629UL)]
    [TestCase("A.TXT", 1781115419757552629UL)]
    [TestCase("sub/Readme.md", 2993094426453460663UL)]
    [TestCase("\u00C4rger", 6195547486448839657UL)]
    [TestCase("A\u0308rger", 6195547486448839657UL)]
    [TestCase("data/2026/11/0001.bin", 16637982045439321471UL)]
    public void The_hash_of_a_path_never_changes(string path, ulong hash) => Assert.That(ShardHash.Of(path), Is.EqualTo(hash));

    [TestCase("\u03C3\u03C2", "\u03A3\u03A3", TestName = "Both small sigmas")]
    [TestCase("\u212A", "k", TestName = "The sign for kelvin")]
    [TestCase("\uDC80x", "\uDC81x", TestName = "Bytes that are no UTF-8")]
    public void Names_that_are_one_at_some_target_are_in_one_shard(string first, string second) =>
        Assert.That(ShardHash.Of(first), Is.EqualTo(ShardHash.Of(second)));

    [Test]
    public void Every_path_is_in_exactly_one_part([Values] ShardUnit unit) => Prop.ForAll<NonEmptyString[], PositiveInt>((names, number) =>
    {
        var count = 1 + number.Get % 50;
        var path = string.Join('/', names.Select(name => name.Get.Replace('/', '_')).DefaultIfEmpty("f"));
        var parts = Enumerable.Range(0, count).Select(index => new TransferShard(index, count, unit)).ToList();
        var takers = parts.Where(part => part.Takes(path)).ToList();
        var folders = path.Split('/').Length - 1;
        var above = Enumerable.Range(1, folders).Select(depth => string.Join('/', path.Split('/').Take(depth)));
        return takers.Count == 1 && above.All(takers[0].Enters) && !TransferShard.Final.Takes(path);
    }).QuickCheckThrowOnFailure();

    [Test]
    public void Whole_folders_stay_together_by_folder() => Prop.ForAll<NonEmptyString, NonEmptyString, PositiveInt>((one, other, number) =>
    {
        var shard = new TransferShard(0, 1 + number.Get % 50, ShardUnit.Directory);
        return shard.Takes("d/" + one.Get) == shard.Takes("d/" + other.Get) && shard.Takes("d/" + one.Get) == shard.Enters("d");
    }).QuickCheckThrowOnFailure();

    [TestCase("0/1", 0, 1)]
    [TestCase("3/4", 3, 4)]
    public void Parts_are_read_as_they_are_written(string text, int index, int count)
    {
        Assert.That(TransferShard.TryParse(text, ShardUnit.Directory, out var shard));
        Assert.That((shard!.Index, shard.Count, shard.Unit, shard.ToString()), Is.EqualTo((index, count, ShardUnit.Directory, text)));
    }

    [Test]
    public void The_last_phase_has_a_word() =>
        Assert.That(TransferShard.TryParse("final", ShardUnit.File, out var shard) && shard == TransferShard.Final);

    [TestCase("")]
    [TestCase("1")]
    [TestCase("4/4")]
    [TestCase("-1/4")]
    [TestCase("0/0")]
    [TestCase("1/ 4")]
    [TestCase("0/4/2")]
    [TestCase("Final")]
    [TestCase("0/99999999999")]
    public void Other_texts_are_refused(string text) => Assert.That(TransferShard.TryParse(text, ShardUnit.File, out _), Is.False);

    [Test]
    public void There_is_no_part_out_of_range()
    {
        Assert.That(() => new TransferShard(4, 4), Throws.TypeOf<ArgumentOutOfRangeException>());
        Assert.That(() => new TransferShard(-1, 4), Throws.TypeOf<ArgumentOutOfRangeException>());
        Assert.That(() => new TransferShard(0, 0), Throws.TypeOf<ArgumentOutOfRangeException>());
        Assert.That(() => new TransferShard(0, 1, (ShardUnit)9), Throws.TypeOf<ArgumentOutOfRangeException>());
    }

    [TestCase(10, 4, "3,3,2,2")]
    [TestCase(4, 4, "1,1,1,1")]
    [TestCase(2, 4, "1,1,1,1")]
    [TestCase(7, 1, "7")]
    public void Shares_of_a_limit_add_up_to_the_limit_and_none_is_0(long total, int count, string shares)
    {
        Assert.That(string.Join(',', Parts(count).Select(part => part.ShareOf(total))), Is.EqualTo(shares));
        Assert.That(TransferShard.Final.ShareOf(total), Is.EqualTo(total));
        Assert.That(new PlanHeader { Source = "a", Target = "b", Part = 0, Parts = count }.ShareOf(total), Is.EqualTo(shares[0] - '0'));
    }

    [Test]
    public void Parts_are_about_equal()
    {
        var counts = new int[8];
        for (var i = 0; i < 8000; i++) counts[Array.FindIndex(Parts(8), part => part.Takes($"folder/{i}.bin"))]++;
        Assert.That(counts, Is.All.InRange(850, 1150));
    }

    private static TransferShard[] Parts(int count) => [.. Enumerable.Range(0, count).Select(index => new TransferShard(index, count))];
}
