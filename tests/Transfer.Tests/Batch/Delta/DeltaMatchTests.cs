using FsCheck;
using FsCheck.Fluent;
using Transfer.Batch.Archive.Delta;

namespace Transfer.Tests.Batch.Delta;

/// <summary>What is found of an old file in a new one, and that the new one comes of it.</summary>
[Category(Categories.Slow)]
public sealed class DeltaMatchTests
{
    [Test]
    public void Whatever_was_edited_is_rebuilt()
    {
        Prop.ForAll(Gen.Choose(0, 1_000_000).ToArbitrary(), seed =>
        {
            var random = new Random(seed);
            var old = Content(random,
                random.Next(4) switch
                {
                    0 => random.Next(1, 2000),
                    1 => 512 * random.Next(1, 40),
                    2 => random.Next(300_000),
                    _ =>
                random.Next(1, 40_000)
                } + 1);
            using var files = new DeltaCase(old, Edit(random, old));
            var delta = files.Match(files.Sign(random.Next(1, 5000)));
            if (delta is null) return files.Source.Length > 2 * old.Length;
            return files.Rebuild(DeltaCase.Head(delta), files.Body(delta), random.Next(1, 100_000)).AsSpan().SequenceEqual(files.Source);
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void A_rolling_hash_is_the_hash_of_its_window()
    {
        Prop.ForAll<byte[], byte>((bytes, size) =>
        {
            var length = (size % 40) + 1;
            if (bytes is null || bytes.Length < length) return true;
            var hash = RollingHash.Of(bytes.AsSpan(0, length));
            for (var at = 1; at + length <= bytes.Length; at++)
            {
                hash = RollingHash.Roll(hash, RollingHash.Step(RollingHash.Leaving(length), bytes[at - 1], bytes[at + length - 1]));
                if (hash != RollingHash.Of(bytes.AsSpan(at, length))) return false;
            }
            return true;
        }).QuickCheckThrowOnFailure();
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(511)]
    [TestCase(100_003)]
    public void What_was_put_in_moves_all_behind_it_and_costs_itself_only(int inserted)
    {
        var old = Samples.Bytes(1_000_000);
        using var files = new DeltaCase(old, [.. old.AsSpan(0, 333_333), .. Samples.Bytes(inserted, 2), .. old.AsSpan(333_333)]);
        var delta = files.Match()!;
        Assert.That(delta.BodyLength, Is.LessThan(inserted + 1100), "the block that was cut in two, and a few numbers");
        Assert.That(files.Rebuild(DeltaCase.Head(delta), files.Body(delta)), Is.EqualTo(files.Source));
    }

    [Test]
    public void Blocks_that_changed_places_are_found()
    {
        var old = Samples.Bytes(600_000);
        using var files = new DeltaCase(old, [.. old.AsSpan(400_000), .. old.AsSpan(0, 400_000)]);
        Assert.That(files.Match()!.BodyLength, Is.LessThan(3000));
    }

    [Test]
    public void The_same_file_is_a_few_bytes_though_its_last_block_is_short()
    {
        var old = Samples.Bytes(600_000);
        using var files = new DeltaCase(old, old);
        Assert.That(files.Sign().Shape.LengthOf(585, 1), Is.EqualTo(960));
        Assert.That(files.Match()!.BodyLength, Is.LessThan(8));
    }

    // Of one byte, or of a few, a hash says which they are.
    [TestCase(100_000, 160)]
    [TestCase(99_841, 1)]
    [TestCase(524_288 + 511, 511)]
    public void The_end_of_a_file_that_is_shorter_than_any_block_is_not_told_of(int length, int rest)
    {
        var old = Samples.Bytes(length);
        using var files = new DeltaCase(old, old);
        var signature = files.Sign();
        Assert.That(signature.Shape.LengthOf(0, signature.Shape.Blocks), Is.EqualTo(length - rest));
        Assert.That(signature.Shape.SignatureLength, Is.EqualTo(length / signature.Shape.Block * signature.Shape.EntryLength));
        var delta = files.Match()!;
        Assert.That(delta.Literals, Is.EqualTo(rest));
        Assert.That(files.Rebuild(DeltaCase.Head(delta), files.Body(delta)), Is.EqualTo(old));
    }

    [Test]
    public void A_short_last_block_is_found_behind_a_change()
    {
        var old = Samples.Bytes(600_000);
        using var files = new DeltaCase(old, [1, .. old.AsSpan(2)]);
        Assert.That(files.Match()!.BodyLength, Is.LessThan(1040));
    }

    [TestCase(0)]
    [TestCase(7)]
    public void One_byte_over_and_over_is_a_few_bytes(int value)
    {
        var old = Enumerable.Repeat((byte)value, 200_000).ToArray();
        using var files = new DeltaCase(old, [.. old, .. old.AsSpan(0, 100_100)]);
        var delta = files.Match()!;
        Assert.That(delta.BodyLength, Is.LessThan(2000));
        Assert.That(files.Rebuild(DeltaCase.Head(delta), files.Body(delta)), Is.EqualTo(files.Source));
    }

    [Test]
    public void Nothing_alike_is_no_delta()
    {
        using var files = new DeltaCase(Samples.Bytes(500_000), Samples.Bytes(500_000, 2));
        Assert.That(files.Match(files.Sign(), 375_000), Is.Null);
    }

    [Test]
    public void More_than_is_wanted_is_no_delta()
    {
        var old = Samples.Bytes(500_000);
        using var files = new DeltaCase(old, [.. old.AsSpan(0, 300_000), .. Samples.Bytes(200_000, 2)]);
        var length = files.Match()!.BodyLength;
        Assert.That(length, Is.InRange(200_000, 201_000));
        Assert.That(files.Match(files.Sign(), length), Is.Not.Null);
        Assert.That(files.Match(files.Sign(), length - 1), Is.Null);
    }

    [Test]
    public void A_file_is_not_made_more_than_twice_over()
    {
        var old = Samples.Bytes(20_480);
        using var thrice = new DeltaCase(old, [.. old, .. old, .. old]);
        Assert.That(thrice.Match(), Is.Null);
        using var twice = new DeltaCase(old, [.. old, .. old]);
        Assert.That(twice.Match(), Is.Not.Null);
    }

    [Test]
    public void A_file_that_became_shorter_meanwhile_is_no_delta()
    {
        using var files = new DeltaCase(Samples.Bytes(50_000), Samples.Bytes(50_000));
        using var handle = File.OpenHandle(typeof(DeltaMatchTests).Assembly.Location);
        Assert.That(DeltaMatcher.Match(handle, RandomAccess.GetLength(handle) + 1, files.Sign(), long.MaxValue, default), Is.Null);
    }

    // Every window's weak hash is that of a block, and no strong one: a hash of a block for each byte would take a minute.
    [Test]
    [CancelAfter(20_000)]
    public void A_signature_made_to_keep_its_reader_busy_is_given_up()
    {
        using var files = new DeltaCase(new byte[16 << 20], new byte[16 << 20]);
        var shape = BlockShape.For(files.Old.Length);
        var signature = new BaseSignature(shape);
        var entry = new byte[shape.EntryLength];
        entry.AsSpan(BlockShape.WeakLength).Fill(1);
        for (var i = 0; i < shape.Blocks; i++) signature.Add(entry);
        Assert.That(files.Match(signature), Is.Null);
    }

    // The longest blocks, and so many windows in one buffer that are none of them: a hash of four MiB for each byte would take hours, and
    // nobody could end it.
    [Test]
    public async Task Long_blocks_that_are_never_there_are_given_up_within_a_buffer()
    {
        using var files = new DeltaCase(Samples.Bytes(100_000), new byte[4 * BlockShape.MostBlock]);
        var shape = new BlockShape(files.Source.Length, BlockShape.MostBlock, BlockShape.LeastStrong);
        var signature = new BaseSignature(shape);
        var entry = new byte[shape.EntryLength];
        entry.AsSpan(BlockShape.WeakLength).Fill(1);
        for (var i = 0; i < shape.Blocks; i++) signature.Add(entry);
        Assert.That(await Task.Run(() => files.Match(signature)).WaitAsync(TimeSpan.FromSeconds(30)), Is.Null);
    }

    [Test]
    public void Shapes_stay_within_their_bounds()
    {
        for (var length = (long)BlockShape.LeastLength; length <= BlockShape.MostLength; length += length / 3)
        {
            var shape = BlockShape.For(length);
            Assert.That(shape.IsValid, $"{shape}");
            Assert.That(length - shape.LengthOf(0, shape.Blocks), Is.InRange(0, BlockShape.LeastBlock - 1));
            foreach (var times in new[] { 0.07, 0.5, 1, 2, 3.9 })
            {
                var other = (long)(length * times);
                if (!BlockShape.IsWorthwhile(other, length)) continue;
                Assert.That(BlockShape.For(other).SignatureLength, Is.LessThanOrEqualTo(BlockShape.MostSignature(length)),
                    $"{other} for {length}");
            }
        }
        Assert.That(BlockShape.For(BlockShape.MostLength).IsValid);
        Assert.That(BlockShape.IsWorthwhile(BlockShape.MostLength + 1, BlockShape.MostLength), Is.False);
    }

    // Noise, or text of few words, so that blocks are alike here and there.
    private static byte[] Content(Random random, int length)
    {
        var bytes = new byte[length];
        if (random.Next(2) == 0) random.NextBytes(bytes);
        else for (var i = 0; i < length; i++) bytes[i] = (byte)(i % 1024 < 700 ? 0 : random.Next(3));
        return bytes;
    }

    private static byte[] Edit(Random random, byte[] old)
    {
        var bytes = old.ToList();
        for (var edits = random.Next(6); edits > 0; edits--)
        {
            var at = random.Next(bytes.Count + 1);
            var count = Math.Min(random.Next(1, 3000), bytes.Count - at);
            switch (random.Next(5))
            {
                case 0:
                    bytes.InsertRange(at, Content(random, random.Next(3000)));
                    break;
                case 1:
                    bytes.RemoveRange(at, count);
                    break;
                case 2:
                    var moved = bytes.GetRange(at, count);
                    bytes.RemoveRange(at, count);
                    bytes.InsertRange(random.Next(bytes.Count + 1), moved);
                    break;
                case 3:
                    bytes.AddRange(bytes.GetRange(at, count));
                    break;
                default:
                    for (var i = at; i < at + count; i++) bytes[i] ^= 0x55;
                    break;
            }
        }
        return [.. bytes];
    }
}
