using System.IO.Pipelines;
using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Sessions;
using Transfer.TestSupport.Batch;
using Transfer.Testing;
using Transfer.Tests.Batch.Direct;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Batch.Delta;

/// <summary>Deltas from a sender to a receiver, and their questions and answers.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed class DeltaLinkTests : IDisposable
{
    private static readonly IPEndPoint Loopback = new(IPAddress.Loopback, 0);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TempFolder _from = new();
    private readonly TempFolder _to = new();

    public void Dispose()
    {
        _from.Dispose();
        _to.Dispose();
    }

    [TestCase(1)]
    [TestCase(4)]
    [TestCase(null)]
    public async Task Two_hundred_files_changed_a_little_are_little_on_the_wire(int? sessions)
    {
        var content = Fill(200, 100_000);
        var (result, received, link) = await SendAsync(new BatchSenderOptions { Sessions = sessions });
        await using (link)
        {
            Assert.That((result.Files, result.Bytes, result.Failed), Is.EqualTo((200L, content, 0L)));
            Assert.That((received.Files, received.Bytes, received.Failed), Is.EqualTo((200L, content, 0L)));
            Assert.That(link.BytesForward, Is.LessThan(content / 40), "a block of each, and its name twice");
            Assert.That(link.BytesBack, Is.LessThan(content / 20));
        }
        AssertSame();
    }

    [Test]
    public async Task A_file_larger_than_archives_as_well()
    {
        var content = Fill(1, 20_000_000);
        var (result, _, link) = await SendAsync(new BatchSenderOptions());
        await using (link) Assert.That(link.BytesForward, Is.LessThan(content / 100));
        Assert.That((result.Files, result.Bytes), Is.EqualTo((1L, content)));
        AssertSame();
    }

    [TestCase(false, true)]
    [TestCase(true, false)]
    public async Task Either_side_may_do_without(bool sender, bool receiver)
    {
        var content = Fill(5, 100_000);
        var (result, _, link) = await SendAsync(new BatchSenderOptions { Deltas = sender }, new BatchReceiverOptions { Deltas = receiver });
        await using (link) Assert.That(link.BytesForward, Is.GreaterThan(content));
        Assert.That(result.Files, Is.EqualTo(5));
        AssertSame();
    }

    [Test]
    public async Task A_receiver_that_may_replace_nothing_tells_nothing_and_gets_names_only()
    {
        var content = Fill(10, 100_000);
        var (result, received, link) = await SendAsync(new BatchSenderOptions(),
            new BatchReceiverOptions { Overwrite = OverwriteMode.Skip });
        await using (link)
        {
            Assert.That(link.BytesForward, Is.LessThan(content / 50));
            Assert.That(link.BytesBack, Is.LessThan(10_000), "no hashes");
        }
        Assert.That((result.Skipped, received.Skipped), Is.EqualTo((10L, 10L)));
    }

    // In the midst of answers, and in the midst of an archive.
    [TestCase(100_000, LinkDirection.Back)]
    [TestCase(15_000, LinkDirection.Forward)]
    public async Task Lanes_that_are_lost_cost_no_file(int after, LinkDirection direction)
    {
        Fill(60, 200_000);
        await using var receiver = Listen();
        await using var link = await TestLink.StartAsync(new IPEndPoint(IPAddress.Loopback, receiver.Address.Port), new LinkOptions());
        link.CutAfter(after, direction);
        await using var receiving = receiver.StartReceive();
        var sending = SenderTo(receiver, link, new BatchSenderOptions { Sessions = 2, Retry = DirectHarness.Quick }).SendAsync(_from.Path);
        var result = await sending.WaitAsync(Patience);
        Assert.That((result.Files, result.Failed), Is.EqualTo((60L, 0L)));
        Assert.That(direction == LinkDirection.Back ? link.BytesBack : link.BytesForward, Is.GreaterThan(after), "it was cut");
        AssertSame();
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_sender_knows_with_the_handshake_whether_there_is_anything_to_ask_for(bool hasFiles)
    {
        if (hasFiles) Fill(1, 1000);
        await using var receiver = Listen();
        for (var i = 0; i < 6; i++)
        {
            var opened = await DirectHarness.Dial(receiver.Address).OpenAsync(_ => { }, default);
            await using var connection = opened.Connection;
            Assert.That(opened.HasFiles, Is.EqualTo(hasFiles));
        }
        using var stranger = DirectIdentity.Create();
        Assert.That(Enumerable.Range(0, 60).Select(_ => Told(stranger, hasFiles)).Distinct().Count(), Is.EqualTo(2),
            "who has another secret sees a coin being tossed");

        static bool Told(DirectIdentity stranger, bool hasFiles)
        {
            using var identity = DirectIdentity.Create();
            using var certificate = identity.CreateCertificate(DateTimeOffset.UtcNow, hasFiles);
            return DirectProof.HasFilesFlag(stranger.Token, certificate.SerialNumberBytes.Span);
        }
    }

    [Test]
    public async Task Over_two_streams_it_works_as_well()
    {
        var content = Fill(20, 100_000);
        var (there, back) = (new Pipe(), new Pipe());
        var receiving = BatchReceiver.ReceiveAsync(_to.Path, there.Reader.AsStream(), back.Writer.AsStream(),
            new BatchReceiverOptions { AllowUnsealed = true, Overwrite = OverwriteMode.Always });
        using var counted = new Counting(there.Writer.AsStream());
        await StreamSending.SendAsync(_from.Path, back.Reader.AsStream(), counted,
            new SignatureRequests(TimeProvider.System, NullLogger.Instance)).WaitAsync(Patience);
        Assert.That((await receiving.WaitAsync(Patience)).Files, Is.EqualTo(20));
        Assert.That(counted.Bytes, Is.LessThan(content / 20));
        AssertSame();
    }

    [Test]
    public async Task Who_asks_for_too_much_at_once_is_refused()
    {
        using var hold = new ManualResetEventSlim();
        await using var link = new LinkConnection(new DuplexStream(new Pipe().Reader.AsStream(), new Pipe().Writer.AsStream()), Patience,
            TimeProvider.System);
        await using var answers = new LaneResponder(link, new Slow(hold), JobBuffers.Unbounded.Archives, NullLogger.Instance, default);
        try
        {
            for (var i = 0; i < SignatureWantedMessage.MostUnanswered; i++) answers.Take(new SignatureWantedMessage(i, 1, 1, "a"));
            Assert.That(() => answers.Take(new SignatureWantedMessage(99, 1, 1, "a")),
                Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
        }
        finally
        {
            hold.Set();
        }
    }

    [Test]
    public void Answers_that_belong_to_no_question_are_refused()
    {
        var good = BlockShape.For(100_000);
        Refuse(good with { Length = 10_000_000 }, 1);
        Refuse(good with { Length = 100 }, 1);
        Refuse(good with { Strong = BlockShape.MostStrong, Length = 400_000 }, 1);
        Refuse(good with { Block = 2 * good.Block }, 1);
        Refuse(good with { Block = BlockShape.MostBlock }, 1);
        Refuse(good with { Strong = good.Strong + 1 }, 1);
        Refuse(good, 0);
        Refuse(good, good.SignatureLength + 1);
        var question = Ask(100_000);
        Assert.That(question.Take(new SignatureMessage(1, SignatureKind.Blocks, good, new byte[12])), Is.False);
        Assert.That(() => question.Take(new SignatureMessage(1, SignatureKind.Blocks, good with { Length = 100_001 }, new byte[12])),
            Throws.InstanceOf<TransferException>());
        Assert.That(question.Take(SignatureMessage.Without(1, SignatureKind.None)), Is.True, "it ends what was begun");
        Assert.That(question.Answer.Result, Is.EqualTo(default(BaseAnswer)));

        static void Refuse(BlockShape shape, int entries) => Assert.That(
            () => Ask(100_000).Take(new SignatureMessage(1, SignatureKind.Blocks, shape, new byte[entries])),
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol), $"{shape} {entries}");
    }

    [Test]
    public async Task A_receiver_that_does_not_answer_is_not_waited_for_twice()
    {
        var time = new ManualTime();
        var logger = new RecordingLogger();
        var questions = new SignatureRequests(time, logger);
        var first = questions.AskAsync("a", 100_000, 1, default).AsTask();
        Assert.That(first.IsCompleted, Is.False);
        time.Advance(TimeSpan.FromSeconds(31));
        Assert.That(await first.WaitAsync(Patience), Is.EqualTo(default(BaseAnswer)));
        Assert.That(questions.AskAsync("b", 100_000, 1, default).AsTask().IsCompletedSuccessfully, Is.True, "nor asked");
        // It comes after all, and then it is asked again.
        Assert.That(questions.Waiting.TryRead(out var late), Is.True);
        questions.Heard();
        Assert.That(questions.AskAsync("b", 100_000, 1, default).AsTask().IsCompletedSuccessfully, Is.True,
            "nor when it speaks of something else");
        questions.Answered();
        Assert.That(late!.Take(SignatureMessage.Without(1, SignatureKind.None)), Is.True);
        questions.Done();
        var again = questions.AskAsync("c", 100_000, 1, default).AsTask();
        Assert.That(again.IsCompleted, Is.False);
        time.Advance(TimeSpan.FromSeconds(31));
        Assert.That(await again.WaitAsync(Patience), Is.EqualTo(default(BaseAnswer)));
        Assert.That(logger.Warnings.Single(), Does.Contain("travel whole"), "it is told once");
    }

    [Test]
    public async Task A_receiver_that_says_anything_is_waited_for()
    {
        var time = new ManualTime();
        var questions = new SignatureRequests(time, NullLogger.Instance);
        var asked = questions.AskAsync("a", 100_000, 1, default).AsTask();
        for (var i = 0; i < 10; i++)
        {
            time.Advance(TimeSpan.FromSeconds(20));
            questions.Heard();
        }
        Assert.That(questions.AskAsync("b", 100_000, 1, default).AsTask().IsCompleted, Is.False);
        Assert.That(questions.Waiting.TryRead(out var question), Is.True);
        question!.End(new BaseAnswer(IsSkipped: true, null));
        Assert.That((await asked.WaitAsync(Patience)).IsSkipped, Is.True);
    }

    private static SignatureRequest Ask(long length)
    {
        var question = new SignatureRequest(new SignatureWantedMessage(1, length, 1, "a"));
        question.Begin();
        return question;
    }

    private static BatchSender SenderTo(BatchReceiver receiver, TestLink link, BatchSenderOptions options) =>
        new(new BatchAddress("127.0.0.1", link.EndPoint.Port, receiver.Address.Token), options);

    private BatchReceiver Listen(BatchReceiverOptions? options = null) =>
        BatchReceiver.Listen(_to.Path,
            (options ?? new BatchReceiverOptions { Overwrite = OverwriteMode.Always }) with { Listen = Loopback });

    private async Task<(JobResult Sent, JobResult Received, TestLink Link)> SendAsync(BatchSenderOptions sender,
        BatchReceiverOptions? options = null)
    {
        if (options is { Overwrite: OverwriteMode.Fail }) options = options with { Overwrite = OverwriteMode.Always };
        await using var receiver = Listen(options);
        var link = await TestLink.StartAsync(new IPEndPoint(IPAddress.Loopback, receiver.Address.Port), new LinkOptions());
        var receiving = receiver.ReceiveAsync();
        var result = await SenderTo(receiver, link, sender).SendAsync(_from.Path).WaitAsync(Patience);
        return (result, await receiving.WaitAsync(Patience), link);
    }

    // Noise, and at the receiver the same with a piece in its middle that is another.
    private long Fill(int count, int length)
    {
        for (var i = 0; i < count; i++)
        {
            var content = Samples.Bytes(length, i);
            _from.Add($"d{i % 7}/f{i}", content);
            Samples.Bytes(100, i + 1000).CopyTo(content, length / 2);
            _to.Add($"d{i % 7}/f{i}", content, new DateTimeOffset(2020, 1, 2, 3, 4, 5, TimeSpan.Zero));
        }
        return (long)count * length;
    }

    private void AssertSame()
    {
        Assert.That(_to.Files, Is.EqualTo(_from.Files));
        foreach (var file in _from.Files) Assert.That(_to.Read(file).AsSpan().SequenceEqual(_from.Read(file)), file);
    }

    private sealed class Slow(ManualResetEventSlim hold) : IBaseFiles
    {
        public BaseFile Find(string path, long length, long modified)
        {
            hold.Wait();
            return BaseFile.None;
        }
    }

    private sealed class Counting(Stream inner) : SequentialStream
    {
        public long Bytes { get; private set; }

        public override bool CanWrite => true;

        public override long Length => Bytes;

        public override long Position { get => Bytes; set => throw new NotSupportedException(); }

        public override void Flush() => inner.Flush();

        public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Bytes += buffer.Length;
            return inner.WriteAsync(buffer, cancellationToken);
        }

        public override async ValueTask DisposeAsync()
        {
            await inner.DisposeAsync();
            await base.DisposeAsync();
        }
    }
}
