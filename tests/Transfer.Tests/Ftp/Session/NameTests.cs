using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Names that a server takes for one another, or does not take.</summary>
public sealed class NameTests
{
    private Transfer.Testing.MemoryStore _store = null!;
    private TempFolder _local = null!;

    private static DirectoryOptions Always => new() { Overwrite = OverwriteMode.Always };

    [SetUp]
    public void SetUp()
    {
        _store = new();
        _local = new TempFolder();
    }

    [TearDown]
    public void TearDown() => _local.Dispose();

    [TestCase(OverwriteMode.Always)]
    [TestCase(OverwriteMode.Fail)]
    public async Task Where_the_server_ignores_case_one_of_two_names_is_kept_and_the_other_fails(OverwriteMode overwrite)
    {
        IgnoreWhereTheSourceCannotHaveThem();
        foreach (var name in (string[])["Name", "NAME", "d/a", "other/B/x", "other/b/x"]) _local.Add(name, [.. name.Select(c => (byte)c)]);
        await using var server = await StartAsync(Caseless);
        await using var client = ClientOf(server);

        var result = await client.UploadDirectoryAsync(_local.Path, "/in", new() { Overwrite = overwrite });

        Assert.That((result.Files, result.Failed), Is.EqualTo((3L, 2L)));
        Assert.That(result.Failures.Select(item => item.Path.ToUpperInvariant()), Is.EquivalentTo(new[] { "NAME", "OTHER/B" }));
        foreach (var failure in result.Failures)
        {
            var (lost, kept) = (Path.GetFileName(failure.Path), Swapped(Path.GetFileName(failure.Path)));
            Assert.That(failure.Error!.Error, Is.EqualTo(TransferError.Exists));
            Assert.That(failure.Error.Message,
                Is.EqualTo($"\"{lost}\" differs in case only from \"{kept}\" in its folder: the target does not tell them apart."));
        }
        var first = Swapped(result.Failures.Single(item => !item.Path.Contains('/')).Path);
        Assert.That(_store.ReadFile("/in/" + first), Is.EqualTo(first.Select(c => (byte)c)), "what came first has not been written over");
        Assert.That(_store.Files, Has.Count.EqualTo(3));
        Assert.That(_store.Directories, Has.Count.EqualTo(4), "what was made to find out is gone");
        Assert.That(server.Commands.Count(c => c.Verb == "RMD"), Is.EqualTo(1), "asked once");
    }

    [Test]
    public async Task Where_the_server_knows_case_both_arrive()
    {
        IgnoreWhereTheSourceCannotHaveThem();
        foreach (var name in (string[])["Name", "NAME", "d/a", "d/A"]) _local.Add(name, [1]);
        await using var server = await StartAsync(_store);
        await using var client = ClientOf(server);
        var result = await client.UploadDirectoryAsync(_local.Path, "/in", Always);
        Assert.That((result.Files, result.Failed), Is.EqualTo((4L, 0L)));
        Assert.That(_store.Directories, Is.EqualTo(new[] { "/in", "/in/d" }));
    }

    [Test]
    public async Task Without_such_names_nobody_asks()
    {
        foreach (var name in (string[])["a", "b"]) _local.Add(name, [1]);
        await using var server = await StartAsync(_store);
        await using var client = ClientOf(server);
        Assert.That((await client.UploadDirectoryAsync(_local.Path, "/in", Always)).Files, Is.EqualTo(2));
        Assert.That(server.Commands.Count(c => c.Verb is "RMD" or "MLST"), Is.Zero);
    }

    [Test]
    public async Task Where_it_cannot_be_found_out_one_of_two_fails()
    {
        IgnoreWhereTheSourceCannotHaveThem();
        foreach (var name in (string[])["Name", "NAME"]) _local.Add(name, [1]);
        _store.AddDirectory("/in");
        await using var server = await StartAsync(_store);
        server.Faults.Reply("MKD", "550 Not here", skip: 1); // the first one is for the folder itself
        await using var client = ClientOf(server);
        var result = await client.UploadDirectoryAsync(_local.Path, "/in", Always);
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 1L)));
        Assert.That(result.Failures[0].Error!.Message, Does.Contain("could not be found out").And.Contain("550"));
    }

    [Test]
    public async Task A_dry_run_makes_nothing_to_find_out()
    {
        IgnoreWhereTheSourceCannotHaveThem();
        foreach (var name in (string[])["Name", "NAME"]) _local.Add(name, [1]);
        _store.AddDirectory("/in");
        await using var server = await StartAsync(_store);
        await using var client = ClientOf(server);
        var result = await client.UploadDirectoryAsync(_local.Path, "/in", Always with { DryRun = true });
        Assert.That((result.Files, result.Failed, server.Commands.Count(c => c.Verb == "MKD")), Is.EqualTo((2L, 0L, 0)));
    }

    [Test]
    public async Task Between_servers_names_are_told_apart_as_the_target_does()
    {
        foreach (var name in (string[])["Name", "NAME"]) _store.AddFile("/out/" + name, [1]);
        var there = new Transfer.Testing.MemoryStore();
        await using var source = await StartAsync(_store);
        await using var target = await StartAsync(new CaselessStore(there));
        await using var from = ClientOf(source);
        await using var to = ClientOf(target);
        var result = await from.CopyDirectoryAsync("/out", to, "/in", new DirectoryOptions { Overwrite = OverwriteMode.Always });
        Assert.That((result.Files, result.Failed, there.Files.Count), Is.EqualTo((1L, 1L, 1)));
    }

    [Test]
    public async Task A_name_that_the_server_refuses_fails_alone()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There are no such names.");
        foreach (var name in (string[])["a", "b:c", "d:e/f", "g"]) _local.Add(name, [1]);
        await using var server = await StartAsync(Caseless);
        await using var client = ClientOf(server);
        var result = await client.UploadDirectoryAsync(_local.Path, "/in", Always);
        Assert.That((result.Files, _store.Files), Is.EqualTo((2L, new[] { "/in/a", "/in/g" })));
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)),
            Is.EquivalentTo(new[] { ("b:c", TransferError.Denied), ("d:e/f", TransferError.Denied) }));
        Assert.That(result.Failures.Select(item => item.Error!.Message), Has.One.Contains("RNTO").And.One.Contains("MKD"));
        Assert.That(result.Failures.Select(item => item.Error!.RemotePath), Is.EquivalentTo(new[] { "/in/b:c", "/in/d:e" }));
    }

    private CaselessStore Caseless => new(_store);

    private static Task<FtpTestServer> StartAsync(ITestStore store) => FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store });

    private static FtpTransferClient ClientOf(FtpTestServer server) =>
        new(server.Uri, FtpHarness.Options with { MaxSessions = 4, Retry = Samples.SoonAgain });

    private static string Swapped(string name) => name switch { "Name" => "NAME", "NAME" => "Name", "b" => "B", _ => "b" };

    private static void IgnoreWhereTheSourceCannotHaveThem()
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("This system's folders can't have such names.");
    }
}
