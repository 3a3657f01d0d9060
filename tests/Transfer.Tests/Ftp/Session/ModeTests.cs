using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Permissions over FTP: those of a replaced file are read and set where the server has commands for both.</summary>
public sealed class ModeTests
{
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Script = (UnixFileMode)0b111_101_101;

    [TestCase("")]
    [TestCase("MLST,MLSD")]
    public async Task A_replaced_file_keeps_its_permissions(string without)
    {
        await using var ftp = await FtpHarness.StartAsync(Without(without));
        await Plant(ftp, "/secret", Private);
        await Plant(ftp, "/script", Script);
        await ftp.Client.UploadAsync(new MemoryStream([1]), "/secret", new() { Overwrite = OverwriteMode.Always }).Soon();
        await ftp.Client.UploadAsync(new MemoryStream([1]), "/script", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((await Mode(ftp, "/secret"), await Mode(ftp, "/script")), Is.EqualTo((Private, Script)));
    }

    [Test]
    public async Task It_is_looked_at_beside_the_size_and_set_in_front_of_the_rename()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await Plant(ftp, "/secret", Private);
        var before = ftp.Server.Commands.Count;
        await ftp.Client.UploadAsync(new MemoryStream([1]), "/secret", new() { Overwrite = OverwriteMode.Always }).Soon();
        var commands = ftp.Server.Commands.Skip(before).ToList();
        var verbs = commands.Select(command => command.Verb).ToList();
        var store = verbs.IndexOf("STOR");
        Assert.That(verbs.Skip(store), Is.EqualTo(new[] { "STOR", "SIZE", "MLST", "MLST", "SITE", "RNFR", "RNTO" }));
        var site = commands[verbs.IndexOf("SITE")];
        Assert.That(site.Argument, Does.StartWith("CHMOD 600 ").And.EndsWith(commands[store].Argument),
            "the temporary file has them before it has the name");
    }

    // A server that reads a whole directory for STAT takes longer for each file than for the one before.
    [TestCase(1)]
    [TestCase(8)]
    public async Task Behind_many_new_files_of_a_folder_SIZE_finds_those_that_are_replaced(int sessions)
    {
        await using var ftp = await FtpHarness.StartAsync(Without("MLST,MLSD"), FtpHarness.Options with { MaxSessions = sessions });
        using var local = new TempFolder();
        for (var i = 0; i < 300; i++) local.Add($"f{i:000}", [1]);
        var replaced = new[] { "f000", "f200", "f201", "f299" };
        foreach (var name in replaced) await Plant(ftp, "/d/" + name, Private);
        var result = await ftp.Client.UploadDirectoryAsync(local.Path, "/d", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((300L, 0L)));
        foreach (var name in replaced) Assert.That(await Mode(ftp, "/d/" + name), Is.EqualTo(Private), name);
        Assert.That(ftp.Server.Commands.Count(command => command.Verb == "STAT"), Is.InRange(16, 250));
    }

    [Test]
    public async Task Set_user_id_does_not_survive()
    {
        await using var ftp = await FtpHarness.StartAsync(Without("MLST,MLSD"));
        await Plant(ftp, "/f", Script | UnixFileMode.SetUser);
        await ftp.Client.UploadAsync(new MemoryStream([1]), "/f", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That(await Mode(ftp, "/f"), Is.EqualTo(Script));
    }

    [Test]
    public async Task A_new_file_has_what_the_server_gives_and_nothing_is_set()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await ftp.Client.UploadAsync(new MemoryStream([1]), "/new", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That(ftp.Server.Commands.Select(command => command.Verb), Has.None.EqualTo("SITE"));
    }

    [Test]
    public async Task Where_it_cannot_be_set_a_job_says_so_once_and_no_file_fails()
    {
        var told = new System.Collections.Concurrent.ConcurrentQueue<string>();
        await using var ftp = await FtpHarness.StartAsync(Without("SITE CHMOD"),
            FtpHarness.Options with { LoggerFactory = new LogEvents(["ModeLost"], told.Enqueue) });
        using var local = new TempFolder();
        for (var i = 0; i < 20; i++)
        {
            local.Add($"f{i}", [1]);
            await Plant(ftp, $"/d/f{i}", Private);
        }
        var result = await ftp.Client.UploadDirectoryAsync(local.Path, "/d", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((20L, 0L)));
        Assert.That(told, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task Permissions_that_were_asked_for_and_cannot_be_set_are_told_of_once([Values] PublishMode publish)
    {
        var told = new System.Collections.Concurrent.ConcurrentQueue<string>();
        await using var ftp = await FtpHarness.StartAsync(Without("SITE CHMOD"),
            FtpHarness.Options with { LoggerFactory = new LogEvents(["ModeLost"], told.Enqueue) });
        using var local = new TempFolder();
        for (var i = 0; i < 20; i++) local.Add($"f{i}", [1]);
        var result = await ftp.Client.UploadDirectoryAsync(local.Path, "/d", new() { PreserveMode = true, Publish = publish }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((20L, 0L)));
        Assert.That(told, Has.Count.EqualTo(OperatingSystem.IsWindows() ? 0 : 1));
        Assert.That(ftp.Server.Commands.Count(command => command.Verb == "SITE"), Is.LessThan(20),
            "what was refused is not asked for again and again");
    }

    [Test]
    public async Task A_file_that_the_engine_names_keeps_them_too()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await Plant(ftp, "/f", Private);
        await ftp.Client.UploadAsync(new MemoryStream([1]), "/f",
            new() { Overwrite = OverwriteMode.Always, BackupDirectory = "old" }).Soon();
        Assert.That((await Mode(ftp, "/f"), await Mode(ftp, "/old/f")), Is.EqualTo((Private, Private)));
        await ftp.Client.UploadAsync(new MemoryStream([2]), "/f",
            new() { Overwrite = OverwriteMode.Always, Verify = VerificationMode.Hash }).Soon();
        Assert.That(await Mode(ftp, "/f"), Is.EqualTo(Private));
    }

    [Test]
    public async Task Permissions_are_changed_as_chmod_does_and_a_server_without_is_told()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await Plant(ftp, "/d/a", Private);
        await Plant(ftp, "/d/sub/b", Script);
        Assert.That(await ftp.Client.ChangeModeAsync("/d", ModeChange.Parse("go+rX"), recursive: true).AsTask().Soon(), Is.EqualTo(4));
        Assert.That((await Mode(ftp, "/d/a"), await Mode(ftp, "/d/sub/b")), Is.EqualTo(((UnixFileMode)0b110_100_100, Script)));

        await using var without = await FtpHarness.StartAsync(Without("SITE CHMOD,SITE"));
        await Plant(without, "/f", Private);
        var error = await without.Client.ChangeModeAsync("/f", ModeChange.Parse("644")).AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }

    private static FtpTestServerOptions Without(string commands) =>
        new() { DisabledCommands = commands.Split(',', StringSplitOptions.RemoveEmptyEntries).ToHashSet() };

    private static async Task Plant(FtpHarness ftp, string path, UnixFileMode mode)
    {
        ftp.Store.AddFile(path, [9, 9]);
        await ftp.Store.SetModeAsync(path, mode);
    }

    private static async Task<UnixFileMode> Mode(FtpHarness ftp, string path) => (await ftp.Store.GetAsync(path))!.Mode;
}
