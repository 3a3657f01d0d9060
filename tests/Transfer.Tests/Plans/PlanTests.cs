using Transfer.Engine.Sync;
using Transfer.Plans;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Plans;

/// <summary>Plans as files: their content, guards, and what is refused.</summary>
[TestFixture]
public sealed class PlanTests : MemoryFixture
{
    private static readonly DateTimeOffset Day = new(2026, 11, 1, 0, 0, 0, TimeSpan.Zero);

    private PlanFolder Plan => new(Local["plan"]);

    private string Source => Local["source"];

    [Test]
    public async Task An_upload_in_parts_sends_each_file_once_and_a_second_run_confirms_them()
    {
        for (var i = 0; i < 40; i++) Local.Add($"source/d{i % 3}/{i}", new byte[i], Day);
        var summary = await WriteAsync(3);
        Assert.That((summary.Files, summary.Bytes, summary.Deletions, summary.Failed), Is.EqualTo((40, 780, 0, 0)));
        for (var part = 0; part < 3; part++) await ApplyAsync(part);
        await ApplyAsync(1);
        await ApplyAsync(null);
        Assert.That(Store.Files, Has.Count.EqualTo(40));
        var report = await Plan.ReadReportAsync();
        Assert.That((report.IsDone, report.Done, report.Files, report.Bytes, report.Failed), Is.EqualTo((true, 3, 40L, 780L, 0L)));
        Assert.That(report.Parts[1].Runs, Is.EqualTo(2));
        Assert.That(report.Parts[1].Unchanged, Is.EqualTo(report.Parts[1].Items).And.EqualTo(report.Parts[1].Files));
        Assert.That(report.Open, Is.Empty);
        Assert.That(Directory.GetFiles(Plan.Path, "*.journal"), Is.Empty, "a part that is done needs none");
    }

    [Test]
    public async Task A_download_in_parts()
    {
        for (var i = 0; i < 20; i++) Store.AddFile($"/d/{i}", [1, 2], Day);
        Store.AddDirectory("/d/empty");
        await Plan.WriteAsync(PlanHeader.Of("memory://host/d", Source, new()), 2, Client.PlanAsync(Source, "/d", SyncDirection.Down));
        foreach (var path in (string[])[Plan.ManifestOf(1), Plan.ManifestOf(0), Plan.FinalManifest])
            await Client.StartApply(Source, "/d", SyncDirection.Down, await PlanManifest.OpenAsync(path)).Completion.Soon();
        Assert.That(TempFolder.FilesIn(Source), Has.Length.EqualTo(20));
        Assert.That(Directory.Exists(Path.Join(Source, "empty")));
    }

    [Test]
    public async Task Parts_are_balanced_by_bytes_and_by_files()
    {
        for (var i = 0; i < 100; i++) Local.Add($"source/small/{i}", "x");
        for (var i = 0; i < 4; i++) Local.Add($"source/large/{i}", new byte[3 << 20]);
        await WriteAsync(4);
        var costs = new List<long>();
        for (var part = 0; part < 4; part++)
        {
            var cost = 0L;
            await foreach (var item in await PlanManifest.OpenAsync(Plan.ManifestOf(part)))
                cost += (item.Length ?? 0) + PlanBalance.FileCost;
            costs.Add(cost);
        }
        Assert.That(costs.Max() - costs.Min(), Is.LessThan(costs.Average()));
    }

    [Test]
    public void Runs_of_a_folder_stay_together_once_there_is_much()
    {
        var balance = new PlanBalance(4);
        var parts = Enumerable.Range(0, 20_000).Select(i => balance.PartOf(new() { Path = $"d/{i}", Length = 100 })).ToList();
        Assert.That(parts.Where((part, i) => i > 0 && part != parts[i - 1]).Count(), Is.LessThan(700));
        Assert.That(parts.CountBy(part => part).Select(part => part.Value), Is.All.InRange(4700, 5300));
    }

    [Test]
    public async Task Deletions_wait_for_all_parts_and_then_follow_the_evidence_of_that_time()
    {
        Local.Add("source/new", "new"u8.ToArray(), Day);
        Store.AddFile("/old", [1]);
        Store.AddFile("/folder/old", [1]);
        Store.AddFile("/returned", [1]);
        await WriteAsync(2, new() { Delete = true });
        Local.Add("source/returned", "it is back"u8.ToArray(), Day);
        Store.AddFile("/folder/later", [1]);
        await ApplyAsync(0);
        var early = await Task.Run(() => ApplyAsync(null)).ContinueWith(task => task.Exception?.InnerException as TransferException);
        Assert.That(early?.Error, Is.EqualTo(TransferError.Partial));
        Assert.That(Store.Files, Does.Contain("/old"));
        await ApplyAsync(1);
        var result = await ApplyAsync(null);
        Assert.That(result.Deleted, Is.EqualTo(2));
        Assert.That(Store.Files, Is.EquivalentTo((string[])["/new", "/returned", "/folder/later"]));
    }

    [TestCase("content", false)]
    [TestCase("time", false)]
    [TestCase("folder", false)]
    [TestCase("link", false)]
    [TestCase("file for a folder", false)]
    [TestCase("nothing", true)]
    public async Task An_entry_that_changed_at_the_target_after_the_plan_stays(string change, bool isDeleted)
    {
        Local.Add("source/new", "new"u8.ToArray(), Day);
        Store.AddFile("/d/x", [1], Day);
        Store.AddDirectory("/e");
        await WriteAsync(1, new() { Delete = true });
        await ApplyAsync(0);
        if (change == "file for a folder")
        {
            Store.RemoveDirectory("/e");
            Store.AddFile("/e", [1], Day);
        }
        else if (change != "nothing")
        {
            Store.DeleteFile("/d/x");
            if (change == "folder") Store.AddDirectory("/d/x");
            else if (change == "link") Store.AddLink("/d/x", "/new");
            else Store.AddFile("/d/x", change == "content" ? [1, 2] : [1], change == "content" ? Day : Day.AddSeconds(1));
        }
        var path = change == "file for a folder" ? "e" : "d/x";

        var result = await ApplyAsync(null);

        Assert.That(Store[$"/{path}"] is null, Is.EqualTo(isDeleted));
        Assert.That(result.Failures.Select(failure => (failure.Path, failure.Error!.Error)),
            Is.EqualTo(isDeleted ? [] : ((string, TransferError)[])[(path, TransferError.Integrity)]));
        Assert.That((await Plan.ReadReportAsync()).IsDone, Is.EqualTo(isDeleted));
    }

    [Test]
    public async Task A_local_file_that_changed_after_the_plan_stays_too([Values] bool isChanged)
    {
        Store.AddFile("/d/new", [1], Day);
        var old = Local.Add("source/old", [1], Day.AddTicks(12345));
        await Plan.WriteAsync(PlanHeader.Of("memory://host/d", Source, new()), 1,
            Client.PlanAsync(Source, "/d", SyncDirection.Down, new() { Delete = true }));
        if (isChanged) File.SetLastWriteTimeUtc(old, Day.AddSeconds(1).UtcDateTime);
        var failed = 0L;
        foreach (var path in (string[])[Plan.ManifestOf(0), Plan.FinalManifest])
        {
            var manifest = await PlanManifest.OpenAsync(path);
            failed += (await Client.StartApply(Source, "/d", SyncDirection.Down, manifest).Completion.Soon()).Failed;
        }
        Assert.That((File.Exists(old), failed), Is.EqualTo((isChanged, isChanged ? 1L : 0L)));
    }

    [TestCase(60, 10 * 60 + 23, 10 * 60 + 23, true)]
    [TestCase(60, 10 * 60 + 23, 10 * 60 + 24, false)]
    [TestCase(60, 10 * 60 + 23, 0, true, TestName = "A file became so old that LIST shows the day alone")]
    [TestCase(60, 10 * 60 + 23, 24 * 60, false)]
    [TestCase(1, 10 * 60, 0, false)]
    public void Times_are_compared_to_the_precision_of_the_target(int step, int planned, int now, bool isSame)
    {
        var item = new PlannedItem { Path = "x", Action = ItemAction.Delete, Length = 1, Modified = Day.AddMinutes(planned) };
        var entry = new TreeEntry("x", RemoteEntryType.File, 1, Day.AddMinutes(now).UtcTicks);
        Assert.That(DeletionRules.IsAsPlanned(item, entry, TimeSpan.FromSeconds(step)), Is.EqualTo(isSame));
    }

    [Test]
    public async Task Deletions_wait_while_a_file_of_a_part_failed()
    {
        Local.Add("source/new", "new"u8.ToArray(), Day);
        Store.AddFile("/old", [1]);
        await WriteAsync(1, new() { Delete = true });
        Store.Faults.On("upload", Fault.Refusal(TransferError.Denied));
        Assert.That((await ApplyAsync(0)).Failed, Is.EqualTo(1));
        var held = await ApplyAsync(null);
        Assert.That((held.Deleted, held.NotDeleted, held.Failures.Single().Error!.Error), Is.EqualTo((0, 1, TransferError.Partial)));
        var report = await Plan.ReadReportAsync();
        Assert.That((report.IsDone, report.Failed, report.Open.Single()), Is.EqualTo((false, 2L, 0)));
        Assert.That(report.Parts[0].Failures.Single().Path, Is.EqualTo("new"));
        await ApplyAsync(0);
        Assert.That((await ApplyAsync(null)).Deleted, Is.EqualTo(1));
        Assert.That((await Plan.ReadReportAsync()).IsDone);
    }

    [Test]
    public async Task The_limit_of_deletions_counts_for_the_whole()
    {
        Local.Add("source/new", "new"u8.ToArray(), Day);
        for (var i = 0; i < 5; i++) Store.AddFile($"/old{i}", [1]);
        var summary = await WriteAsync(2, new() { Delete = true, MaxDelete = DeletionLimit.OfItems(4) });
        Assert.That((summary.Deletions, summary.Failed), Is.EqualTo((0, 1)));
    }

    [Test]
    public async Task A_source_without_a_file_plans_no_deletions()
    {
        Directory.CreateDirectory(Source);
        Store.AddFile("/old", [1]);
        Assert.That(async () => await WriteAsync(2, new() { Delete = true }),
            Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Denied));
        Assert.That(Directory.GetFiles(Plan.Path), Is.Empty);
        await WriteAsync(1, new() { Delete = true, DeleteForEmptySource = true });
        await ApplyAsync(0);
        Assert.That((await ApplyAsync(null)).Deleted, Is.EqualTo(1));
    }

    [Test]
    public async Task Names_that_are_no_text_go_through_a_manifest()
    {
        await Plan.WriteAsync(PlanHeader.Of("a", "b", new()), 1, Named("f\udcff", "\u00e4\"\\\u0001", "d/\ud83d\ude00"));
        var names = new List<string>();
        await foreach (var item in await PlanManifest.OpenAsync(Plan.ManifestOf(0))) names.Add(item.Path);
        Assert.That(names, Is.EqualTo((string[])["f\udcff", "\u00e4\"\\\u0001", "d/\ud83d\ude00"]));
    }

    [Test]
    public async Task A_file_is_not_replaced_by_one_whose_name_is_the_same_at_the_target()
    {
        var (from, to) = (new MemoryStore(), new MemoryStore(ignoresCase: true));
        from.AddFile("/A.txt", [1], Day);
        from.AddFile("/a.txt", [2, 2], Day);
        to.AddFile("/A.txt", [1], Day);
        await using var source = new MemoryTransferClient(from);
        await using var target = new MemoryTransferClient(to, endpoint: "memory://to/");
        await Plan.WriteAsync(PlanHeader.Of("a", "b", new()), 2, source.PlanAsync("/", target, "/"));
        for (var part = 0; part < 2; part++)
            await source.StartApply("/", target, "/", await PlanManifest.OpenAsync(Plan.ManifestOf(part))).Completion.Soon();
        Assert.That(to["/A.txt"]!.Length, Is.EqualTo(1));
    }

    [TestCase("{\"path\":\"../x\"}")]
    [TestCase("{\"path\":\"x\",\"group\":\"../x\"}")]
    [TestCase("{\"path\":\"/x\"}")]
    [TestCase("{\"path\":\"a//x\"}")]
    [TestCase("{\"path\":\"a/./x\"}")]
    [TestCase("{\"path\":\"a\\u0000x\"}")]
    [TestCase("{\"pathBytes\":\"Li4veA==\"}")]
    [TestCase("{\"path\":\"x\",\"action\":\"Delete\"}")]
    [TestCase("{\"path\":\"x\",\"action\":\"Move\"}")]
    [TestCase("{\"path\":\"x\",\"action\":17}")]
    [TestCase("{\"path\":\"x\",\"length\":-1}")]
    [TestCase("{\"path\":\"\\udc80\"}")]
    [TestCase("{\"length\":1}")]
    [TestCase("{\"path\":\"x\"")]
    [TestCase("null")]
    public async Task A_line_that_is_no_step_is_refused_before_anything_begins(string line)
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        await WriteAsync(1);
        var lines = File.ReadAllLines(Plan.ManifestOf(0));
        File.WriteAllText(Plan.ManifestOf(0), $"{lines[0]}\n{lines[1]}\n{line}\n{{\"end\":true,\"items\":2}}\n");
        Assert.That(async () => await ApplyAsync(0), Throws.TypeOf<TransferException>().With.Property("Error")
            .EqualTo(TransferError.Integrity));
        Assert.That(Store.Files, Is.Empty);
    }

    [TestCase(1, TestName = "A line is missing")]
    [TestCase(2, TestName = "The end is missing")]
    public async Task A_torn_manifest_is_refused(int line)
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        await WriteAsync(1);
        File.WriteAllLines(Plan.ManifestOf(0), File.ReadAllLines(Plan.ManifestOf(0)).Where((_, i) => i != line));
        Assert.That(async () => await ApplyAsync(0), Throws.TypeOf<TransferException>());
        File.WriteAllText(Plan.ManifestOf(0), File.ReadAllText(Plan.ManifestOf(0)).TrimEnd());
        Assert.That(async () => await ApplyAsync(0), Throws.TypeOf<TransferException>());
        Assert.That(Store.Files, Is.Empty);
    }

    [Test]
    public async Task A_manifest_of_another_version_is_refused()
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        await WriteAsync(1);
        var text = File.ReadAllText(Plan.ManifestOf(0));
        File.WriteAllText(Plan.ManifestOf(0), text.Replace("\"version\":1", "\"version\":2", StringComparison.Ordinal));
        Assert.That(async () => await PlanManifest.OpenAsync(Plan.ManifestOf(0)),
            Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Unsupported));
    }

    [Test]
    public async Task A_folder_with_a_plan_gets_no_second_one()
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        await WriteAsync(1);
        Assert.That(async () => await WriteAsync(1), Throws.TypeOf<TransferException>());
    }

    [Test]
    public async Task A_part_that_has_no_connection_has_a_result_that_says_so()
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        await WriteAsync(1);
        Store.SessionLimit = 0;
        await using var dead = new MemoryTransferClient(Store, retry: new() { Attempts = 1 });
        var manifest = await PlanManifest.OpenAsync(Plan.ManifestOf(0));
        Assert.That(async () => await dead.StartApply(Source, "/", SyncDirection.Up, manifest).Completion.Soon(),
            Throws.InstanceOf<TransferException>());
        var result = await PartResult.ReadAsync(manifest.ResultPath);
        Assert.That((result!.IsDone, result.Error), Is.EqualTo((false, "Too many connections.")));
    }

    [Test]
    public async Task A_file_that_is_gone_from_the_source_fails_and_holds_the_deletions()
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        Local.Add("source/b", "b"u8.ToArray(), Day);
        Store.AddFile("/old", [1]);
        await WriteAsync(1, new() { Delete = true });
        File.Delete(Local["source/a"]);
        var result = await ApplyAsync(0);
        Assert.That((result.Files, result.Failed), Is.EqualTo((1, 1)));
        Assert.That((result.Failures.Single().Path, result.Failures.Single().Error!.Error), Is.EqualTo(("a", TransferError.NotFound)));
        Assert.That((await Plan.ReadReportAsync()).Open, Is.EqualTo((int[])[0]));
        Assert.That((await ApplyAsync(null)).Deleted, Is.Zero);
        Assert.That(Store.Files, Is.EquivalentTo((string[])["/b", "/old"]));
    }

    [Test]
    public async Task A_source_that_is_empty_by_now_empties_no_target([Values] bool isEmptyForParts)
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        Store.AddFile("/a", "a"u8.ToArray(), Day);
        Store.AddFile("/old", [1]);
        if (isEmptyForParts) Local.Add("source/new", "n"u8.ToArray(), Day);
        await WriteAsync(1, new() { Delete = true });
        if (!isEmptyForParts) Assert.That((await ApplyAsync(0)).Failed, Is.Zero);
        Directory.Delete(Source, recursive: true);
        Directory.CreateDirectory(Source);
        if (isEmptyForParts)
        {
            Assert.That((await ApplyAsync(0)).Failed, Is.EqualTo(1));
            Assert.That((await ApplyAsync(null)).Failed, Is.EqualTo(1));
        }
        else
        {
            Assert.That(() => ApplyAsync(null), Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Denied));
        }
        Assert.That(Store.Files, Does.Contain("/old"));
        Assert.That((await Plan.ReadReportAsync()).IsDone, Is.False);
    }

    [Test]
    public async Task A_source_whose_files_are_in_folders_without_a_step_is_not_empty()
    {
        Local.Add("source/d/e/a", "a"u8.ToArray(), Day);
        Store.AddFile("/d/e/a", "a"u8.ToArray(), Day);
        Store.AddFile("/old", [1]);
        await WriteAsync(1, new() { Delete = true });
        await ApplyAsync(0);
        Assert.That((await ApplyAsync(null)).Deleted, Is.EqualTo(1));
        Assert.That(Store.Files, Is.EqualTo((string[])["/d/e/a"]));
    }

    [Test]
    public async Task The_files_of_a_folder_that_cannot_be_read_fail_with_its_error()
    {
        Store.AddFile("/d/a", [1], Day);
        Store.AddFile("/d/b", [1], Day);
        Store.AddFile("/c", [1], Day);
        await Plan.WriteAsync(PlanHeader.Of("memory://host/", Source, new()), 1, Client.PlanAsync(Source, "/", SyncDirection.Down));
        Store.Faults.On("list", Fault.Refusal(TransferError.Denied), path: path => path == "/d");
        var result = await Client.StartApply(Source, "/", SyncDirection.Down, await PlanManifest.OpenAsync(Plan.ManifestOf(0)))
            .Completion.Soon();
        Assert.That(result.Failures.Select(failure => (failure.Path, failure.Error!.Error)), Is.EquivalentTo(
            ((string, TransferError)[])[("d", TransferError.Denied), ("d/a", TransferError.Denied), ("d/b", TransferError.Denied)]));
        Assert.That((await Plan.ReadReportAsync()).Done, Is.Zero);
    }

    [Test]
    public async Task A_step_that_failed_holds_the_deletions_of_steps_that_are_no_manifest()
    {
        Local.Add("source/a", "a"u8.ToArray(), Day);
        Store.AddFile("/old", [1]);
        var result = await Client.StartApply(Source, "/", SyncDirection.Up, Steps()).Completion.Soon();
        Assert.That((result.Deleted, result.NotDeleted, result.Lost), Is.EqualTo((0L, 1L, 1L)));

        static async IAsyncEnumerable<PlannedItem> Steps()
        {
            await Task.Yield();
            yield return new() { Path = "gone", Group = "gone" };
            yield return new() { Path = "old", Action = ItemAction.Delete };
        }
    }

    [Test]
    public void Options_that_no_plan_can_have_are_refused()
    {
        Assert.That(async () => await WriteAsync(1, new() { Filter = new() { Shard = TransferShard.Final } }),
            Throws.ArgumentException);
        Assert.That(async () => await WriteAsync(1, new() { RemoveSource = true }), Throws.ArgumentException);
        Assert.That(() => Client.StartApply(Source, "/", SyncDirection.Up, Named("a"), new() { DryRun = true }), Throws.ArgumentException);
    }

    private static async IAsyncEnumerable<PlannedItem> Named(params string[] paths)
    {
        await Task.Yield();
        foreach (var path in paths) yield return new() { Path = path };
    }

    private Task<PlanSummary> WriteAsync(int parts, SyncOptions? options = null) =>
        Plan.WriteAsync(PlanHeader.Of(Source, "memory://host/", options ?? new()), parts,
            Client.PlanAsync(Source, "/", SyncDirection.Up, options)).Soon();

    private async Task<JobResult> ApplyAsync(int? part)
    {
        var manifest = await PlanManifest.OpenAsync(part is { } number ? Plan.ManifestOf(number) : Plan.FinalManifest);
        return await Client.StartApply(Source, "/", SyncDirection.Up, manifest).Completion.Soon();
    }
}
