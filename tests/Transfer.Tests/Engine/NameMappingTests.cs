using System.Collections.Concurrent;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Operations;
using Transfer.Engine.Planning;
using Transfer.Engine.Scheduling;
using Transfer.Local;
using Transfer.Local.Contents;
using Transfer.Local.Trees;

namespace Transfer.Tests.Engine;

/// <summary>Folders with names that their targets can't have, where these are to get others.</summary>
public sealed class NameMappingTests : MemoryFixture
{
    private static readonly string[] Names = ["CON", "README", "ReadMe", "a%3Ab", "a:b", "d?/empty./x:", "d?/f", "plain"];
    private static readonly string[] There = ["%43ON", "R%65%61%64M%65", "README", "a%253Ab", "a%3Ab", "d%3F/empty%2E/x%3A", "d%3F/f",
        "plain"];

    private static DirectoryOptions Mapped => new() { NameMapping = NameMapping.Windows };

    private IEnumerable<(string, string?)> Told => Items.Values.Select(item => (item.Path, item.MappedTo));

    [Test]
    public async Task They_arrive_under_others_each_is_told_and_the_next_run_finds_them()
    {
        AddToStore("/s/");
        var told = new ConcurrentQueue<string>();
        await using var client = new MemoryTransferClient(Store, new() { LoggerFactory = new LogEvents(["NameMapped"], told.Enqueue) });

        var result = await client.StartDownloadDirectory("/s", Local.Path, Mapped with { Verify = VerificationMode.Hash },
            readItems: true).TellAsync(Items).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((8L, 0L)));
        Assert.That(Local.Files, Is.EqualTo(There));
        Assert.That(Local.Read("a%3Ab"), Is.EqualTo(Content("a:b")));
        Assert.That(Local.Read("R%65%61%64M%65"), Is.EqualTo(Content("ReadMe")));
        Assert.That(Told, Is.EquivalentTo(new (string, string?)[]
        {
            ("CON", "%43ON"), ("README", null), ("ReadMe", "R%65%61%64M%65"), ("a%3Ab", "a%253Ab"), ("a:b", "a%3Ab"),
            ("d?/empty./x:", "d%3F/empty%2E/x%3A"), ("d?/f", "d%3F/f"), ("plain", null),
        }));
        Assert.That(told, Is.EquivalentTo(new[]
        {
            "CON is called %43ON at the target.", "ReadMe is called R%65%61%64M%65 at the target.",
            "a%3Ab is called a%253Ab at the target.", "a:b is called a%3Ab at the target.",
            "d? is called d%3F at the target.", "d?/empty. is called empty%2E at the target.", "d?/empty./x: is called x%3A at the target.",
        }));

        var again = await client.StartDownloadDirectory("/s", Local.Path, Mapped with { Overwrite = OverwriteMode.Skip },
            readItems: true).TellAsync(Items).Soon();
        Assert.That((again.Files, again.Skipped, again.Failed), Is.EqualTo((0L, 8L, 0L)));
        var newer = await client.StartDownloadDirectory("/s", Local.Path, Mapped with { Overwrite = OverwriteMode.Newer },
            readItems: true).TellAsync(Items).Soon();
        Assert.That((newer.Files, newer.Skipped), Is.EqualTo((0L, 8L)));
    }

    [Test]
    public async Task Nothing_is_mapped_that_nobody_asked_for()
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()) Assert.Ignore("Needs such names.");
        AddToStore("/s/");
        await Client.StartDownloadDirectory("/s", Local.Path, new(), readItems: true).TellAsync(Items).Soon();
        Assert.That(Local.Files, Is.EqualTo(Names));
        Assert.That(Items.Values.Select(item => item.MappedTo), Is.All.Null);
    }

    [Test]
    public async Task A_dry_run_tells_of_them_and_what_is_left_out_changes_no_names([Values] bool dry)
    {
        AddLocally();
        var options = Mapped with { DryRun = dry, Filter = new() { Exclude = ["README", "d?"] } };
        var result = await Client.StartUploadDirectory(Local.Path, "/t", options, readItems: true).TellAsync(Items).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((5L, 0L)));
        Assert.That(Told,
            Is.EquivalentTo(new (string,
                string?)[] { ("CON", "%43ON"), ("ReadMe", "R%65%61%64M%65"), ("a%3Ab", "a%253Ab"), ("a:b", "a%3Ab"), ("plain", null) }));
        Assert.That(Store.Files,
            dry ? Is.Empty : Is.EqualTo(new[] { "/t/%43ON", "/t/R%65%61%64M%65", "/t/a%253Ab", "/t/a%3Ab", "/t/plain" }));
    }

    [Test]
    public async Task By_the_targets_own_rules_it_is_what_its_system_refuses_and_its_disk_takes_for_one()
    {
        AddToStore("/s/");
        Store.AddFile("/s/" + new string(':', 90), [1]);
        await using var engine = new ClientEngine(Client.Endpoint, new(), () => 16, (_, _) => new(new MemorySession(Store)), _ => false);
        await using var job = new EngineJob("test", engine, default, new TransferJobContext(items: Items));
        var source = new RemoteTree(job.Dispatcher, engine, "/s");
        var target = new LocalTree(Local.Path, NullLogger.Instance, new LocalNames(windows: true, ignoresCase: true, normalizes: false));
        var planner = new FolderPlanner(job, source, target, new DirectoryOptions { NameMapping = NameMapping.Target }, 4,
            (directory, entry) => job.AddAsync(new JobFile(
            new FileSpec
            {
                Name = directory.PathOf(entry.Name),
                MappedTo = directory.ItemOf(entry.Name).MappedTo,
                Kind = Transfer.Sessions.WorkKind.Download,
                RemotePath = source.PathOf(directory.PathOf(entry.Name))
            },
            new LocalFileSink(target.PathOf(directory.ItemOf(entry.Name).TargetPath), new() { TemporaryName = job.NextTemporaryName }))));

        var result = await job.RunAsync(planner.RunAsync).Soon();

        Assert.That(Local.Files, Is.EqualTo(There));
        Assert.That((result.Files, result.Failures.Single().Error!.Error), Is.EqualTo((8L, TransferError.Unsupported)),
            "a name may be too long then");
        Assert.That(result.Failures.Single().MappedTo, Is.EqualTo(string.Concat(Enumerable.Repeat("%3A", 90))));
    }

    [Test]
    public async Task At_a_server_it_is_line_ends_and_names_that_it_takes_for_one([Values] bool ignoresCase)
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()) Assert.Ignore("Needs such names.");
        var store = new MemoryStore(ignoresCase);
        await using var client = new MemoryTransferClient(store);
        foreach (var name in (string[])["a:b", "Dir/x", "dir/X", "line\nend"]) Local.Add(name, Content(name));

        var result = await client.UploadDirectoryAsync(Local.Path, "/t", new() { NameMapping = NameMapping.Target }).Soon();

        Assert.That(result.Failures, Is.Empty);
        Assert.That(store.Files.Order(StringComparer.Ordinal),
            Is.EqualTo(new[] { ignoresCase ? "/t/%64ir/X" : "", "/t/Dir/x", "/t/a:b", ignoresCase ? "" : "/t/dir/X",
                "/t/line%0Aend" }.Where(name => name.Length > 0)));
        if (ignoresCase) Assert.That(store["/t/%64ir/X"]!.Content, Is.EqualTo(Content("dir/X")));
    }

    [Test]
    public async Task What_has_line_ends_on_a_server_cannot_be_asked_for_by_any_name()
    {
        Store.Extra.Add(new RemoteEntry { Path = "/s/line\nend", Type = RemoteEntryType.File, Length = 1 });
        Store.Extra.Add(new RemoteEntry { Path = "/s/../up", Type = RemoteEntryType.File, Length = 1 });
        Store.AddDirectory("/s");
        var result = await Client.StartDownloadDirectory("/s", Local.Path, Mapped, readItems: true).TellAsync(Items).Soon();
        Assert.That((result.Files, result.Failed, Local.Files.Count), Is.EqualTo((0L, 2L, 0)));
    }

    [Test]
    public async Task Links_have_other_names_too_and_their_texts_stay()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Needs links.");
        Store.AddFile("/s/a:b", [1]);
        Store.AddLink("/s/l?", "a:b");
        for (var run = 0; run < 2; run++)
        {
            var result = await Client.StartDownloadDirectory("/s", Local.Path,
                Mapped with { Links = LinkHandling.Copy, Overwrite = OverwriteMode.Always }, readItems: true).TellAsync(Items).Soon();
            Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
        }
        Assert.That(new FileInfo(Local["l%3F"]).LinkTarget, Is.EqualTo("a:b"));
        Assert.That(Told, Does.Contain(("l?", "l%3F")));
    }

    [Test]
    public async Task Between_servers_they_are_mapped_as_well([Values] bool copies)
    {
        var other = new MemoryStore { Copies = copies };
        await using var client = new MemoryTransferClient(other);
        var (source, from) = copies ? (other, client) : (Store, Client);
        foreach (var name in Names) source.AddFile("/s/" + name, Content(name));
        var result = await from.StartCopyDirectory("/s", client, "/t", Mapped, readItems: true).TellAsync(Items).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((8L, 0L)));
        Assert.That(other.Files.Where(file => file.StartsWith("/t/", StringComparison.Ordinal)),
            Is.EqualTo(There.Select(name => "/t/" + name)));
        Assert.That(Told, Does.Contain(("d?/f", "d%3F/f")));
    }

    [Test]
    public async Task A_job_that_goes_on_knows_what_has_arrived_by_the_names_it_has_there()
    {
        AddLocally();
        var options = new DirectoryOptions { NameMapping = NameMapping.Windows, Journal = Local.Path + ".journal" };
        Store.Faults.On("upload", Fault.Refusal(TransferError.Denied), path: path => path.EndsWith("plain", StringComparison.Ordinal));
        var first = await Client.UploadDirectoryAsync(Local.Path, "/t", options).Soon();
        Assert.That((first.Files, first.Failed), Is.EqualTo((7L, 1L)));

        await using var client = new MemoryTransferClient(Store);
        var second = await client.UploadDirectoryAsync(Local.Path, "/t", options with { Resume = true }).Soon();

        Assert.That((second.Files, second.Skipped, second.Failed), Is.EqualTo((1L, 7L, 0L)));
        Assert.That(Store.Files, Is.EqualTo(There.Select(name => "/t/" + name)));
        Assert.That(File.Exists(options.Journal), Is.False);
    }

    [Test]
    public async Task What_an_earlier_run_put_there_under_another_name_is_no_reason_to_replace_what_has_this_one()
    {
        Local.Add("a:b", [1], Samples.Time);
        Local.Add("plain", [1], Samples.Time);
        var options = new DirectoryOptions { Journal = Local.Path + ".journal" };
        Store.Faults.On("upload", Fault.Refusal(TransferError.Denied), path: path => path.EndsWith("plain", StringComparison.Ordinal));
        await Client.UploadDirectoryAsync(Local.Path, "/t", options).Soon();
        Store.AddFile("/t/a%3Ab", [9]);

        var result = await Client.UploadDirectoryAsync(Local.Path, "/t",
            options with { Resume = true, NameMapping = NameMapping.Windows }).Soon();

        Assert.That((result.Failures.Single().Path, result.Failures.Single().MappedTo), Is.EqualTo(("a:b", "a%3Ab")));
        Assert.That(Store["/t/a%3Ab"]!.Content, Is.EqualTo(new byte[] { 9 }));
        File.Delete(options.Journal);
    }

    private static byte[] Content(string name) => System.Text.Encoding.UTF8.GetBytes(name);

    private void AddToStore(string folder)
    {
        foreach (var name in Names) Store.AddFile(folder + name, Content(name), Samples.Time);
    }

    private void AddLocally()
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()) Assert.Ignore("Needs such names.");
        foreach (var name in Names) Local.Add(name, Content(name), Samples.Time);
    }
}
