using System.Collections.Concurrent;
using Transfer.Batch;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>A folder to send, a spool in another one, and recipients with folders and keys of their own.</summary>
internal sealed class SpoolHarness : IDisposable
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TempFolder _folder = new();
    private readonly Dictionary<string, SpoolKey> _keys = [];

    public SpoolHarness(bool isShared = false) : this(isShared ? SpoolKey.CreateShared() : SpoolKey.Create())
    {
    }

    /// <param name="key">The sender's; belongs to this.</param>
    public SpoolHarness(SpoolKey key)
    {
        SenderKey = key;
        Directory.CreateDirectory(From);
        Directory.CreateDirectory(Root);
    }

    public SpoolKey SenderKey { get; }

    public string From => _folder["from"];

    /// <summary>The store's root; the spool is in it.</summary>
    public string Root => _folder["store"];

    public string Spool => Path.Combine(Root, "spool");

    /// <summary>The folders of jobs in the spool.</summary>
    public string[] Jobs => Directory.Exists(Spool) ? Directory.GetDirectories(Spool) : [];

    /// <summary>The one job.</summary>
    public string Job => Jobs.Single();

    public ConcurrentBag<ItemResult> Items { get; } = [];

    public string[] Archives => [.. Directory.GetFiles(Job, "*.tfa").Order(StringComparer.Ordinal)];

    public string To(string name) => _folder["to-" + name];

    public string State(string name) => _folder["state-" + name];

    public SpoolKey Key(string name)
    {
        if (SenderKey.Public is null) return SenderKey;
        if (!_keys.TryGetValue(name, out var key)) _keys.Add(name, key = SpoolKey.Create());
        return key;
    }

    public SpoolRecipient[] Recipients(params string[] names) => [.. names.Select(name => new SpoolRecipient(name, Key(name).Public))];

    public TransferClient Client() => new LocalTransferClient(new Uri(Root));

    /// <summary>What the sender asks for.</summary>
    public bool Deltas { get; init; }

    public SpoolSenderOptions SenderOptions => new() { StateFolder = State("sender"), Deltas = Deltas };

    public SpoolFetcherOptions FetcherOptions(string name) => new()
    {
        StateFolder = State(name),
        Senders = SenderKey.Public is { } sender ? [sender] : [],
        PollInterval = TimeSpan.FromMilliseconds(20),
        Patience = TimeSpan.FromMilliseconds(150),
    };

    /// <summary>Sends the folder.</summary>
    /// <param name="names">The recipients.</param>
    /// <param name="change">Changes the options.</param>
    /// <param name="items">Receives each item as it ends, in the midst of the job.</param>
    /// <param name="stopping">Ends it gently.</param>
    /// <param name="ct">Cancels.</param>
    public async Task<JobResult> SendAsync(
        string[] names, Func<SpoolSenderOptions, SpoolSenderOptions>? change = null, Action<ItemResult>? items = null,
        CancellationToken stopping = default, CancellationToken ct = default)
    {
        await using var client = Client();
        return await SendAsync(client, names, change, items, stopping, ct);
    }

    public async Task<JobResult> SendAsync(
        TransferClient client, string[] names, Func<SpoolSenderOptions, SpoolSenderOptions>? change = null,
        Action<ItemResult>? items = null,
        CancellationToken stopping = default, CancellationToken ct = default)
    {
        var sender = new SpoolSender(client, "spool", SenderKey, change is null ? SenderOptions : change(SenderOptions));
        return await sender.RunAsync(From, Recipients(names), Context(items, stopping, ct)).WaitAsync(Patience, CancellationToken.None);
    }

    public async Task<JobResult> FetchAsync(
        string name, Func<SpoolFetcherOptions, SpoolFetcherOptions>? change = null, Action<ItemResult>? items = null,
        CancellationToken ct = default)
    {
        await using var client = Client();
        return await FetchAsync(client, name, change, items, ct);
    }

    public async Task<JobResult> FetchAsync(
        TransferClient client, string name, Func<SpoolFetcherOptions, SpoolFetcherOptions>? change = null, Action<ItemResult>? items = null,
        CancellationToken ct = default)
    {
        var options = FetcherOptions(name);
        var fetcher = new SpoolFetcher(client, "spool", name, Key(name), change is null ? options : change(options));
        return await fetcher.RunAsync(To(name), Context(items, default, ct)).WaitAsync(Patience, CancellationToken.None);
    }

    private TransferJobContext Context(Action<ItemResult>? items, CancellationToken stopping, CancellationToken ct) =>
        new(items: new Relay(items ?? Items.Add), cancellationToken: ct, stopping: stopping);

    public void Write(string name, byte[] content) => _folder.Add("from/" + name, content);

    /// <summary>Small files, and a large one that is sliced.</summary>
    public int Fill(int files = 60, int large = 9_000_000)
    {
        var random = new Random(1);
        for (var i = 0; i < files; i++)
        {
            var bytes = new byte[random.Next(0, 5000)];
            random.NextBytes(bytes);
            Write($"d{i % 7}/f{i}", bytes);
            File.SetLastWriteTimeUtc(Path.Combine(From, $"d{i % 7}/f{i}"),
                new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc).AddSeconds(i));
        }
        if (large == 0) return files;
        var content = new byte[large];
        random.NextBytes(content);
        Write("z/large", content);
        return files + 1;
    }

    public void AssertSame(string name)
    {
        Assert.That(TempFolder.FilesIn(To(name)), Is.EqualTo(TempFolder.FilesIn(From)));
        foreach (var file in TempFolder.FilesIn(From))
        {
            var (source, target) = (Path.Combine(From, file), Path.Combine(To(name), file));
            Assert.That(File.ReadAllBytes(target).AsSpan().SequenceEqual(File.ReadAllBytes(source)), file);
            Assert.That(File.GetLastWriteTimeUtc(target), Is.EqualTo(File.GetLastWriteTimeUtc(source)), file);
        }
    }

    /// <summary>The one job that is there, as a recipient reads it.</summary>
    public async Task<SpoolJob> ReadJobAsync(TransferClient client, string name, KeyRing ring)
    {
        var store = new SpoolStore(client, "spool", Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
        return (await SpoolJob.ReadAsync(store, SpoolNames.JobOf(Path.GetFileName(Job))!.Value, Key(name), ring, _ => true, default))!;
    }

    public static void CopyFolder(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.GetFiles(from)) File.Copy(file, Path.Combine(to, Path.GetFileName(file)), overwrite: true);
    }

    public void Dispose()
    {
        foreach (var key in _keys.Values) key.Dispose();
        SenderKey.Dispose();
        _folder.Dispose();
    }

    public sealed class Relay(Action<ItemResult> report) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => report(value);
    }
}
