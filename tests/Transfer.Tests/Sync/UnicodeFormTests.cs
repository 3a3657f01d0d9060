using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Trees;
using Transfer.Local;
using Transfer.Local.Trees;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>Names that differ in Unicode's form only, where the target takes them for one and where it does not.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class UnicodeFormTests : IDisposable
{
    // NFC and NFD of the same letters.
    private const string Composed = "caf\u00e9";
    private const string Decomposed = "cafe\u0301";

    private static readonly SyncOptions Delete = new() { Delete = true };

    private readonly TempFolder _local = new();

    public void Dispose() => _local.Dispose();

    [SetUp]
    public void The_folder_tells_forms_apart()
    {
        if (OperatingSystem.IsMacOS()) Assert.Ignore("The source could not have both.");
    }

    [Test]
    public async Task What_a_server_has_under_the_other_form_is_not_deleted_and_not_sent_again()
    {
        var store = new MemoryStore(ignoresForms: true);
        await using var client = new MemoryTransferClient(store);
        _local.Add(Composed, [1], Samples.Time);
        _local.Add($"{Composed}-folder/x", [1], Samples.Time);
        store.AddFile("/t/" + Decomposed, [1], Samples.Time);
        store.AddFile($"/t/{Decomposed}-folder/x", [9], Samples.Time.AddDays(-1));
        store.AddFile("/t/o\u0308ther", [2]);
        var result = await client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete).Soon();
        Assert.That((result.Files, result.Unchanged, result.Deleted, result.Failed), Is.EqualTo((1L, 1L, 1L, 0L)));
        var again = await client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete).Soon();
        Assert.That((again.Files, again.Unchanged, again.Deleted, again.Failed), Is.EqualTo((0L, 2L, 0L, 0L)));
        Assert.That(store.Files, Has.Count.EqualTo(2));
        Assert.That(store[$"/t/{Composed}-folder/x"]!.Content, Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task Where_the_server_tells_forms_apart_the_other_is_another_file()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store);
        _local.Add(Composed, [1], Samples.Time);
        store.AddFile("/t/" + Decomposed, [1, 2], Samples.Time);
        var result = await client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete).Soon();
        Assert.That((result.Files, result.Deleted, result.Failed), Is.EqualTo((1L, 1L, 0L)));
        Assert.That(store.Files, Is.EqualTo(new[] { "/t/" + Composed }));
    }

    [TestCase(OverwriteMode.Skip)]
    [TestCase(OverwriteMode.Fail)]
    public async Task What_is_there_under_the_other_form_is_there(OverwriteMode overwrite)
    {
        var store = new MemoryStore(ignoresForms: true);
        await using var client = new MemoryTransferClient(store);
        _local.Add(Composed, [1], Samples.Time);
        store.AddFile("/t/" + Decomposed, [9]);
        var result = await client.UploadDirectoryAsync(_local.Path, "/t", new() { Overwrite = overwrite }).Soon();
        Assert.That((result.Files, result.Skipped + result.Failed), Is.EqualTo((0L, 1L)));
        Assert.That(store["/t/" + Decomposed]!.Content, Is.EqualTo(new byte[] { 9 }));
    }

    [TestCase(OverwriteMode.Always)]
    [TestCase(OverwriteMode.Fail)]
    public async Task Of_two_names_that_a_server_takes_for_one_the_second_fails(OverwriteMode overwrite)
    {
        var store = new MemoryStore(ignoresForms: true);
        await using var client = new MemoryTransferClient(store);
        _local.Add(Composed, [1]);
        _local.Add(Decomposed, [2]);
        var result = await client.UploadDirectoryAsync(_local.Path, "/t", new() { Overwrite = overwrite }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 1L)));
        Assert.That(result.Failures[0].Error!.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(result.Failures[0].Error!.Message, Does.Contain("differs in Unicode's form only"));
        Assert.That(store.Files, Has.Count.EqualTo(1), "and nothing is left of finding out");
    }

    [Test]
    public async Task Where_the_server_tells_them_apart_both_arrive()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store);
        _local.Add(Composed, [1]);
        _local.Add(Decomposed, [2]);
        var result = await client.UploadDirectoryAsync(_local.Path, "/t").Soon();
        Assert.That((result.Files, result.Failed, store.Files.Count), Is.EqualTo((2L, 0L, 2)));
    }

    [Test]
    public async Task They_are_mapped_where_that_is_asked_for()
    {
        var store = new MemoryStore(ignoresForms: true);
        await using var client = new MemoryTransferClient(store);
        _local.Add(Composed, [1]);
        _local.Add(Decomposed, [2]);
        var result = await client.UploadDirectoryAsync(_local.Path, "/t", new() { NameMapping = NameMapping.Target }).Soon();
        Assert.That((result.Files, result.Failed, store.Files.Count), Is.EqualTo((2L, 0L, 2)));
    }

    [TestCase(OverwriteMode.Always)]
    [TestCase(OverwriteMode.Skip)]
    public async Task A_local_target_that_takes_them_for_one_has_the_first_and_the_second_fails(OverwriteMode overwrite)
    {
        var store = new MemoryStore();
        store.AddFile("/s/" + Composed, [1], Samples.Time);
        store.AddFile("/s/" + Decomposed, [2], Samples.Time);
        await using var client = new MemoryTransferClient(store);
        var names = new LocalNames(windows: false, ignoresCase: false, normalizes: true);
        var seen = new HashSet<string>([Composed, Decomposed], names);
        Assert.That((seen.Count, names.TellsAllApart, TwinNames.AreToldApart(names), TwinNames.MergesForms(names)),
            Is.EqualTo((1, false, false, true)));
        Assert.That(new LocalTree(_local.Path, NullLogger.Instance, names).Code, Is.Not.Null, "they can be mapped");
        var result = await client.DownloadDirectoryAsync("/s", _local.Path, new() { Overwrite = overwrite }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)), "this folder tells them apart");
    }

    [Test]
    public void What_a_folder_takes_for_one_is_found_out_by_a_file_that_is_gone_again()
    {
        Assert.That(LocalCase.Of(_local.Path), Is.EqualTo(OperatingSystem.IsLinux() ? default : LocalCase.Usual));
        Assert.That(_local.Files, Is.Empty);
        Assert.That(LocalCase.Of(_local["none"]), Is.EqualTo(LocalCase.Usual));
    }
}
