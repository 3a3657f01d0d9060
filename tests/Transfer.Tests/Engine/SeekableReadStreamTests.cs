using Transfer.Engine.Operations;

namespace Transfer.Tests.Engine;

public sealed class SeekableReadStreamTests
{
    private const int Block = SeekableReadStream.BlockSize;

    private readonly byte[] _content = Samples.Bytes(3_000_000);
    private readonly List<(long Start, long Length)> _ranges = [];
    private int _open;
    private int _shorterBy;

    [SetUp]
    public void Forget()
    {
        _ranges.Clear();
        (_open, _shorterBy) = (0, 0);
    }

    [Test]
    public async Task Read_in_order_the_file_comes_in_one_range_to_its_end()
    {
        await using var stream = Open();
        Assert.That(_ranges, Is.Empty, "nothing is fetched before something is read");
        var read = new MemoryStream();
        await stream.CopyToAsync(read);
        Assert.That(read.ToArray().AsSpan().SequenceEqual(_content));
        Assert.That(_ranges, Is.EqualTo(new[] { (0L, (long)_content.Length) }));
        Assert.That(_open, Is.Zero);
    }

    [Test]
    public void Synchronous_calls_block_and_read_the_same()
    {
        using var stream = Open();
        stream.Position = 100;
        Assert.That(stream.ReadByte(), Is.EqualTo(_content[100]));
        var read = new MemoryStream();
        stream.CopyTo(read);
        Assert.That(read.ToArray().AsSpan().SequenceEqual(_content.AsSpan(101)));
    }

    [Test]
    public async Task After_a_seek_a_block_is_fetched_that_serves_its_neighbourhood()
    {
        await using var stream = Open();
        foreach (var at in new[] { 2_000_000, 1_999_000, 2_010_000, 1_970_000 }) await AssertReads(stream, at, 100);
        Assert.That(_ranges, Is.EqualTo(new[] { (1_966_080L, (long)Block) }));
        Assert.That(_open, Is.Zero, "a session is held only while something comes");
    }

    [Test]
    public async Task Ranges_become_longer_as_long_as_they_are_read_in_order()
    {
        await using var stream = Open();
        await AssertReads(stream, Block, 20 * Block);
        Assert.That(_ranges.Select(range => range.Length / Block), Is.EqualTo(new[] { 1, 4, 16 }));
        await AssertReads(stream, 0, 10);
        Assert.That(_ranges[^1], Is.EqualTo((0L, (long)Block)));
        Assert.That(_open, Is.Zero);
    }

    [Test]
    public async Task A_little_further_on_is_read_and_dropped()
    {
        await using var stream = Open();
        await AssertReads(stream, 0, 10);
        await AssertReads(stream, 500, 10);
        await AssertReads(stream, 60_000, 10);
        Assert.That(_ranges, Has.Count.EqualTo(1));
        await AssertReads(stream, 1_000_000, 10);
        Assert.That(_ranges, Has.Count.EqualTo(2));
    }

    [Test]
    public async Task Any_sequence_of_seeks_and_reads_gives_what_the_file_has()
    {
        var random = new Random(5);
        await using var stream = Open();
        for (var i = 0; i < 400; i++)
        {
            var at = random.Next(3) switch
            {
                0 => stream.Position,
                1 => Math.Max(0, stream.Position + random.Next(-100_000, 100_000)),
                _ =>
                random.Next(_content.Length)
            };
            await AssertReads(stream, Math.Min(at, _content.Length), random.Next(1, random.Next(2) == 0 ? 300 : 300_000));
        }
    }

    [Test]
    public async Task Positions_are_those_of_any_stream()
    {
        await using var stream = Open();
        Assert.That((stream.CanSeek, stream.CanRead, stream.CanWrite, stream.Length), Is.EqualTo((true, true, false, 3_000_000L)));
        Assert.That(stream.Seek(-10, SeekOrigin.End), Is.EqualTo(2_999_990));
        Assert.That(stream.Seek(4, SeekOrigin.Current), Is.EqualTo(2_999_994));
        Assert.That(await stream.ReadAtLeastAsync(new byte[100], 100, throwOnEndOfStream: false), Is.EqualTo(6));
        Assert.That(stream.Seek(5_000_000, SeekOrigin.Begin), Is.EqualTo(5_000_000));
        Assert.That(await stream.ReadAsync(new byte[1]), Is.Zero);
        Assert.That(() => stream.Seek(-1, SeekOrigin.Begin), Throws.InstanceOf<IOException>());
        Assert.That(() => stream.Position = -1, Throws.InstanceOf<ArgumentOutOfRangeException>());
        await stream.DisposeAsync();
        Assert.That(stream.CanSeek, Is.False);
        Assert.That(() => stream.Position = 0, Throws.InstanceOf<ObjectDisposedException>());
    }

    [Test]
    public async Task A_file_that_has_become_shorter_is_not_taken_for_whole()
    {
        _shorterBy = 1;
        await using var stream = Open();
        var error = await stream.CopyToAsync(Stream.Null).Failure<TransferException>();
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Integrity, "/f")));
    }

    [Test]
    public async Task After_a_failure_the_next_read_asks_anew()
    {
        var fails = true;
        await using var stream = new SeekableReadStream("/f", _content.Length, (start, length, _) =>
        {
            var range = new MemoryStream(_content, (int)start, (int)length);
            return Task.FromResult<Stream>(fails ? new Broken(range) : range);
        });
        Assert.That(await stream.ReadAsync(new byte[100]), Is.EqualTo(100));
        await stream.ReadAsync(new byte[100]).AsTask().Failure<TransferConnectionException>();
        fails = false;
        await AssertReads(stream, stream.Position, 1000);
    }

    private SeekableReadStream Open() => new("/f", _content.Length, (start, length, _) =>
    {
        _ranges.Add((start, length));
        _open++;
        return Task.FromResult<Stream>(
            new Range(this, new MemoryStream(_content, (int)start, (int)Math.Min(length, _content.Length - _shorterBy - start))));
    });

    private async Task AssertReads(Stream stream, long at, int count)
    {
        stream.Position = at;
        count = (int)Math.Min(count, _content.Length - at);
        var buffer = new byte[count];
        await stream.ReadExactlyAsync(buffer);
        Assert.That(buffer.AsSpan().SequenceEqual(_content.AsSpan((int)at, count)), $"{at}, {count}");
        Assert.That(stream.Position, Is.EqualTo(at + count));
    }

    private sealed class Range(SeekableReadStreamTests tests, MemoryStream content) : RemoteReadStream
    {
        public override bool CanSeek => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        // In pieces, as they come.
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            content.ReadAsync(buffer[..Math.Min(buffer.Length, 5000)], cancellationToken);

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        protected override ValueTask ReleaseAsync()
        {
            tests._open--;
            return default;
        }
    }

    private sealed class Broken(MemoryStream content) : RemoteReadStream
    {
        private bool _read;

        public override bool CanSeek => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (_read) throw new TransferConnectionException();
            _read = true;
            return content.ReadAsync(buffer, cancellationToken);
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        protected override ValueTask ReleaseAsync() => default;
    }
}
