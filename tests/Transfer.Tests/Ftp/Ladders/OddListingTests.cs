using Transfer.Ftp;
using Transfer.Ftp.Session;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Directories and single names at servers that differ from the usual.</summary>
[Category(Categories.Slow)]
public sealed class OddListingTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(5),
        Retry = Samples.SoonAgain
    };

    [TestCase(null)]
    [TestCase("-rw-r--r-- 1 u g 3 Jan  2  2024 a\r\n")]
    public async Task An_entry_of_which_MLSD_gives_no_type_is_found_by_LIST(string? listed)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "MLSD"],
            Lines = (verb, _) => verb == "MLSD" ? "type=file;size=3; a\r\ntype=;size=2; b\r\n" : listed,
        };
        server.Files["/a"] = [1, 2, 3];
        server.Files["/b"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        var found = new List<string>();
        TransferException? partial = null;
        try
        {
            await foreach (var entry in client.ListAsync("/")) found.Add($"{entry.Name} {entry.Type} {entry.Length}");
        }
        catch (TransferException e)
        {
            partial = e;
        }
        Assert.That(string.Join(", ", found), Is.EqualTo(listed is null ? "a File 3, b File 2" : "a File 3"));
        Assert.That(partial?.Error, Is.EqualTo(listed is null ? (TransferError?)null : TransferError.Partial));
        Assert.That((server.Count("MLSD"), server.Count("LIST")), Is.EqualTo((1, 1)));
    }

    [Test]
    public async Task A_folder_with_a_space_in_its_name_is_listed_where_MLSD_takes_none()
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;"],
            Reply = (verb, path) => verb is "MLSD" or "MLST" && path.Contains(' ', StringComparison.Ordinal) ? "501 too many words" : null,
        };
        server.Folders["/d"] = true;
        server.Folders["/d/a b"] = true;
        server.Files["/d/a b/c d"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await NamesAsync(client, "/d"), Is.EqualTo(new[] { "a b" }));
        Assert.That(await NamesAsync(client, "/d/a b"), Is.EqualTo(new[] { "c d" }));
        Assert.That((await client.GetEntryAsync("/d/a b/c d"))?.Length, Is.EqualTo(1));
        Assert.That(server.Count("LIST"), Is.Zero);
    }

    [Test]
    public async Task A_target_that_cannot_be_listed_is_not_like_an_empty_source(
        [Values] bool compares, [Values] bool byMlsd, [Values("553 permission denied", "550 Permission denied.")] string reply)
    {
        await using var server = new OddServer
        {
            Features = byMlsd ? ["EPSV", "MLSD"] : ["EPSV"],
            Reply = (verb, _) => verb is "MLSD" or "LIST" or "NLST" ? reply : null
        };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var folder = new TempFolder();
        if (compares)
        {
            var items = await client.CompareAsync(folder.Path, "/d", SyncDirection.Up).ToListAsync();
            Assert.That(items.Select(item => (item.Outcome, item.Error?.Error)),
                Is.EqualTo(new[] { (ComparisonOutcome.Failed, (TransferError?)TransferError.Denied) }));
        }
        else
        {
            var options = new SyncOptions { Delete = true, DeleteForEmptySource = true };
            var result = await client.SynchronizeAsync(folder.Path, "/d", SyncDirection.Up, options);
            Assert.That(result.Failed, Is.EqualTo(1));
        }
        Assert.That(server.Files.Keys, Is.EqualTo(new[] { "/d/a" }));
    }

    [Test]
    public async Task A_name_that_MLSD_refuses_for_itself_leaves_the_host_on_its_rung()
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "MLSD"],
            Reply = (verb, path) => path == "/d" && verb is "MLSD" or "CWD" ? "501 what a name" : null
        };
        server.Folders["/d"] = true;
        await using var client = new FtpTransferClient(server.Uri, Options);
        await NamesAsync(client, "/");
        await FtpHarness.FailsAsync(() => NamesAsync(client, "/d"));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(), Is.Empty);
    }

    [TestCase("500 what?")]
    [TestCase("501 no such name here")]
    [TestCase("504 not so")]
    [TestCase("250 is there")]
    public async Task A_name_for_which_MLST_has_no_entry_is_asked_for_by_the_next_means(string reply)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;", "MLSD"],
            Reply = (verb, _) => verb == "MLST" ? reply : null
        };
        server.Files["/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That((await client.GetEntryAsync("/a"))?.Length, Is.EqualTo(2));
        var asked = server.Count("MLST");
        Assert.That(await client.GetEntryAsync("/b"), Is.Null);
        var rungs = FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString();
        Assert.That((rungs, server.Count("MLST")), Is.EqualTo(("a4=1", asked)));
    }

    [TestCase("501 no such name here")]
    [TestCase("550 no such name here")]
    [TestCase("")]
    public async Task MLST_that_has_described_nothing_is_left_once_other_means_find_what_is_there(string reply)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;", "MLSD"],
            Reply = (verb, _) => verb == "MLST" ? reply : null
        };
        server.Files["/a"] = [1, 2];
        using var folder = new TempFolder();
        var options = Options with { IdleTimeout = TimeSpan.FromSeconds(1), LimitsFile = folder["limits"] };
        await using (var client = new FtpTransferClient(server.Uri, options))
            Assert.That((await client.GetEntryAsync("/a"))?.Length, Is.EqualTo(2));
        Assert.That(await File.ReadAllTextAsync(folder["limits"]), Does.Contain(" a4=1 "));
        var asked = server.Count("MLST");
        await using (var client = new FtpTransferClient(server.Uri, options))
            Assert.That((await client.GetEntryAsync("/a"))?.Length, Is.EqualTo(2));
        Assert.That(server.Count("MLST"), Is.EqualTo(asked));
    }

    [TestCase(OverwriteMode.Skip)]
    [TestCase(OverwriteMode.Fail)]
    public async Task A_name_with_a_space_that_MLST_calls_absent_is_asked_for_by_the_next_means(OverwriteMode mode)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;", "MLSD"],
            Reply = (verb, path) => verb == "MLST" && path.Contains(' ', StringComparison.Ordinal) ? "550 no such name" : null
        };
        server.Files["/a"] = [1];
        server.Files["/b c"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That((await client.GetEntryAsync("/a"))?.Length, Is.EqualTo(1));
        Assert.That((await client.GetEntryAsync("/b c"))?.Length, Is.EqualTo(2));
        Assert.That(await client.GetEntryAsync("/c d"), Is.Null);
        using var content = new MemoryStream([1, 2, 3]);
        var upload = client.UploadAsync(content, "/b c", new UploadOptions { Overwrite = mode });
        if (mode == OverwriteMode.Fail) await FtpHarness.FailsAsync(() => upload);
        else await upload;
        Assert.That(server.Files["/b c"], Has.Length.EqualTo(2));
    }

    [Test]
    public async Task MLST_that_describes_the_log_in_folder_keeps_its_rung_for_names_that_it_does_not_take()
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;", "MLSD"],
            Reply = (verb, path) => verb == "MLST" && path != "/" ? "501 no such name here" : null
        };
        server.Files["/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That((await client.GetEntryAsync("/a"))?.Length, Is.EqualTo(2));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(), Is.Empty);
    }

    [Test]
    public async Task A_server_that_does_not_answer_MLSD_is_listed_by_LIST_long_before_the_time_limit()
    {
        await using var server = new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? "" : null };
        server.Files["/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options with { IdleTimeout = TimeSpan.FromMinutes(10) });
        Assert.That(await NamesAsync(client, "/"), Is.EqualTo(new[] { "a" }));
        Assert.That((server.Count("MLSD"), server.Count("LIST")), Is.EqualTo((1, 2)));
    }

    [TestCase("425 no data connection")]
    [TestCase("426 broken off")]
    [TestCase("451 local error")]
    public async Task An_MLSD_that_is_refused_for_a_while_again_and_again_is_left(string reply)
    {
        await using var server = new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? reply : null };
        server.Files["/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await NamesAsync(client, "/"), Is.EqualTo(new[] { "a" }));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(), Does.Contain("a5=2"));
        var asked = server.Count("MLSD");
        await NamesAsync(client, "/");
        Assert.That(server.Count("MLSD"), Is.EqualTo(asked));
    }

    [TestCase(3, true)]
    [TestCase(4, false)]
    public async Task A_listing_that_is_refused_for_a_while_is_requested_as_often_as_the_options_say(int refusals, bool succeeds)
    {
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb == "LIST" && Interlocked.Decrement(ref refusals) >= 0 ? "425 try again" : null,
        };
        server.Files["/a"] = [1, 2];
        var options = Options with { Retry = Samples.SoonAgain with { Attempts = 4 } };
        await using var client = new FtpTransferClient(server.Uri, options);
        if (succeeds) Assert.That(await NamesAsync(client, "/"), Is.EqualTo(new[] { "a" }));
        else await FtpHarness.FailsAsync(() => NamesAsync(client, "/"));
        Assert.That(server.Commands.Count(command => command == "LIST"), Is.EqualTo(4));
    }

    [Test]
    public async Task Times_from_LIST_are_told_to_the_minute_once_MLSD_is_left()
    {
        await using var server = new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? "502 no" : null };
        await using var client = new FtpTransferClient(server.Uri, Options);
        await client.ConnectAsync();
        Assert.That(client.Features.TimePrecision, Is.EqualTo(TimeSpan.FromSeconds(1)));
        await NamesAsync(client, "/");
        Assert.That(client.Features.TimePrecision, Is.EqualTo(TimeSpan.FromMinutes(1)));
    }

    [Test]
    [Platform(Exclude = "MacOsX", Reason = "It has one loopback address.")]
    public async Task After_PRET_the_address_that_PASV_names_counts()
    {
        await using var server = new OddServer
        {
            Features = ["PRET", "SIZE"],
            DataAddress = System.Net.IPAddress.Parse("127.0.0.7"),
            Reply = (verb, _) => verb == "EPSV" ? "502 no" : null,
        };
        server.Files["/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var fetched = new MemoryStream();
        await client.DownloadAsync("/a", fetched);
        Assert.That(fetched.ToArray(), Is.EqualTo(new byte[] { 1, 2 }));
    }

    [Test]
    [Platform(Exclude = "MacOsX", Reason = "It has one loopback address.")]
    public async Task Without_PRET_an_address_counts_by_the_option_only([Values] bool trusts)
    {
        await using var server = new OddServer
        {
            DataAddress = System.Net.IPAddress.Parse("127.0.0.8"),
            Reply = (verb, _) => verb == "EPSV" ? "502 no" : null
        };
        server.Files["/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri,
            Options with { Compatibility = new FtpCompatibility { TrustsPassiveAddress = trusts }, IdleTimeout = TimeSpan.FromSeconds(1) });
        using var fetched = new MemoryStream();
        if (trusts)
        {
            await client.DownloadAsync("/a", fetched);
            return;
        }
        await FtpHarness.FailsAsync(() => client.DownloadAsync("/a", fetched));
        var error = await FtpHarness.FailsAsync(() => NamesAsync(client, "/"));
        Assert.That(error.Message, Does.Contain("PASV names 127.0.0.8").And.Contain("--trust-pasv"));
    }

    private static async Task<List<string>> NamesAsync(FtpTransferClient client, string folder)
    {
        var names = new List<string>();
        await foreach (var entry in client.ListAsync(folder)) names.Add(entry.Name);
        return names;
    }
}
