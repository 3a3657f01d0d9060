using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// A look at a single path has three answers: there, absent, unknown. What no command tells is looked for in the folder's listing; what
/// that does not tell either is not absent.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class LookUpTests
{
    private static readonly byte[] Old = FtpHarness.Content(1000, seed: 9);
    private static readonly byte[] New = FtpHarness.Content(2000, seed: 2);

    // What a server says that has a command but not for this, and one that has it not.
    private static readonly string[] Refusals = ["500 what?", "502 no", "504 not that", "550 denied", "501 no", "553 no", "450 busy"];
    private static readonly OverwriteMode[] Careful = [OverwriteMode.Fail, OverwriteMode.Skip, OverwriteMode.Newer];
    private static readonly bool[] Both = [true, false];

    [Test]
    public async Task A_file_that_every_command_refuses_to_describe_is_found_in_its_folder(
        [ValueSource(nameof(Refusals))] string refusal, [ValueSource(nameof(Both))] bool mlst,
        [ValueSource(nameof(Careful))] OverwriteMode overwrite)
    {
        await using var ftp = await StartAsync(mlst);
        Refuse(ftp, refusal);
        ftp.Store.AddFile("/d/old", Old, DateTimeOffset.UtcNow.AddDays(2));
        if (overwrite == OverwriteMode.Fail)
            Assert.That((await FtpHarness.FailsAsync(() => PutAsync(ftp, "/d/old", overwrite))).Error, Is.EqualTo(TransferError.Exists));
        else Assert.That((await PutAsync(ftp, "/d/old", overwrite)).Skipped, Is.True);
        Same.Bytes(ftp.Store.ReadFile("/d/old"), Old);
    }

    [Test]
    public async Task A_file_that_no_command_describes_and_no_listing_has_is_new(
        [ValueSource(nameof(Refusals))] string refusal, [ValueSource(nameof(Both))] bool mlst,
        [ValueSource(nameof(Careful))] OverwriteMode overwrite)
    {
        await using var ftp = await StartAsync(mlst);
        Refuse(ftp, refusal);
        ftp.Store.AddFile("/d/other", Old);
        await PutAsync(ftp, "/d/new", overwrite);
        Same.Bytes(ftp.Store.ReadFile("/d/new"), New);
    }

    [Test]
    public async Task What_cannot_be_looked_at_is_not_written_over(
        [ValueSource(nameof(Refusals))] string refusal, [ValueSource(nameof(Both))] bool mlst,
        [ValueSource(nameof(Careful))] OverwriteMode overwrite)
    {
        await using var ftp = await StartAsync(mlst);
        Refuse(ftp, refusal);
        ftp.Server.Faults.Reply("MLSD", "550 denied", times: 999);
        ftp.Server.Faults.Reply("LIST", "550 denied", times: 999);
        ftp.Store.AddFile("/d/old", Old, DateTimeOffset.UtcNow.AddDays(-2));
        var error = await FtpHarness.FailsAsync(() => PutAsync(ftp, "/d/old", overwrite));
        Assert.That(error.Error, Is.Not.EqualTo(TransferError.NotFound));
        Assert.That(error.Message, Does.Contain("/d/old"));
        Same.Bytes(ftp.Store.ReadFile("/d/old"), Old);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/old" }));
    }

    [Test]
    public async Task A_move_replaces_nothing_that_cannot_be_looked_at([ValueSource(nameof(Refusals))] string refusal,
        [ValueSource(nameof(Both))] bool listed)
    {
        await using var ftp = await StartAsync(mlst: false);
        Refuse(ftp, refusal);
        if (!listed) ftp.Server.Faults.Reply("LIST", "550 denied", times: 999);
        ftp.Store.AddFile("/d/from", New);
        ftp.Store.AddFile("/d/to", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/d/from", "/d/to", overwrite: false).AsTask());
        if (listed) Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        Same.Bytes(ftp.Store.ReadFile("/d/to"), Old);
        Same.Bytes(ftp.Store.ReadFile("/d/from"), New);
    }

    [Test]
    public async Task A_refusal_by_a_command_that_has_described_something_costs_no_listing([ValueSource(nameof(Both))] bool mlst)
    {
        await using var ftp = await StartAsync(mlst);
        ftp.Store.AddFile("/d/old", Old);
        Assert.That(await ftp.Client.GetEntryAsync("/d/old"), Is.Not.Null);
        Assert.That(await ftp.Client.GetEntryAsync("/d/new"), Is.Null);
        Assert.That(ftp.Work.Select(command => command.Verb), Has.None.AnyOf("LIST", "MLSD"));
    }

    [Test]
    public async Task A_file_and_the_log_in_folder_that_were_described_prove_a_refusal()
    {
        await using var ftp = await StartAsync(mlst: true);
        ftp.Store.AddFile("/d/old", Old);
        Assert.That((await ftp.Client.GetEntryAsync("/d/old"))?.Length, Is.EqualTo(Old.Length));
        Assert.That(await ftp.Client.GetEntryAsync("/d/new"), Is.Null);
        Assert.That(ftp.Work.Select(command => command.Verb), Is.EqualTo(new[] { "MLST", "MLST", "MLST" }));
    }

    [Test]
    public async Task In_a_folder_that_is_not_there_nothing_is([ValueSource(nameof(Both))] bool mlst)
    {
        await using var ftp = await StartAsync(mlst);
        ftp.Server.Faults.Reply("MLST", "501 no such name here", times: 999);
        ftp.Store.AddFile("/other", Old);
        Assert.That(await ftp.Client.GetEntryAsync("/no/such/file"), Is.Null);
    }

    [Test]
    public async Task A_listing_has_the_length_that_no_command_tells()
    {
        await using var ftp = await StartAsync(mlst: false);
        Refuse(ftp, "502 no");
        ftp.Store.AddFile("/d/old", Old);
        Assert.That((await ftp.Client.GetEntryAsync("/d/old"))?.Length, Is.EqualTo(Old.Length));
    }

    [Test]
    public async Task Names_that_begin_with_a_dot_may_be_left_out_of_a_listing()
    {
        await using var ftp = await StartAsync(mlst: false);
        Refuse(ftp, "550 denied");
        ftp.Store.AddFile("/d/.old", Old);
        ftp.Store.AddFile("/d/other", Old);
        ftp.Server.Faults.SendData("LIST", "-rw-r--r-- 1 a b 1000 Jan 02 2024 other\r\n"u8.ToArray(), times: 9);
        await FtpHarness.FailsAsync(() => PutAsync(ftp, "/d/.old", OverwriteMode.Fail));
        Same.Bytes(ftp.Store.ReadFile("/d/.old"), Old);
    }

    [Test]
    public async Task Another_spelling_in_the_listing_may_be_the_same_file()
    {
        await using var ftp = await StartAsync(mlst: false);
        Refuse(ftp, "550 denied");
        ftp.Store.AddFile("/d/OLD", Old);
        await FtpHarness.FailsAsync(() => PutAsync(ftp, "/d/old", OverwriteMode.Fail));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/OLD" }));
    }

    [Test]
    public async Task A_file_that_may_not_be_deleted_nor_looked_at_is_not_told_as_gone()
    {
        await using var ftp = await StartAsync(mlst: false);
        Refuse(ftp, "550 denied");
        ftp.Server.Faults.Reply("DELE", "550 denied", times: 9);
        ftp.Server.Faults.Reply("LIST", "550 denied", times: 9);
        ftp.Store.AddFile("/d/old", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/d/old").AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied));
    }

    // Of a server that nothing is known of.
    private static async Task<FtpHarness> StartAsync(bool mlst)
    {
        var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions
        {
            Greeting = "Ready",
            DisabledCommands = mlst ? new HashSet<string>() : new HashSet<string> { "MLST", "MLSD" },
        });
        ftp.Store.AddDirectory("/d");
        return ftp;
    }

    private static void Refuse(FtpHarness ftp, string reply)
    {
        ftp.Server.Faults.Reply("MLST", reply, times: 999);
        ftp.Server.Faults.Reply("SIZE", reply, times: 999);
        ftp.Server.Faults.Reply("MDTM", reply, times: 999);
    }

    private static Task<TransferResult> PutAsync(FtpHarness ftp, string path, OverwriteMode overwrite) =>
        ftp.PutAsync(path, New, new UploadOptions { Overwrite = overwrite, Modified = DateTimeOffset.UtcNow });
}
