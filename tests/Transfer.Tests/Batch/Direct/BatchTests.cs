using System.Collections.Concurrent;
using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Sealing;
using Transfer.TestSupport.Batch;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Folders from a sender to a receiver, as an application sends them.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class BatchTests : IDisposable
{
    private static readonly IPEndPoint Loopback = new(IPAddress.Loopback, 0);
    private static readonly BatchReceiverOptions Unsealed = new() { AllowUnsealed = true };
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TempFolder _from = new();
    private readonly TempFolder _to = new();

    public void Dispose()
    {
        _from.Dispose();
        _to.Dispose();
    }

    [TestCase("f")]
    [TestCase("f/sub/folder")]
    public void A_receiver_of_a_folder_that_cannot_exist_does_not_begin(string folder)
    {
        _to.Add("f", [1]);
        Assert.That(() => BatchReceiver.Listen(_to[folder], new BatchReceiverOptions { Listen = Loopback }),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Exists)
                .And.Message.Contains(_to["f"] + " is no folder"));
    }

    [Test]
    public async Task A_folder_arrives_as_it_is()
    {
        var count = FillSource();
        await using var receiver = Listen();
        var items = new Items();
        var progress = new Last();
        var receiving = receiver.ReceiveAsync();
        var result = await new BatchSender(receiver.Address).StartSend(_from.Path, readItems: true,
            progress).TellAsync(items).WaitAsync(Patience);
        var received = await receiving.WaitAsync(Patience);
        AssertSame(_from.Path, _to.Path);
        Assert.That((result.Files, result.Failed), Is.EqualTo((count, 0L)));
        Assert.That((received.Files, received.Bytes, received.Failed), Is.EqualTo((count, result.Bytes, 0L)));
        Assert.That(items.Results, Has.Count.EqualTo(count));
        Assert.That((progress.Value.Files, progress.Value.Bytes), Is.EqualTo((count, result.Bytes)));
        Assert.That((progress.Value.TotalFiles, progress.Value.TotalBytes), Is.EqualTo((count, result.Bytes)), "folders are no files");
    }

    [Test]
    public async Task Archives_are_as_large_as_the_sender_wants_them()
    {
        _from.Add("large", Samples.Bytes(300_000));
        for (var i = 0; i < 20; i++) _from.Add($"small{i}", "content");
        await using var harness = new DirectHarness();
        var options = new BatchSenderOptions { ArchiveBytes = 100_000, ArchiveFiles = 5 };
        await new BatchSender(harness.Address, options).SendAsync(_from.Path).WaitAsync(Patience);
        Assert.That(harness.Sinks.Single().Archives, Has.Count.InRange(7, 8), "three slices, and five files each");
        Assert.That(harness.Sinks.Single().Archives.Values.Max(archive => archive.Length), Is.InRange(100_000, 103_000));
        foreach (var bad in (BatchSenderOptions[])[options with { ArchiveBytes = 65_535 }, options with { ArchiveBytes = 67_108_865 },
            options with { ArchiveFiles = 0 }, options with { ArchiveFiles = 10_001 }])
        {
            Assert.That(() => new BatchSender(harness.Address, bad),
                Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("An archive has"));
        }
    }

    [TestCase(OverwriteMode.Fail)]
    [TestCase(OverwriteMode.Skip)]
    [TestCase(OverwriteMode.Always)]
    public async Task What_exists_is_judged_by_the_receiver(OverwriteMode overwrite)
    {
        _from.Add("a", "new");
        _from.Add("b", "more");
        _to.Add("a", "old");
        var (sent, arrived) = (new Items(), new Items());
        await using var receiver = Listen(new BatchReceiverOptions { Overwrite = overwrite });
        var receiving = receiver.StartReceive(readItems: true).TellAsync(arrived);
        var result = await new BatchSender(receiver.Address).StartSend(_from.Path, readItems: true).TellAsync(sent).WaitAsync(Patience);
        var received = await receiving.WaitAsync(Patience);
        Assert.That(File.ReadAllText(_to["a"]), Is.EqualTo(overwrite == OverwriteMode.Always ? "new" : "old"));
        Assert.That(File.ReadAllText(_to["b"]), Is.EqualTo("more"));
        var expected = overwrite switch { OverwriteMode.Fail => (1L, 0L, 1L), OverwriteMode.Skip => (1L, 1L, 0L), _ => (2L, 0L, 0L) };
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo(expected), "the sender knows");
        Assert.That((received.Files, received.Skipped, received.Failed), Is.EqualTo(expected));
        foreach (var item in sent.Results.Concat(arrived.Results))
            Assert.That(item.Result is null, Is.EqualTo(item.Error is not null), $"{item.Path} has a result or an error");
        Assert.That(sent.Results.Count(item => item.Result is { Skipped: true }), Is.EqualTo(expected.Item2));
        if (overwrite == OverwriteMode.Fail)
        {
            Assert.That(result.Failures.Single(),
                Has.Property("Path").EqualTo("a").And.Property("Error").Property("Error").EqualTo(TransferError.Exists));
        }
    }

    [TestCase(1, Description = "It comes whole the second time.")]
    [TestCase(2)]
    public async Task An_archive_that_was_given_up_is_a_failure_at_the_receiver_too(int spoilt)
    {
        for (var i = 0; i < 40; i++) _from.Add($"f{i:D2}", new byte[i]);
        await using var receiver = Listen();
        var receiving = receiver.ReceiveAsync();
        var sent = await SpoilingSource.SendAsync(receiver.Address, _from.Path, (index, times) => index == 1 && times < spoilt);
        var received = await receiving.WaitAsync(Patience);
        Assert.That((sent.Files, sent.Failed), Is.EqualTo(spoilt == 1 ? (40L, 0L) : (30L, 10L)));
        Assert.That((received.Files, received.Failed), Is.EqualTo(spoilt == 1 ? (40L, 0L) : (30L, 1L)));
        if (spoilt == 1) return;
        var failure = received.Failures.Single();
        Assert.That((failure.Path, failure.Error!.Error), Is.EqualTo((string.Empty, TransferError.Integrity)));
        Assert.That(failure.Error.Message, Does.StartWith("Archive 1 never came whole: "));
    }

    [Test]
    public async Task A_job_goes_on_where_it_was_broken_off()
    {
        var count = FillSource(large: 1000);
        var journal = _from.Path + ".journal";
        await using var receiver = Listen(new BatchReceiverOptions { Keep = true, Overwrite = OverwriteMode.Fail });
        await using var lost = receiver.StartReceive();
        await using var receiving = receiver.StartReceive();
        var (before, after) = (new Items(), new Items());
        await SendFirstArchiveAsync(receiver.Address, journal, before);
        var first = before.Results.Count(item => item.Error is null);
        Assert.That(before.Results, Has.Count.EqualTo(count), "every file is told of, those that did not arrive too");

        var again = new BatchSenderOptions { Journal = journal, Resume = true };
        var result = await new BatchSender(receiver.Address, again).StartSend(_from.Path,
            readItems: true).TellAsync(after).WaitAsync(Patience);
        Assert.That(result.Failed, Is.Zero);
        Assert.That(first, Is.Positive);
        Assert.That(after.Results.Count(item => item.Action == ItemAction.Transfer && item.Result is { Skipped: false }),
            Is.LessThanOrEqualTo(count - first), "what was confirmed is not sent again");
        AssertSame(_from.Path, _to.Path);
        Assert.That(File.Exists(journal), Is.False);
    }

    [Test]
    public async Task A_journal_of_another_receiver_is_not_continued()
    {
        _from.Add("a", "content");
        var journal = _from.Path + ".journal";
        using var free = new System.Net.Sockets.TcpListener(IPAddress.Loopback, 0);
        free.Start();
        var port = ((IPEndPoint)free.LocalEndpoint).Port;
        free.Stop();
        await using var receiver = Listen();
        var options = new BatchSenderOptions { Journal = journal };
        await Assert.ThrowsAsync<TransferConnectionException>(
            () => new BatchSender(At(new IPEndPoint(IPAddress.Loopback, port), receiver), options).SendAsync(_from.Path));
        var error = await Assert.ThrowsAsync<TransferException>(
            () => new BatchSender(receiver.Address, options with { Resume = true }).SendAsync(_from.Path));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Exists));
        File.Delete(journal);
    }

    [Test]
    public async Task Nor_that_of_another_receiver_at_the_same_address()
    {
        _from.Add("a", "content");
        var journal = _from.Path + ".journal";
        await using var receiver = Listen();
        await using var other = Listen();
        var port = receiver.Address.Port;
        await receiver.DisposeAsync();
        var options = new BatchSenderOptions { Journal = journal };
        await Assert.ThrowsAsync<TransferConnectionException>(() => new BatchSender(receiver.Address, options).SendAsync(_from.Path));
        var error = await Assert.ThrowsAsync<TransferException>(() =>
            new BatchSender(new BatchAddress(receiver.Address.Host, port, other.Address.Token),
                options with { Resume = true }).SendAsync(_from.Path));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Exists));
        File.Delete(journal);
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "Links may not be made there.")]
    public void A_receivers_key_is_never_written_through_a_link()
    {
        var state = _to["state"];
        var elsewhere = _to["elsewhere"];
        Directory.CreateDirectory(state);
        File.CreateSymbolicLink(Path.Combine(state, $"receiver.key.{Environment.ProcessId}"), elsewhere);
        using (DirectIdentityFile.Open(state))
        {
            Assert.That(File.Exists(elsewhere), Is.False);
            Assert.That(Directory.GetFiles(state).Select(Path.GetFileName),
                Is.EquivalentTo(new[] { "receiver.key", $"receiver.key.{Environment.ProcessId}" }));
        }
    }

    [Test]
    public async Task A_receiver_that_is_kept_has_the_same_address_and_its_key_is_its_users_alone()
    {
        var state = _to["state"];
        string first;
        await using (var receiver = Listen(new BatchReceiverOptions { StateFolder = state })) first = receiver.Address.Token.ToText();
        await using (var receiver = Listen(new BatchReceiverOptions { StateFolder = state }))
            Assert.That(receiver.Address.Token.ToText(), Is.EqualTo(first));
        await using (var receiver = Listen()) Assert.That(receiver.Address.Token.ToText(), Is.Not.EqualTo(first));
        if (OperatingSystem.IsWindows()) return;
        var key = Directory.GetFiles(state).Single();
        Assert.That(File.GetUnixFileMode(key), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        File.SetUnixFileMode(key, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);
        Assert.That(() => Listen(new BatchReceiverOptions { StateFolder = state }),
            Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Denied));
        File.SetUnixFileMode(key, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        File.WriteAllText(key, "nonsense");
        Assert.That(() => Listen(new BatchReceiverOptions { StateFolder = state }),
            Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task A_receiver_may_be_disposed_of_twice()
    {
        var receiver = Listen();
        await receiver.DisposeAsync();
        await receiver.DisposeAsync();
        await Assert.ThrowsAsync<TransferConnectionException>(() => new BatchSender(receiver.Address).SendAsync(_from.Path));
    }

    [Test]
    public async Task A_folder_that_is_not_there_is_told_before_anything_is_sent()
    {
        await using var receiver = Listen();
        var error = await Assert.ThrowsAsync<TransferException>(() => new BatchSender(receiver.Address).SendAsync(_from["nowhere"]));
        Assert.That(error!.Error, Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task Over_two_streams_it_works_as_well()
    {
        var count = FillSource();
        var (there, back) = (new System.IO.Pipelines.Pipe(), new System.IO.Pipelines.Pipe());
        var receiving = BatchReceiver.ReceiveAsync(_to.Path, there.Reader.AsStream(), back.Writer.AsStream(), Unsealed);
        await StreamSending.SendAsync(_from.Path, back.Reader.AsStream(), there.Writer.AsStream()).WaitAsync(Patience);
        Assert.That((await receiving.WaitAsync(Patience)).Files, Is.EqualTo(count));
        AssertSame(_from.Path, _to.Path);
    }

    [Test]
    public async Task A_stream_that_says_something_else_ends_the_receiver_with_a_clear_error()
    {
        using var input = new MemoryStream("GET / HTTP/1.1\r\n\r\n"u8.ToArray());
        using var output = new MemoryStream();
        var error = await Assert.ThrowsAsync<TransferException>(() => BatchReceiver.ReceiveAsync(_to.Path, input, output, Unsealed));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Protocol));
        using var nothing = new MemoryStream();
        using var again = new MemoryStream();
        Assert.That(
            (await Assert.ThrowsAsync<TransferConnectionException>(
                () => BatchReceiver.ReceiveAsync(_to.Path, nothing, again, Unsealed)))!.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task What_is_not_sealed_is_taken_only_over_streams_and_only_if_that_was_said()
    {
        Assert.That(() => Listen(Unsealed), Throws.ArgumentException);
        using var output = new MemoryStream();
        Assert.That(() => BatchReceiver.ReceiveAsync(_to.Path, Stream.Null, output, new BatchReceiverOptions()),
            Throws.ArgumentException.With.Message.Contains("AllowUnsealed"));
        Assert.That(output.Length, Is.Zero, "nothing is said");

        _from.Add("a", "content");
        await using var receiver = Listen();
        var receiving = receiver.ReceiveAsync();
        using var keys = JobKeys.Unsealed(JobId.New());
        await using var archives = FolderArchives.Open(_from.Path, new BatchPackOptions(), keys);
        await DirectHarness.SendAsync(receiver.Address, archives, job: keys.Job.ToArray());
        await archives.CompleteAsync(null);
        Assert.That(archives.Tally.ToResult(TimeSpan.Zero, 1).Failures.Single().Error!.Error, Is.EqualTo(TransferError.Auth));
        Assert.That((await receiving.WaitAsync(Patience)).Failed, Is.EqualTo(1));
        Assert.That(Names(_to.Path), Is.Empty);
    }

    private static BatchAddress At(IPEndPoint endPoint, BatchReceiver receiver) => new("127.0.0.1", endPoint.Port, receiver.Address.Token);

    private static void AssertSame(string from, string to)
    {
        Assert.That(Names(to), Is.EqualTo(Names(from)));
        foreach (var name in Names(from).Where(name => File.Exists(Path.Combine(from, name))))
        {
            var (source, target) = (Path.Combine(from, name), Path.Combine(to, name));
            Assert.That(File.ReadAllBytes(target).AsSpan().SequenceEqual(File.ReadAllBytes(source)), name);
            Assert.That(File.GetLastWriteTimeUtc(target), Is.EqualTo(File.GetLastWriteTimeUtc(source)), name);
            if (!OperatingSystem.IsWindows()) Assert.That(File.GetUnixFileMode(target), Is.EqualTo(File.GetUnixFileMode(source)), name);
        }
    }

    private static string[] Names(string folder) =>
        [.. Directory.EnumerateFileSystemEntries(folder, "*", SearchOption.AllDirectories).Select(
            path => Path.GetRelativePath(folder, path)).Order(StringComparer.Ordinal)];

    private BatchReceiver Listen(BatchReceiverOptions? options = null) =>
        BatchReceiver.Listen(_to.Path, (options ?? new BatchReceiverOptions()) with { Listen = Loopback });

    private long FillSource(int large = 9_000_000)
    {
        var random = new Random(1);
        for (var i = 0; i < 300; i++)
        {
            var bytes = new byte[random.Next(0, 5000)];
            random.NextBytes(bytes);
            File.SetLastWriteTimeUtc(_from.Add($"d{i % 7}/e/f{i}", bytes),
                new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc).AddMilliseconds(i));
        }
        var content = new byte[large];
        random.NextBytes(content);
        _from.Add("z/large", content);
        Directory.CreateDirectory(_from["empty/folder"]);
        return 301;
    }

    // As a sender that is broken off when its first archive is confirmed.
    private async Task SendFirstArchiveAsync(BatchAddress address, string journalFile, Items items)
    {
        using var journal = ItemJournal.Open(journalFile, BatchSender.JobName(_from.Path, address), resume: false, NullLogger.Instance);
        using var shared = new SharedKey(address.Token.DeriveKey(DirectSealing.Purpose));
        using var keys = JobKeys.Create(shared);
        await using var archives = FolderArchives.Open(_from.Path,
            new BatchPackOptions { ArchiveFiles = 100, Items = items, Journal = journal }, keys);
        var error = await Assert.ThrowsAsync<TransferException>(
            () => DirectHarness.SendAsync(address, new OneArchive(archives, items), job: keys.Job.ToArray()));
        await archives.CompleteAsync(error);
    }

    private sealed class OneArchive(FolderArchives archives, Items items) : IArchiveSource
    {
        private int _given;

        public async ValueTask<OutgoingArchive?> NextAsync(CancellationToken ct)
        {
            if (_given++ == 0) return await archives.NextAsync(ct);
            while (items.Results.IsEmpty) await Task.Delay(10, ct);
            throw new TransferException(TransferError.Lost, "The sender was killed.");
        }
    }

    private sealed class Items : IProgress<ItemResult>
    {
        public ConcurrentBag<ItemResult> Results { get; } = [];

        public void Report(ItemResult value) => Results.Add(value);
    }

    private sealed class Last : IProgress<TransferProgress>
    {
        public TransferProgress Value { get; private set; }

        public void Report(TransferProgress value) => Value = value;
    }

}
