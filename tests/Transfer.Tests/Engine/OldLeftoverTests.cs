namespace Transfer.Tests.Engine;

/// <summary>Unfinished files of runs that nobody knows: those go that are a day old where they are, whatever our clock says.</summary>
public sealed class OldLeftoverTests
{
    private const string Old = ".transfer-00000000ffffffff-1.part";
    private const string Fresh = ".transfer-00000000ffffffff-2.part";

    private readonly ManualTime _time = new();
    private TempFolder _folder = null!;
    private MemoryStore _store = null!;

    [SetUp]
    public void SetUp()
    {
        _folder = new TempFolder();
        File.WriteAllBytes(Path.Join(_folder.Path, "f"), [1, 2, 3]);
        Plant(Samples.Time);
    }

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [Test]
    public async Task The_clock_of_the_server_says_what_is_old([Values(0, 365, -365)] int ahead)
    {
        Plant(Samples.Time.AddDays(ahead));
        await UploadAsync(new DirectoryOptions { Overwrite = OverwriteMode.Skip });
        Assert.That(_store.Files, Is.EqualTo(new[] { $"/there/{Fresh}", "/there/f" }));
    }

    [Test]
    public async Task So_does_synchronising()
    {
        await RunAsync(client => client.SynchronizeAsync(_folder.Path, "/there", SyncDirection.Up));
        Assert.That(_store.Files, Is.EqualTo(new[] { $"/there/{Fresh}", "/there/f" }));
    }

    [Test]
    public async Task The_clock_of_the_file_system_says_it_here()
    {
        var local = Path.Join(_folder.Path, "here");
        Directory.CreateDirectory(local);
        foreach (var name in (string[])[Old, Fresh]) File.WriteAllBytes(Path.Join(local, name), [1]);
        File.SetLastWriteTimeUtc(Path.Join(local, Old), DateTime.UtcNow.AddDays(-2));
        _store.AddFile("/from/f", [1]);
        await RunAsync(client => client.DownloadDirectoryAsync("/from", local, new DirectoryOptions { Overwrite = OverwriteMode.Skip }));
        Assert.That(Directory.GetFiles(local).Select(Path.GetFileName), Is.EquivalentTo(new[] { Fresh, "f" }));
    }

    [Test]
    public async Task Nobody_is_asked_for_the_time_where_nothing_looks_old()
    {
        _store.DeleteFile($"/there/{Old}");
        await UploadAsync(new DirectoryOptions { Overwrite = OverwriteMode.Skip });
        Assert.That((_store.Faults.Count("list"), _store.Faults.Count("upload")), Is.EqualTo((1, 1)));
    }

    [Test]
    public async Task Where_the_time_is_not_to_be_had_everything_stays()
    {
        _store.Faults.On("upload", new Fault { Refuse = new TransferException(TransferError.Denied, "no") },
            path: path => path.Contains(".transfer-", StringComparison.Ordinal));
        await UploadAsync(new DirectoryOptions { Overwrite = OverwriteMode.Skip });
        Assert.That(_store.Files, Is.EqualTo(new[] { $"/there/{Old}", $"/there/{Fresh}", "/there/f" }));
    }

    [Test]
    public async Task One_that_was_about_to_get_its_name_is_left([Values] bool renamed)
    {
        // A file gets its source's time before its name.
        var listings = 0;
        _store.Faults.On("list", new Fault { Hold = Change }, nth: 3);
        await UploadAsync(new DirectoryOptions { Overwrite = OverwriteMode.Skip });
        Assert.That(listings, Is.EqualTo(1));
        Assert.That(_store[renamed ? "/there/theirs" : $"/there/{Old}"], Is.Not.Null);

        Task Change(CancellationToken _)
        {
            listings++;
            if (renamed) _store.Move($"/there/{Old}", "/there/theirs", overwrite: false);
            else _store.SetModified($"/there/{Old}", _store.Now);
            return Task.CompletedTask;
        }
    }

    [Test]
    public async Task What_is_no_unfinished_file_stays_and_so_does_everything_in_a_dry_run([Values] bool dry)
    {
        var mark = TemporaryNames.MarkOf("00000000ffffffff");
        foreach (var name in (string[])[mark, "f.part", ".transfer-x-1.part"])
            _store.AddFile($"/there/{name}", [1], Samples.Time.AddDays(-9));
        await UploadAsync(new DirectoryOptions { Overwrite = OverwriteMode.Skip, DryRun = dry });
        Assert.That(_store.Files.Select(RemotePath.GetName), Is.SupersetOf(new[] { mark, "f.part", ".transfer-x-1.part" }));
        Assert.That(_store[$"/there/{Old}"], dry ? Is.Not.Null : Is.Null);
    }

    private void Plant(DateTimeOffset now)
    {
        _store = new MemoryStore { Now = now };
        _store.AddFile($"/there/{Old}", [1], now.AddDays(-2));
        _store.AddFile($"/there/{Fresh}", [1], now.AddHours(-1));
    }

    private Task UploadAsync(DirectoryOptions options) => RunAsync(client => client.UploadDirectoryAsync(_folder.Path, "/there", options));

    private async Task RunAsync(Func<TransferClient, Task<JobResult>> run)
    {
        await using var client = new MemoryTransferClient(_store, new TransferClientOptions { MaxSessions = 1, TimeProvider = _time });
        var job = run(client);
        // It waits before it looks a second time.
        await Eventually.TrueAsync(() =>
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            return job.IsCompleted;
        });
        var result = await job;
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
    }
}
