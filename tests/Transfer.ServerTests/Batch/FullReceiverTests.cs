using System.Globalization;
using System.Net;
using System.Text.Json;
using Transfer.Batch;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Batch;

/// <summary>The disk of who receives is too small, and then is not any more.</summary>
[TestFixture]
[Parallelizable]
public sealed class FullReceiverTests
{
    private const int Files = 60;
    private const int Length = 100_000;

    private string _scratch = string.Empty;

    private string Source => Path.Combine(_scratch, "source");

    private string Disk => Path.Combine(_scratch, "disk");

    private string Target => Path.Combine(Disk, "in");

    [SetUp]
    public void MountDisk()
    {
        _scratch = Directory.CreateTempSubdirectory("transfer-full-").FullName;
        Directory.CreateDirectory(Source);
        for (var i = 0; i < Files; i++) File.WriteAllBytes(Path.Combine(Source, Name(i)), Bytes.Random(Length, i));
        Directory.CreateDirectory(Disk);
        Shell.Run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", Disk);
    }

    [TearDown]
    public void UnmountDisk()
    {
        Shell.Unmount(Disk);
        Directory.Delete(_scratch, recursive: true);
    }

    [Test]
    public async Task Both_ends_tell_of_the_same_files_and_the_job_goes_on_when_there_is_room()
    {
        var journal = Path.Combine(_scratch, "journal");
        await using var receiver = BatchReceiver.Listen(Target,
            new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0), Keep = true });
        var receiving = receiver.ReceiveAsync();
        var sent = await new BatchSender(receiver.Address, new BatchSenderOptions { Journal = journal }).SendAsync(Source);
        var received = await receiving;
        Assert.That((sent.Files + sent.Failed, sent.Files), Is.EqualTo(((long)Files, (long)AssertNothingHalf())));
        Assert.That(sent.Files, Is.InRange(1, 30));
        Assert.That((received.Files, received.Failed), Is.EqualTo((sent.Files, sent.Failed)));
        Assert.That(received.Failures.Select(failure => failure.Path).Order(StringComparer.Ordinal),
            Is.EqualTo(sent.Failures.Select(failure => failure.Path).Order(StringComparer.Ordinal)));
        Assert.That(sent.Failures.Concat(received.Failures).Select(failure => failure.Error!.Error), Is.All.EqualTo(TransferError.Quota));
        Assert.That(sent.Failures.Concat(received.Failures).Select(failure => failure.Error!.Message), Is.All.Contains("No space left"));

        MakeRoom();
        await using var receivingRest = receiver.StartReceive();
        var rest = await new BatchSender(receiver.Address, new BatchSenderOptions { Journal = journal, Resume = true }).SendAsync(Source);
        var came = await receivingRest.Completion;
        Assert.That((rest.Failed, came.Files, came.Failed), Is.EqualTo((0L, sent.Failed, 0L)), "what was confirmed is not sent again");
        AssertWhole();
        Assert.That(File.Exists(journal), Is.False);
    }

    [Test]
    public async Task Both_commands_end_with_1_and_say_what_has_failed()
    {
        using var receive = new RunningCommand(_scratch, "receive", Target, "--json", "--listen", "127.0.0.1:0");
        using var address = JsonDocument.Parse(await receive.ReadLineAsync());
        using var send = new RunningCommand(_scratch, "send", Source, address.RootElement.GetProperty("address").GetString()!, "--json");
        var (sent, received) = (await send.EndAsync(), await receive.EndAsync());
        Assert.That((sent.ExitCode, received.ExitCode), Is.EqualTo((1, 1)), sent.Errors + received.Errors);
        var there = AssertNothingHalf();
        foreach (var outcome in new[] { sent, received })
        {
            using var json = JsonDocument.Parse(outcome.Output);
            Assert.That(json.RootElement.GetProperty("files").GetInt64(), Is.EqualTo(there));
            var failed = json.RootElement.GetProperty("failed");
            Assert.That(failed.GetArrayLength(), Is.EqualTo(Files - there));
            Assert.That(failed.EnumerateArray().Select(failure => failure.GetProperty("error").GetString()), Is.All.EqualTo("quota"));
        }
    }

    [Test]
    public async Task What_could_not_be_fetched_is_fetched_when_there_is_room()
    {
        var store = Directory.CreateDirectory(Path.Combine(_scratch, "store")).FullName;
        using var key = SpoolKey.CreateShared();
        await using var client = new LocalTransferClient(new Uri(store));
        await new SpoolSender(client, "spool", key, new SpoolSenderOptions { StateFolder = Path.Combine(_scratch, "sender") }).SendAsync(
            Source, [new SpoolRecipient("ann", null)]);
        var options = new SpoolFetcherOptions
        {
            StateFolder = Path.Combine(_scratch, "ann"),
            PollInterval = TimeSpan.FromMilliseconds(20),
            Sessions = 1
        };
        var first = await new SpoolFetcher(client, "spool", "ann", key, options).FetchAsync(Target);
        Assert.That(first.Failures.Select(failure => failure.Error!.Error), Is.EqualTo(new[] { TransferError.Quota }));
        Assert.That(first.Failures[0].Error!.Message, Does.Contain("No space left"));
        Assert.That(first.Files, Is.EqualTo(AssertNothingHalf()));
        Assert.That(Directory.EnumerateDirectories(Path.Combine(store, "spool")), Is.Not.Empty, "it is not confirmed");

        MakeRoom();
        var second = await new SpoolFetcher(client, "spool", "ann", key, options).FetchAsync(Target);
        Assert.That((second.Files, second.Failed), Is.EqualTo((Files - first.Files, 0L)));
        AssertWhole();
        Assert.That(Directory.EnumerateDirectories(Path.Combine(store, "spool")), Is.Empty, "who has confirmed last deletes it");
    }

    private static string Name(int i) => string.Create(CultureInfo.InvariantCulture, $"f{i:D2}");

    private void MakeRoom() => Shell.Run("mount", "-o", "remount,size=30m", Disk);

    // How many files there are, all of them whole.
    private int AssertNothingHalf()
    {
        var there = Directory.EnumerateFileSystemEntries(Target, "*",
            new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 }).ToList();
        foreach (var path in there)
            Bytes.AssertSame(File.ReadAllBytes(path), File.ReadAllBytes(Path.Combine(Source, Path.GetFileName(path))));
        return there.Count;
    }

    private void AssertWhole() => Assert.That(TestTree.Differences(Source, Target, TimeSpan.FromSeconds(1)), Is.Empty);
}
