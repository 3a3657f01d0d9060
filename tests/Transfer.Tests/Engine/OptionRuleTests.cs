namespace Transfer.Tests.Engine;

public sealed class OptionRuleTests
{
    private static readonly TestCaseData[] Wrong =
    [
        Case(new UploadOptions { Overwrite = (OverwriteMode)9 }, nameof(TransferOptions), nameof(TransferOptions.Overwrite)),
        Case(new UploadOptions { Publish = (PublishMode)9 }, nameof(TransferOptions), nameof(TransferOptions.Publish)),
        Case(new UploadOptions { Verify = (VerificationMode)9 }, nameof(TransferOptions), nameof(TransferOptions.Verify)),
        Case(new UploadOptions { JournalFlush = (JournalFlush)9 }, nameof(TransferOptions), nameof(TransferOptions.JournalFlush)),
        Case(new UploadOptions { TemporaryDirectory = "" }, nameof(TransferOptions), nameof(TransferOptions.TemporaryDirectory)),
        Case(new UploadOptions { BackupDirectory = " " }, nameof(TransferOptions), nameof(TransferOptions.BackupDirectory)),
        Case(new UploadOptions { Journal = "" }, nameof(TransferOptions), nameof(TransferOptions.Journal)),
        Case(new UploadOptions { Lock = "" }, nameof(TransferOptions), nameof(TransferOptions.Lock)),
        Case(new UploadOptions { Segments = 0 }, nameof(TransferOptions), nameof(TransferOptions.Segments)),
        Case(new UploadOptions { LockWait = TimeSpan.FromTicks(-1) }, nameof(TransferOptions), nameof(TransferOptions.LockWait)),
        Case(new UploadOptions { Publish = PublishMode.Direct, TemporaryDirectory = "t" }, nameof(TransferOptions),
            nameof(TransferOptions.TemporaryDirectory)),
        Case(new UploadOptions { Publish = PublishMode.Direct, BackupDirectory = "b" }, nameof(TransferOptions),
            nameof(TransferOptions.BackupDirectory)),
        Case(new DownloadOptions { Segments = -1 }, nameof(TransferOptions), nameof(TransferOptions.Segments)),
        Case(new DirectoryOptions { Sessions = 0 }, nameof(DirectoryJobOptions), nameof(DirectoryJobOptions.Sessions)),
        Case(new DirectoryOptions { Links = (LinkHandling)9 }, nameof(DirectoryJobOptions), nameof(DirectoryJobOptions.Links)),
        Case(new DirectoryOptions { NameMapping = (NameMapping)9 }, nameof(DirectoryJobOptions), nameof(DirectoryJobOptions.NameMapping)),
        Case(new SyncOptions { Overwrite = OverwriteMode.Newer }, nameof(TransferOptions), nameof(TransferOptions.Overwrite)),
        Case(new SyncOptions { Compare = (SyncComparison)9 }, nameof(SyncOptions), nameof(SyncOptions.Compare)),
    ];

    private static readonly TestCaseData[] WrongOfClient =
    [
        Case(new TransferClientOptions { MaxSessions = 0 }, nameof(TransferClientOptions), nameof(TransferClientOptions.MaxSessions)),
        Case(new TransferClientOptions { MaxBufferBytes = 1 }, nameof(TransferClientOptions), nameof(TransferClientOptions.MaxBufferBytes)),
        Case(new TransferClientOptions { MaxListingBytes = 0 }, nameof(TransferClientOptions),
            nameof(TransferClientOptions.MaxListingBytes)),
        Case(new TransferClientOptions { MaxBytesPerSecond = 0 }, nameof(TransferClientOptions),
            nameof(TransferClientOptions.MaxBytesPerSecond)),
        Case(new TransferClientOptions { SessionLifetime = TimeSpan.FromTicks(-1) }, nameof(TransferClientOptions),
            nameof(TransferClientOptions.SessionLifetime)),
        Case(new TransferClientOptions { LimitsFile = "" }, nameof(TransferClientOptions), nameof(TransferClientOptions.LimitsFile)),
        Case(new TransferClientOptions { Retry = null! }, nameof(TransferClientOptions), nameof(TransferClientOptions.Retry)),
        Case(new TransferClientOptions { Retry = new RetryOptions { Attempts = 0 } }, nameof(RetryOptions), nameof(RetryOptions.Attempts)),
        Case(new TransferClientOptions { Retry = new RetryOptions { FirstDelay = TimeSpan.FromTicks(-1) } }, nameof(RetryOptions),
            nameof(RetryOptions.FirstDelay)),
        Case(new TransferClientOptions { Retry = new RetryOptions { MaxDelay = TimeSpan.FromTicks(-1) } }, nameof(RetryOptions),
            nameof(RetryOptions.MaxDelay)),
        Case(new TransferClientOptions { Retry = new RetryOptions { Budget = -1 } }, nameof(RetryOptions), nameof(RetryOptions.Budget)),
        Case(new TransferClientOptions { Dial = new DialOptions { ConnectTimeout = TimeSpan.Zero } }, nameof(DialOptions),
            nameof(DialOptions.ConnectTimeout)),
        Case(new TransferClientOptions { Dial = new DialOptions { ConnectionAttemptDelay = TimeSpan.FromTicks(-1) } }, nameof(DialOptions),
            nameof(DialOptions.ConnectionAttemptDelay)),
        Case(new TransferClientOptions { Dial = new DialOptions { SendBufferSize = 0 } }, nameof(DialOptions),
            nameof(DialOptions.SendBufferSize)),
        Case(new TransferClientOptions { Dial = new DialOptions { ReceiveBufferSize = 0 } }, nameof(DialOptions),
            nameof(DialOptions.ReceiveBufferSize)),
        Case(new TransferClientOptions { Dial = new DialOptions { KeepAlive = TimeSpan.FromTicks(-1) } }, nameof(DialOptions),
            nameof(DialOptions.KeepAlive)),
        ProxyCase(ProxyKind.HttpConnect, "us:er", "sesame"),
        ProxyCase(ProxyKind.HttpConnect, "us\r\ner", "sesame"),
        ProxyCase(ProxyKind.HttpConnect, "user", "ses\tame"),
        ProxyCase(ProxyKind.Socks5, "", "x"),
        ProxyCase(ProxyKind.Socks5, "user", "sec\r\nret"),
        ProxyCase(ProxyKind.Socks5, "us\0er", "sesame"),
        ProxyCase(ProxyKind.Socks5, new string('x', 256), "x"),
        ProxyCase(ProxyKind.Socks5, new string('é', 128), "x"),
        ProxyCase(ProxyKind.Socks5, "x", new string('x', 256)),
    ];

    [TestCaseSource(nameof(Wrong))]
    public async Task A_job_with_options_that_cannot_be_is_refused_at_once_with_the_property_and_its_rule(TransferOptions options,
        string property)
    {
        await using var client = new MemoryTransferClient(new MemoryStore());
        AssertNames(Assert.Catch<ArgumentException>(() => _ = Start(client, options))!, options.GetType().Name, property);
    }

    [TestCaseSource(nameof(WrongOfClient))]
    public void A_client_with_options_that_cannot_be_is_refused_with_the_property_and_its_rule(TransferClientOptions options,
        string property)
    {
        var error =
            Assert.Catch<ArgumentException>(() => _ = new LocalTransferClient(new Uri("file:///"), new LocalTransferOptions(options)))!;
        AssertNames(error, "Options", property);
    }

    [Test]
    public async Task A_stream_in_place_of_a_local_file_has_no_journal_and_no_lock()
    {
        await using var client = new MemoryTransferClient(new MemoryStore());
        foreach (var (options, property) in new (UploadOptions, string)[]
        {
            (new() { Journal = "j" }, nameof(TransferOptions.Journal)), (new() { Resume = true }, nameof(TransferOptions.Resume)),
            (new() { Lock = "l" }, nameof(TransferOptions.Lock)),
        })
        {
            AssertNames(Assert.Catch<ArgumentException>(() => _ = client.UploadAsync(Stream.Null, "/f", options))!, nameof(UploadOptions),
                property);
            AssertNames((await Assert.CatchAsync<ArgumentException>(async () => await client.OpenWriteAsync("/f", options)))!,
                nameof(UploadOptions), property);
        }
        var down = new DownloadOptions { Journal = "j" };
        AssertNames(Assert.Catch<ArgumentException>(() => _ = client.DownloadAsync("/f", Stream.Null, down))!, nameof(DownloadOptions),
            nameof(TransferOptions.Journal));
    }

    [Test]
    public async Task A_range_that_no_file_has_is_refused()
    {
        await using var client = new MemoryTransferClient(new MemoryStore());
        foreach (var (options, property) in new (ReadOptions,
            string)[] { (new() { Offset = -1 }, nameof(ReadOptions.Offset)), (new() { Length = -1 }, nameof(ReadOptions.Length)) })
        {
            AssertNames((await Assert.CatchAsync<ArgumentException>(async () => await client.OpenReadAsync("/f", options)))!,
                nameof(ReadOptions), property);
        }
    }

    [Test]
    public void Links_are_left_out_by_default_whatever_carries_the_folder() =>
        Assert.That(
            new[] { new DirectoryOptions().Links, new SyncOptions().Links, new Transfer.Batch.BatchSenderOptions().Links,
                new Transfer.Batch.SpoolSenderOptions { StateFolder = "s" }.Links },
            Is.All.EqualTo(LinkHandling.Skip));

    [Test]
    public void Values_that_nobody_has_set_claim_nothing_and_replace_nothing() => Assert.Multiple(() =>
    {
        Assert.That(default(TransferError), Is.EqualTo(TransferError.Unknown));
        Assert.That(default(OverwriteMode), Is.EqualTo(OverwriteMode.Fail));
        Assert.That(default(PublishMode), Is.EqualTo(PublishMode.Rename));
        Assert.That(default(LinkHandling), Is.EqualTo(LinkHandling.Skip));
        Assert.That(default(VerificationMode), Is.EqualTo(VerificationMode.Reply));
        Assert.That(default(Transfer.Sessions.ListingVerdict), Is.EqualTo(Transfer.Sessions.ListingVerdict.Partial));
        Assert.That(default(Transfer.Sessions.DirectoryProof), Is.EqualTo(Transfer.Sessions.DirectoryProof.Unknown));
        Assert.That(default(Transfer.Replacing.NameState), Is.EqualTo(Transfer.Replacing.NameState.Unknown));
        Assert.That(default(Transfer.Replacing.RenameReply).IsDone, Is.False);
    });

    private static TestCaseData ProxyCase(ProxyKind kind, string user, string password)
    {
        var proxy = new ProxyOptions { Kind = kind, Host = "h", Port = 1, Credential = new TransferCredential(user, password) };
        return Case(new TransferClientOptions { Dial = new DialOptions { Proxy = proxy } }, nameof(ProxyOptions),
            nameof(ProxyOptions.Credential));
    }

    private static TestCaseData Case(object options, string record, string property) =>
        new TestCaseData(options, property).SetArgDisplayNames($"{record}.{property}", options.GetType().Name);

    private static Task Start(TransferClient client, TransferOptions options) => options switch
    {
        UploadOptions up => client.UploadFileAsync("f", "/f", up),
        DownloadOptions down => client.DownloadFileAsync("/f", "f", down),
        DirectoryOptions directory => client.UploadDirectoryAsync("f", "/f", directory),
        SyncOptions sync => client.SynchronizeAsync("f", "/f", SyncDirection.Up, sync),
        _ => throw new InvalidOperationException(options.GetType().Name),
    };

    private static void AssertNames(ArgumentException error, string record, string property)
    {
        Assert.That(error.ParamName, Is.EqualTo(property));
        Assert.That(error.Message, Does.Contain($"{record}.{property} must "));
    }
}
