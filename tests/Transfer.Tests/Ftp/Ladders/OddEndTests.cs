using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Engine;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Data connections that end by a reset.</summary>
public sealed class OddEndTests
{
    private static readonly byte[] Content = FtpHarness.Content(1000, seed: 5);

    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(20),
        Retry = Samples.SoonAgain
    };

    [Test]
    public async Task A_reset_behind_the_last_byte_is_an_end_where_length_and_reply_agree_and_gives_a_warning()
    {
        var warned = new List<string>();
        using var target = new SignallingStream();
        await using var server = new OddServer { ResetsAfter = target.Written };
        server.Files["/a"] = Content;
        var options = Options with { LoggerFactory = new LogEvents(["EndUnconfirmed"], text => { lock (warned) warned.Add(text); }) };
        await using var client = new FtpTransferClient(server.Uri, options);
        await client.DownloadAsync("/a", target).WaitAsync(TimeSpan.FromSeconds(50));
        Same.Bytes(target.ToArray(), Content);
        Assert.That(warned, Has.Count.EqualTo(1));
    }

    [TestCase("RETR")]
    [TestCase("STOR")]
    public async Task A_transfer_that_is_called_superfluous_was_none(string refused)
    {
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb == refused ? "202 superfluous"
                : verb is "SIZE" or "MDTM" or "MLST" or "LIST" or "NLST" ? "502 no" : null
        };
        server.Files["/a"] = Content;
        await using var client = new FtpTransferClient(server.Uri, Options with { IdleTimeout = TimeSpan.FromMinutes(5) });
        using var stream = new MemoryStream();
        var transfer = refused == "RETR" ? client.DownloadAsync("/a", stream)
            : client.UploadAsync(new MemoryStream(Content), "/b", new UploadOptions { Overwrite = OverwriteMode.Always });
        var error = await FtpHarness.FailsAsync(() => transfer);
        Assert.That(error.Message, Does.Contain("202"));
    }

    [TestCase(VerificationMode.Size, "213 1001")]
    [TestCase(VerificationMode.Reply, null)]
    public async Task A_reset_behind_bytes_that_do_not_have_a_known_length_is_a_loss(VerificationMode verify, string? size)
    {
        using var target = new SignallingStream();
        await using var server = new OddServer { ResetsAfter = target.Written, Reply = (verb, _) => verb == "SIZE" ? size : null };
        server.Files["/a"] = Content;
        await using var client = new FtpTransferClient(server.Uri, Options with { Retry = new RetryOptions { Attempts = 1 } });
        var error = await FtpHarness.FailsAsync(() => client.DownloadAsync("/a", target, new DownloadOptions { Verify = verify }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_reset_behind_the_last_line_makes_a_listing_partial_unless_such_ends_are_trusted([Values] bool trusts)
    {
        var read = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new OddServer
        {
            Features = ["EPSV", "MLSD"],
            ResetsAfter = read.Task,
        };
        server.Files["/a"] = Content;
        await using var client = new FtpTransferClient(server.Uri,
            Options with { Compatibility = new FtpCompatibility { TrustsUnconfirmedEnds = trusts } });
        var names = new List<string>();
        TransferException? partial = null;
        try
        {
            await foreach (var entry in client.ListAsync("/"))
            {
                names.Add(entry.Name);
                read.TrySetResult();
            }
        }
        catch (TransferException e)
        {
            partial = e;
        }
        Assert.That((string.Join(' ', names), partial?.Error), Is.EqualTo(("a", trusts ? (TransferError?)null : TransferError.Partial)));
    }

    /// <summary>Tells when content has come.</summary>
    private sealed class SignallingStream : MemoryStream
    {
        private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Written => _written.Task;

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await base.WriteAsync(buffer, cancellationToken);
            _written.TrySetResult();
        }
    }
}
