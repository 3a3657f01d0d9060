using System.Text.RegularExpressions;
using Transfer.Ftp;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Session;

[TestFixture]
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed partial class ReplacingTests
{
    private static readonly byte[] Old = FtpHarness.Content(3000, 1);
    private static readonly byte[] New = FtpHarness.Content(5000, 2);

    [TestCase(FtpPipelining.Off)]
    [TestCase(FtpPipelining.Batched)]
    public async Task Where_an_existing_name_is_refused_the_old_file_is_moved_aside_and_the_server_is_known_for_it(FtpPipelining pipelining)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { Pipelining = pipelining },
            front: inner => new NoReplaceStore(inner));
        ftp.Store.AddFile("/d/a", Old);
        ftp.Store.AddFile("/d/b", Old);
        await ftp.PutAsync("/d/a", New);
        await ftp.PutAsync("/d/b", New);
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
        Same.Bytes(ftp.Store.ReadFile("/d/b"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a", "/d/b" }));
        var last = ftp.Work.Where(c => c.Verb is "RNFR" or "RNTO" or "DELE").TakeLast(5).Select(
            c => Numbers.Replace($"{c.Verb} {c.Argument}", "N")).ToArray();
        Assert.That(last,
            Is.EqualTo(new[] { "RNFR /d/b", "RNTO /d/b.transfer-N.old", "RNFR /d/.transfer-N.part", "RNTO /d/b",
                "DELE /d/b.transfer-N.old" }), "known from the first file");
    }

    [Test]
    public async Task Of_a_folder_each_old_file_stays_where_no_rename_is_done_and_new_ones_go_under_their_own_names()
    {
        await using var ftp = await FtpHarness.StartAsync(front: inner => new NoReplaceStore(inner) { Refuses = (_, _) => true });
        using var folder = new TempFolder();
        for (var i = 0; i < 20; i++)
        {
            folder.Add($"f{i:00}", FtpHarness.Content(5000 + i, i));
            if (i % 2 == 0) ftp.Store.AddFile($"/d/f{i:00}", Old);
        }
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", new DirectoryOptions { Overwrite = OverwriteMode.Always });
        Assert.That((result.Files, result.Failed), Is.EqualTo((10L, 10L)),
            string.Join('\n', result.Failures.Select(f => f.Error?.Message)));
        Assert.That(result.Failures.Select(f => f.Error!.Message), Is.All.Contains("--publish direct"));
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(20), string.Join('\n', ftp.Store.Files));
        for (var i = 0; i < 20; i++) Same.Bytes(ftp.Store.ReadFile($"/d/f{i:00}"), i % 2 == 0 ? Old : folder.Read($"f{i:00}"));
    }

    [Test]
    public async Task One_file_that_is_locked_teaches_nothing_about_the_others()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("RNTO", "550 in use", times: 99, path: "/d/a");
        ftp.Server.Faults.Reply("RNFR", "550 in use", times: 99, path: "/d/a");
        foreach (var name in new[] { "a", "b", "c" }) ftp.Store.AddFile($"/d/{name}", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New));
        Assert.That(error.NeedsDirectPublish, Is.False);
        await ftp.PutAsync("/d/b", New);
        await ftp.PutAsync("/d/c", New);
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        Same.Bytes(ftp.Store.ReadFile("/d/c"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a", "/d/b", "/d/c" }));
        Assert.That(ftp.Work.Any(c => c.Verb == "DELE" && c.Argument is "/d/a" or "/d/b" or "/d/c"), Is.False);
    }

    [TestCase("500 what?")]
    [TestCase("502 not so")]
    [TestCase("504 not for that")]
    [TestCase("450 busy")]
    [TestCase("451 local error")]
    [TestCase("553 not allowed")]
    public async Task A_name_that_exists_may_be_refused_by_any_code(string reply)
    {
        OddServer? server = null;
        await using var owned = server = new OddServer
        {
            Reply = (verb, path) => verb == "RNTO" && server!.Files.ContainsKey(path) ? reply : null
        };
        var options = FtpHarness.Options with { Retry = Samples.SoonAgain };
        await using var client = new FtpTransferClient(server.Uri, options);
        server.Files["/a"] = Old;
        server.Files["/b"] = Old;
        using var content = new MemoryStream(New);
        await client.UploadAsync(content, "/a", new UploadOptions { Overwrite = OverwriteMode.Always });
        Same.Bytes(server.Files["/a"], New);
        await client.MoveAsync("/a", "/b", overwrite: true);
        Same.Bytes(server.Files["/b"], New);
        Assert.That(server.Files.Keys, Is.EqualTo(new[] { "/b" }));
    }

    [TestCase("450 busy")]
    [TestCase("451 another time")]
    public async Task A_refusal_for_now_moves_nothing_aside(string reply)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("RNTO", reply, times: 99);
        ftp.Store.AddFile("/d/a", Old);
        await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
        Assert.That(ftp.Work.Any(c => c.Argument == "/d/a" && c.Verb is "DELE" or "RNFR"), Is.False);
    }

    [Test]
    public async Task A_new_file_that_cannot_take_the_place_lets_the_old_one_back_and_goes([Values] bool comesBack)
    {
        NoReplaceStore? store = null;
        await using var ftp = await FtpHarness.StartAsync(front: inner => store = new NoReplaceStore(inner));
        store!.Refuses = (from, to) => to == "/d/a" && (!comesBack || from.EndsWith(".part", StringComparison.Ordinal));
        ftp.Store.AddFile("/d/a", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New));
        if (comesBack)
        {
            Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
            Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
            return;
        }
        Assert.That(error.Kept, Is.EquivalentTo(ftp.Store.Files));
        foreach (var kept in error.Kept) Assert.That(error.Message, Does.Contain(kept));
        Assert.That(error.Kept.Select(ftp.Store.ReadFile), Is.EquivalentTo(new[] { Old, New }));
    }

    [Test]
    public async Task Out_of_another_folder_an_old_file_is_moved_aside_only_when_the_new_one_is_beside_it([Values] bool learned,
        [Values(VerificationMode.Size, VerificationMode.Hash)] VerificationMode verify)
    {
        await using var ftp = await FtpHarness.StartAsync(front: inner => new NoReplaceStore(inner));
        ftp.Store.AddFile("/d/a", Old);
        ftp.Store.AddFile("/d/b", Old);
        if (learned) await ftp.PutAsync("/d/b", New);
        var options = new UploadOptions
        {
            Overwrite = OverwriteMode.Always,
            TemporaryDirectory = "/tmp",
            CreateDirectories = true,
            Verify = verify
        };
        await ftp.PutAsync("/d/a", New, options);
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a", "/d/b" }));
        Assert.That(ftp.Work.Any(c => c is { Verb: "DELE", Argument: "/d/a" }), Is.False);
    }

    [Test]
    public async Task Out_of_another_file_system_the_old_file_stays_and_the_error_names_the_option([Values(VerificationMode.Size,
        VerificationMode.Hash)] VerificationMode verify)
    {
        await using var ftp = await FtpHarness.StartAsync(
            front: inner => new NoReplaceStore(inner) { Refuses = (from, _) => from.StartsWith("/tmp/", StringComparison.Ordinal) });
        ftp.Store.AddFile("/d/a", Old);
        var options = new UploadOptions
        {
            Overwrite = OverwriteMode.Always,
            TemporaryDirectory = "/tmp",
            CreateDirectories = true,
            Verify = verify
        };
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New, options));
        Assert.That(error.Message, Does.Contain("TemporaryDirectory"));
        Assert.That(ftp.Work.Count(c => c.Verb == "STOR"), Is.EqualTo(1), "it would be refused again");
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
    }

    [TestCase("RNFR")]
    [TestCase("RNTO")]
    public async Task Without_the_command_a_new_file_goes_under_its_own_name_and_an_old_one_stays(string verb)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { Pipelining = FtpPipelining.PerFile });
        ftp.Server.Faults.Reply(verb, "502 no such command", times: 99);
        ftp.Store.AddFile("/d/a", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New));
        Assert.That(error.NeedsDirectPublish);
        Assert.That(error.Message, Does.Contain("--publish direct"));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        using var folder = new TempFolder();
        folder.Add("new", New);
        await ftp.Client.UploadFileAsync(System.IO.Path.Combine(folder.Path, "new"), "/d/new");
        Same.Bytes(ftp.Store.ReadFile("/d/new"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a", "/d/new" }));
    }

    [TestCase("/d/a", "/d/a")]
    [TestCase("/d/a", "/d/A")]
    [TestCase("/d/a", "/D/a")]
    public async Task A_move_to_the_same_name_or_another_casing_of_it_loses_nothing_on_a_server_that_knows_no_case(string from, string to)
    {
        await using var ftp = await FtpHarness.StartAsync(front: inner => new CaselessStore(inner) { RefusesExisting = true });
        ftp.Store.AddFile("/d/a", Old);
        await ftp.Client.MoveAsync(from, to, overwrite: true);
        Same.Bytes(ftp.Store.ReadFile(ftp.Store.Files.Single()), Old);
        Assert.That(ftp.Work.Any(c => c.Verb == "DELE"), Is.False);
    }

    [Test]
    public async Task Two_files_whose_names_differ_in_case_are_two_where_a_server_tells_them_apart()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        ftp.Store.AddFile("/d/A", New);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/d/a", "/d/A").AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(ftp.Store.Files, Is.EquivalentTo(new[] { "/d/a", "/d/A" }));
        await ftp.Client.MoveAsync("/d/a", "/d/A", overwrite: true);
        Same.Bytes(ftp.Store.ReadFile(ftp.Store.Files.Single()), Old);
    }

    [TestCase("/folder", "/file", TestName = "A_folder_never_takes_the_place_of_a_file")]
    [TestCase("/file", "/folder", TestName = "A_file_never_takes_the_place_of_a_folder")]
    [TestCase("/folder", "/other", TestName = "A_folder_never_takes_the_place_of_another")]
    public async Task Kinds(string from, string to)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/folder/x", Old);
        ftp.Store.AddFile("/other/y", Old);
        ftp.Store.AddFile("/file", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync(from, to, overwrite: true).AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(ftp.Store.Files, Is.EquivalentTo(new[] { "/folder/x", "/other/y", "/file" }));
        Assert.That(ftp.Work.Any(c => c.Verb == "RNTO"), Is.False);
    }

    [Test]
    public async Task A_move_whose_source_is_absent_touches_nothing()
    {
        await using var ftp = await FtpHarness.StartAsync(front: inner => new NoReplaceStore(inner));
        ftp.Store.AddFile("/keep", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/absent", "/keep", overwrite: true).AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/keep" }));
    }

    [GeneratedRegex("(?<=transfer-)[0-9a-f]{16}-[0-9]+")]
    private static partial Regex Numbers { get; }
}
