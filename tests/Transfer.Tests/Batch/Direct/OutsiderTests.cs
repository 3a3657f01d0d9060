using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using Transfer.Batch;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.TestSupport.Batch;
using Transfer.Testing;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Who should not get in, who stands between, and who says nonsense.</summary>
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class OutsiderTests
{
    [Test]
    public async Task Without_the_secret_nobody_gets_in()
    {
        await using var harness = new DirectHarness();
        var wrong = BatchToken.Create(harness.Identity.Token.Fingerprint, RandomNumberGenerator.GetBytes(32));
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            () => DirectHarness.SendAsync(harness.AddressAt(harness.EndPoint, wrong), new MemorySource(2, 1000)));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(harness.Sinks, Is.Empty);
        await AssertServesAsync(harness);
    }

    [Test]
    public async Task A_receiver_with_another_key_is_refused_before_it_learns_anything()
    {
        await using var honest = new DirectHarness();
        await using var impostor = new DirectHarness();
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            () => DirectHarness.SendAsync(impostor.AddressAt(impostor.EndPoint, honest.Identity.Token), new MemorySource(2, 1000)));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Tls));
        Assert.That(impostor.Sinks, Is.Empty);
    }

    [Test]
    public async Task A_receiver_with_the_key_but_without_the_secret_is_refused()
    {
        // As if somebody had stolen the private key alone: nothing that he says is believed.
        await using var harness = new DirectHarness();
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var thief = new DirectIdentity(key, RandomNumberGenerator.GetBytes(32));
        var token = BatchToken.Create(thief.Token.Fingerprint, RandomNumberGenerator.GetBytes(32));
        using var listener = new TcpListener(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        var serving = Task.Run(async () =>
        {
            using var socket = await listener.AcceptSocketAsync();
            using var certificate = thief.CreateCertificate(DateTimeOffset.UtcNow);
            var tls = new SslStream(new NetworkStream(socket));
            await tls.AuthenticateAsServerAsync(DirectTls.ForReceiver(certificate));
            await using var link = new LinkConnection(tls, TimeSpan.FromSeconds(20), TimeProvider.System);
            var hello = (await link.Reader.NextAsync(default)).As<HelloMessage>();
            var nonce = new byte[32];
            await link.Writer.WriteAsync(
                new HelloMessage(1, 60_000, nonce, DirectProof.OfReceiver(thief.Token, hello.Nonce, nonce, certificate.RawData)), default);
            await link.Writer.WriteAsync(new JobAcceptedMessage(1, 1, false), default);
            await link.Writer.WriteAsync(new ReceiptMessage(0, new byte[32], 1), default);
            await link.LingerAsync(TimeSpan.FromSeconds(10));
        });
        var source = new MemorySource(1, 1000);
        var port = ((System.Net.IPEndPoint)listener.LocalEndpoint).Port;
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            () => DirectHarness.SendAsync(new BatchAddress("127.0.0.1", port, token), source));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(source.Confirmed, Is.Empty);
        await serving;
    }

    [Test]
    public async Task A_proof_is_worth_nothing_on_another_connection()
    {
        await using var harness = new DirectHarness();
        var nonce = RandomNumberGenerator.GetBytes(HelloMessage.NonceLength);
        using var first = await ConnectAsync(harness);
        var proof = DirectProof.OfSender(harness.Identity.Token, nonce, first.RemoteCertificate!.GetRawCertData());
        using var second = await ConnectAsync(harness);
        Assert.That(second.RemoteCertificate!.GetRawCertData(), Is.Not.EqualTo(first.RemoteCertificate.GetRawCertData()),
            "each connection has a nonce of the receiver's");
        await second.WriteAsync(Bytes(new HelloMessage(1, 60_000, nonce, proof)));
        Assert.That(await AnswerAsync(second), Is.EqualTo(LinkMessageType.Error));
        await first.WriteAsync(Bytes(new HelloMessage(1, 60_000, nonce, proof)));
        Assert.That(await AnswerAsync(first), Is.EqualTo(LinkMessageType.Hello));
    }

    [Test]
    public async Task Outsiders_who_connect_and_say_nothing_lock_nobody_out()
    {
        await using var harness = new DirectHarness();
        var silent = new List<Socket>();
        try
        {
            for (var i = 0; i < DirectListener.MaxUnproved + 30; i++)
            {
                var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
                await socket.ConnectAsync(harness.EndPoint);
                silent.Add(socket);
            }
            await AssertServesAsync(harness);
            Assert.That(harness.Listener.Unproved, Is.LessThanOrEqualTo(DirectListener.MaxUnproved));
        }
        finally
        {
            foreach (var socket in silent) socket.Dispose();
        }
    }

    [Test]
    public async Task Before_the_proof_nothing_long_is_read()
    {
        await using var harness = new DirectHarness();
        using var tls = await ConnectAsync(harness);
        var header = new byte[LinkFrame.HeaderLength];
        LinkFrame.WriteHeader(header, LinkMessageType.Hello, LinkFrame.MaxUnprovedPayload + 1);
        await tls.WriteAsync(header);
        Assert.That(await AnswerAsync(tls), Is.EqualTo(LinkMessageType.Error));
        await AssertServesAsync(harness);
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task What_proves_nothing_is_closed_whatever_it_says(bool isTooLong)
    {
        await using var harness = new DirectHarness();
        var sockets = new List<Socket>();
        try
        {
            for (var i = 0; i < 10; i++)
            {
                var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                sockets.Add(socket);
                await socket.ConnectAsync(harness.EndPoint);
                var tls = new SslStream(new NetworkStream(socket));
                await tls.AuthenticateAsClientAsync(DirectTls.ForSender(harness.Identity.Token));
                await tls.WriteAsync(isTooLong ? [1, 0x7F, 0, 0, 0, 9] : (byte[])[1, 0, 0, 0, 50, 9]);
                await tls.ShutdownAsync();
            }
            var buffer = new byte[1000];
            foreach (var socket in sockets)
            {
                // Whatever it still says: at last it closes.
                while (await socket.ReceiveAsync(buffer).WaitAsync(DirectHarness.Patience) > 0) { }
            }
            // What was said is ended a moment before it is forgotten.
            await Eventually.TrueAsync(() => harness.Listener.Unproved == 0, "all are forgotten");
        }
        finally
        {
            foreach (var socket in sockets) socket.Dispose();
        }
        await AssertServesAsync(harness);
    }

    [Test]
    public async Task What_is_no_TLS_is_closed()
    {
        await using var harness = new DirectHarness();
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(harness.EndPoint);
        await socket.SendAsync("GET / HTTP/1.1\r\n\r\n"u8.ToArray());
        var buffer = new byte[1000];
        try
        {
            while (await socket.ReceiveAsync(buffer).WaitAsync(DirectHarness.Patience) > 0)
            {
                // An alert of TLS, perhaps.
            }
        }
        catch (SocketException)
        {
            // A reset is as good.
        }
        await AssertServesAsync(harness);
    }

    private static IEnumerable<TestCaseData> Nonsense()
    {
        yield return new TestCaseData(0, Bytes(new JobEndMessage(0, 0))) { TestName = "Nonsense_is_refused_in_place_of_hello" };
        yield return new TestCaseData(0, (byte[])[99, 0, 0, 0, 1, 7]) { TestName = "Nonsense_is_refused_of_an_unknown_type" };
        yield return new TestCaseData(1, Bytes(new ArchiveBeginMessage(0, 0))) { TestName = "Nonsense_is_refused_before_the_job" };
        yield return new TestCaseData(1, (byte[])[2, 0, 0, 0, 1, 7]) { TestName = "Nonsense_is_refused_in_a_job's_beginning" };
        yield return new TestCaseData(2, Bytes(new ArchiveEndMessage())) { TestName = "Nonsense_is_refused_between_archives" };
        yield return new TestCaseData(2, Bytes(new ReceiptMessage(0, [], 1))) { TestName = "Nonsense_is_refused_of_the_wrong_side" };
        yield return new TestCaseData(2, (byte[])[99, 0, 0, 0, 0]) { TestName = "Nonsense_is_refused_of_an_unknown_type_later" };
        yield return new TestCaseData(2, (byte[])[5, 0xFF, 0xFF, 0xFF, 0xFF]) { TestName = "Nonsense_is_refused_that_is_too_long" };
        yield return new TestCaseData(3, Bytes(new JobEndMessage(0, 0))) { TestName = "Nonsense_is_refused_within_an_archive" };
        yield return new TestCaseData(3,
            Bytes(new ArchiveBeginMessage(1, 0)))
        { TestName = "Nonsense_is_refused_as_an_archive_within_an_archive" };
        yield return new TestCaseData(3, (byte[])[5, 0, 4, 0, 1]) { TestName = "Nonsense_is_refused_within_an_archive_that_is_too_long" };
    }

    [TestCaseSource(nameof(Nonsense))]
    public async Task Nonsense_is_refused(int state, byte[] nonsense)
    {
        await using var harness = new DirectHarness(keep: true);
        using var tls = await ConnectAsync(harness);
        if (state > 0)
        {
            var nonce = new byte[HelloMessage.NonceLength];
            await tls.WriteAsync(
                Bytes(new HelloMessage(1, 60_000, nonce,
                    DirectProof.OfSender(harness.Identity.Token, nonce, tls.RemoteCertificate!.GetRawCertData()))));
            Assert.That(await AnswerAsync(tls), Is.EqualTo(LinkMessageType.Hello));
        }
        if (state > 1)
        {
            await tls.WriteAsync(Bytes(new JobBeginMessage(DirectHarness.NewJob(), 1)));
            Assert.That(await AnswerAsync(tls), Is.EqualTo(LinkMessageType.JobAccepted));
        }
        if (state > 2) await tls.WriteAsync(Bytes(new ArchiveBeginMessage(0, 0)));
        await tls.WriteAsync(nonsense);
        Assert.That(await AnswerAsync(tls), Is.EqualTo(LinkMessageType.Error));
        Assert.That(await tls.ReadAsync(new byte[10]).AsTask().WaitAsync(DirectHarness.Patience), Is.Zero);
        await AssertServesAsync(harness);
        if (state > 1) Assert.That(harness.Sinks[0].Archives, Is.Empty, "nothing of it counts as an archive");
    }

    [TestCase(4_000)]
    [TestCase(100_000)]
    [TestCase(499_000)]
    public async Task A_connection_that_is_cut_is_opened_anew_wherever_that_was(int at)
    {
        await using var harness = new DirectHarness(keep: true);
        await using var link = await TestLink.StartAsync(harness.EndPoint, new LinkOptions());
        var source = new MemorySource(5, 100_000);
        link.CutAfter(at, LinkDirection.Forward);
        var carried = await DirectHarness.SendAsync(harness.AddressAt(link.EndPoint), source, lanes: 1);
        Assert.That(carried.Retries, Is.Positive);
        CarrierTests.AssertArrived(harness.Sinks[^1], source, 5);
    }

    [Test]
    public async Task A_second_sender_is_refused_while_the_first_is_at_it()
    {
        await using var harness = new DirectHarness();
        var begun = new TaskCompletionSource();
        var goOn = new TaskCompletionSource();
        harness.OnOpen = sink => sink.OnBegin = (_, ct) =>
        {
            begun.TrySetResult();
            return goOn.Task.WaitAsync(ct);
        };
        var first = new MemorySource(3, 1000);
        var sending = DirectHarness.SendAsync(harness.Address, first);
        await begun.Task.WaitAsync(DirectHarness.Patience);
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            () => DirectHarness.SendAsync(harness.Address, new MemorySource(3, 1000)));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Denied));
        goOn.SetResult();
        await sending;
        CarrierTests.AssertArrived(harness.Sinks.Single(), first, 3);
        error = await Assert.ThrowsAsync<TransferConnectionException>(
            () => DirectHarness.SendAsync(harness.Address, new MemorySource(3, 1000)));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Denied), "nor when it is over");
    }

    [Test]
    public async Task With_keep_a_lane_that_comes_after_its_jobs_end_begins_no_other()
    {
        var time = new ManualTime();
        var sinks = new List<MemorySink>();
        await using var jobs = new ReceivingJobs(
            _ =>
            {
                sinks.Add(new MemorySink());
                return sinks[^1];
            }, keep: true, TimeSpan.FromMinutes(10), time, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
        var id = DirectHarness.NewJob();
        var job = jobs.Join(id);
        Assert.That(await jobs.NextAsync(default), Is.SameAs(job));
        var told = job.RunAsync(new TransferJobContext());
        await job.EndAsync(0, default);
        jobs.RemoveLane(job, saidBye: true);
        await told.WaitAsync(DirectHarness.Patience);
        time.Advance(TimeSpan.FromSeconds(6));
        await Eventually.TrueAsync(() => !jobs.HasAny, "the first is forgotten");

        var late = jobs.Join(id);
        Assert.That(late, Is.Not.SameAs(job));
        jobs.RemoveLane(late, saidBye: false);
        await Eventually.TrueAsync(() => !jobs.HasAny && sinks[1].IsDisposed, "nothing is waited for");
        var next = jobs.NextAsync(default).AsTask();
        Assert.That(next.IsCompleted, Is.False, "and nobody is told");

        // One whose answer was lost is answered again, and is no job either.
        var repeated = jobs.Join(id);
        Assert.That((await repeated.EndAsync(0, default)).Files, Is.Zero);
        jobs.RemoveLane(repeated, saidBye: true);
        await Eventually.TrueAsync(() => !jobs.HasAny, "it is answered");
        Assert.That(next.IsCompleted, Is.False);

        // One that sends something is a job as any other.
        var again = jobs.Join(id);
        using var work = again.AddWork();
        var receipt = again.ReceiveAsync(new ArchiveBeginMessage(0, 0), new MemoryStream([1]), work, default).AsTask();
        Assert.That(await next.WaitAsync(DirectHarness.Patience), Is.SameAs(again));
        var ended = again.RunAsync(new TransferJobContext());
        Assert.That((await receipt).Files, Is.EqualTo(1));
        await again.EndAsync(0, default);
        jobs.RemoveLane(again, saidBye: true);
        Assert.That((await ended.WaitAsync(DirectHarness.Patience)).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task With_keep_two_senders_are_served_at_once()
    {
        await using var harness = new DirectHarness(keep: true);
        var (first, second) = (new MemorySource(8, 100_000), new MemorySource(8, 100_000));
        await Task.WhenAll(DirectHarness.SendAsync(harness.Address, first), DirectHarness.SendAsync(harness.Address, second));
        Assert.That((first.Confirmed.Count, second.Confirmed.Count), Is.EqualTo((8, 8)));
        Assert.That(harness.Sinks.Select(sink => sink.Archives.Count), Is.SupersetOf(new[] { 8, 8 }).And.All.AnyOf(0, 8),
            "a lane that comes when its job is over begins an empty one");
        Assert.That((await harness.EndAsync()).Files + (await harness.EndAsync()).Files, Is.EqualTo(16));
    }

    [Test]
    public async Task A_sender_that_was_lost_may_begin_anew_at_a_receiver_for_one_job()
    {
        await using var harness = new DirectHarness();
        using var stop = new CancellationTokenSource();
        var first = new MemorySource(5, 300_000);
        var begun = new TaskCompletionSource();
        harness.OnOpen = sink => sink.OnEnd = (_, _) =>
        {
            begun.TrySetResult();
            return Task.CompletedTask;
        };
        first.OnWritten = async (index, at) =>
        {
            if (index != 3 || at < 100_000) return;
            await begun.Task;
            await stop.CancelAsync();
        };
        await Assert.ThrowsAsync<OperationCanceledException>(
            () => DirectHarness.SendAsync(harness.Address, first, lanes: 1, ct: stop.Token));
        var second = new MemorySource(5, 1000);
        // It may take a moment until the receiver knows that the first is gone.
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                await DirectHarness.SendAsync(harness.Address, second = new MemorySource(5, 1000));
                break;
            }
            catch (TransferConnectionException e) when (e.Error == TransferError.Denied && attempt < 100)
            {
                await Task.Delay(50);
            }
        }
        CarrierTests.AssertArrived(harness.Sinks[1], second, 5);
        Assert.That((await harness.EndAsync()).Files, Is.EqualTo(5));
    }

    [Test]
    public async Task A_receiver_that_says_nothing_any_more_is_given_up_after_the_idle_time()
    {
        await using var harness = new DirectHarness();
        await using var link = await TestLink.StartAsync(harness.EndPoint, new LinkOptions());
        var source = new MemorySource(5, 300_000);
        source.OnWritten = (index, _) =>
        {
            if (index == 3) link.Stall(true);
            return Task.CompletedTask;
        };
        var carrying = LinkCarrier.CarryAsync(
            source, DirectHarness.NewJob(), DirectHarness.Dial(harness.AddressAt(link.EndPoint), TimeSpan.FromMilliseconds(500)),
            new LinkCarrierOptions
            {
                Lanes = 1,
                Retry = new RetryOptions { Attempts = 1 },
                Logger = Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance
            }, default);
        var error = await Assert.ThrowsAsync<TransferConnectionException>(() => carrying.WaitAsync(DirectHarness.Patience));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Pings_keep_a_connection_that_has_nothing_else_to_say()
    {
        await using var harness = new DirectHarness();
        harness.OnOpen = sink => sink.OnEnd = async (_, ct) => await Task.Delay(4000, ct);
        var source = new MemorySource(1, 1000);
        await LinkCarrier.CarryAsync(
            source, DirectHarness.NewJob(), DirectHarness.Dial(harness.Address, TimeSpan.FromSeconds(2)),
            new LinkCarrierOptions
            {
                Lanes = 1,
                Retry = new RetryOptions { Attempts = 1 },
                Logger = Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance
            }, default).WaitAsync(DirectHarness.Patience);
        Assert.That(source.Confirmed, Has.Count.EqualTo(1));
    }

    private static async Task AssertServesAsync(DirectHarness harness)
    {
        var source = new MemorySource(3, 1000);
        await DirectHarness.SendAsync(harness.Address, source);
        Assert.That(source.Confirmed, Has.Count.EqualTo(3));
    }

    private static async Task<SslStream> ConnectAsync(DirectHarness harness)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(harness.EndPoint);
        var tls = new SslStream(new NetworkStream(socket, ownsSocket: true));
        await tls.AuthenticateAsClientAsync(DirectTls.ForSender(harness.Identity.Token));
        return tls;
    }

    private static async Task<LinkMessageType> AnswerAsync(SslStream tls)
    {
        var header = new byte[LinkFrame.HeaderLength];
        await tls.ReadExactlyAsync(header).AsTask().WaitAsync(DirectHarness.Patience);
        var payload = new byte[System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(header.AsSpan(1))];
        await tls.ReadExactlyAsync(payload).AsTask().WaitAsync(DirectHarness.Patience);
        return (LinkMessageType)header[0];
    }

    private static byte[] Bytes<T>(T message)
        where T : ILinkMessage<T>
    {
        var bytes = new byte[LinkFrame.HeaderLength + message.Length];
        LinkFrame.WriteHeader(bytes, T.Type, message.Length);
        message.Write(bytes.AsSpan(LinkFrame.HeaderLength));
        return bytes;
    }
}
