namespace Transfer.Tests.Described;

/// <summary>
/// The checks of described servers. Names are of eight capitals and digits at most, and trees of two levels: all systems have those.
/// </summary>
internal static class DescribedChecks
{
    private const int Sessions = 8;

    public static IReadOnlyDictionary<string, Func<DescribedRound, Task>> All { get; } = new Dictionary<string, Func<DescribedRound, Task>>
    {
        ["put under a temporary name"] = PutRenamedAsync,
        ["put and get"] = PutAsync,
        ["put replaces"] = ReplaceAsync,
        ["sync: the second moves nothing"] = SyncAsync,
        ["ls"] = ListAsync,
        ["stat"] = StatAsync,
        ["stat of an absent name"] = AbsentAsync,
        ["mv"] = MoveAsync,
        ["mv over"] = MoveOverAsync,
        ["rm"] = RemoveAsync,
        ["rm of a full folder is refused"] = RemoveFullAsync,
        ["mkdir"] = MakeAsync,
        ["rm -r"] = RemoveTreeAsync,
        ["8 sessions"] = ManyAsync,
    };

    private static async Task PutRenamedAsync(DescribedRound round)
    {
        var content = Samples.Bytes(5_000);
        round.Plant(round.Name("OLD"), [1, 2, 3]);
        await using var client = round.Client();
        using var source = new MemoryStream(content);
        await client.UploadAsync(source, round.At(round.Name("OLD")), round.Upload with { Publish = PublishMode.Rename });
        round.AssertFile(round.Name("OLD"), content);
        Assert.That(round.Server.Files, Has.Count.EqualTo(1));
    }

    private static async Task PutAsync(DescribedRound round)
    {
        var content = Samples.Bytes(300_000);
        await using var client = round.Client();
        await client.UploadFileAsync(round.AddLocal("source", content), round.At(round.Name("A")), round.Upload);
        round.AssertFile(round.Name("A"), content);
        using var fetched = new MemoryStream();
        await client.DownloadAsync(round.At(round.Name("A")), fetched);
        Same.Bytes(fetched.ToArray(), content);
    }

    private static async Task ReplaceAsync(DescribedRound round)
    {
        round.Plant(round.Name("A"), Samples.Bytes(9_000, 2));
        var content = Samples.Bytes(5_000);
        await using var client = round.Client();
        await client.UploadFileAsync(round.AddLocal("source", content), round.At(round.Name("A")), round.Upload);
        round.AssertFile(round.Name("A"), content);
    }

    private static async Task SyncAsync(DescribedRound round)
    {
        const int Files = 6;
        for (var i = 0; i < Files; i++) round.AddLocal($"source/{round.Name($"F{i}")}", Samples.Bytes(i * 100, i));
        await using (var client = round.Client())
        {
            AssertWhole(await client.SynchronizeAsync(round.Local["source"], round.At("TREE"), SyncDirection.Up, round.Sync), Files);
        }
        for (var i = 0; i < Files; i++) round.AssertFile($"TREE/{round.Name($"F{i}")}", Samples.Bytes(i * 100, i));

        // As another process, the next night.
        await using var next = round.Client();
        var second = await next.SynchronizeAsync(round.Local["source"], round.At("TREE"), SyncDirection.Up, round.Sync);
        Rethrow(second);
        for (var i = 0; i < Files; i++) round.AssertFile($"TREE/{round.Name($"F{i}")}", Samples.Bytes(i * 100, i));
        if (second.Files > 0) throw new ServerLimitException($"the second sync sends {second.Files} of {Files} files");
        Assert.That(second.Unchanged, Is.EqualTo(Files));
    }

    private static async Task ListAsync(DescribedRound round)
    {
        round.Plant(round.Name("A"), Samples.Bytes(10));
        round.Plant(round.Name("B"), []);
        round.Server.PlantFolder("SUB");
        round.Plant($"SUB/{round.Name("C")}", Samples.Bytes(30));
        await using var client = round.Client();
        var entries = await client.ListAsync(round.Server.Home).ToListAsync();
        Assert.That(entries.Select(entry => (entry.Name, entry.Type)), Is.EquivalentTo(new[]
        {
            (round.Name("A"), RemoteEntryType.File), (round.Name("B"), RemoteEntryType.File), ("SUB", RemoteEntryType.Directory)
        }));
        var below = await client.ListAsync(round.At("SUB")).ToListAsync();
        Assert.That(below.Select(entry => entry.Name), Is.EqualTo(new[] { round.Name("C") }));
        if (below[0].Length is null) throw new ServerLimitException("the listing has no lengths");
        Assert.That(below[0].Length, Is.EqualTo(30));
    }

    private static async Task StatAsync(DescribedRound round)
    {
        round.Server.PlantFolder("SUB");
        round.Plant($"SUB/{round.Name("C")}", Samples.Bytes(30));
        await using var client = round.Client();
        var file = await client.GetEntryAsync(round.At($"SUB/{round.Name("C")}"));
        var folder = await client.GetEntryAsync(round.At("SUB"));
        Assert.That((file?.Type, folder?.Type, folder?.Name), Is.EqualTo((RemoteEntryType.File, RemoteEntryType.Directory, "SUB")));
        if (file!.Length is null) throw new ServerLimitException("the length is unknown");
        Assert.That(file.Length, Is.EqualTo(30));
    }

    private static async Task AbsentAsync(DescribedRound round)
    {
        round.Plant(round.Name("A"), Samples.Bytes(30));
        await using var client = round.Client();
        Assert.That(await client.GetEntryAsync(round.At(round.Name("NONE"))), Is.Null);
        var error = (await Assert.CatchAsync<TransferException>(() => client.DownloadAsync(round.At(round.Name("NONE")), Stream.Null)))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound), error.ToString());
    }

    private static async Task MoveAsync(DescribedRound round)
    {
        round.Plant(round.Name("FROM"), [1, 2, 3]);
        await using var client = round.Client();
        await client.MoveAsync(round.At(round.Name("FROM")), round.At(round.Name("TO")));
        round.AssertFile(round.Name("TO"), [1, 2, 3]);
        Assert.That(round.Server.Files, Has.Count.EqualTo(1));
    }

    private static async Task MoveOverAsync(DescribedRound round)
    {
        round.Plant(round.Name("FROM"), [1, 2, 3]);
        round.Plant(round.Name("TO"), [4, 5]);
        await using var client = round.Client();
        var (from, to) = (round.At(round.Name("FROM")), round.At(round.Name("TO")));
        var error = (await Assert.CatchAsync<TransferException>(async () => await client.MoveAsync(from, to)))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        round.AssertNothingLost();
        await client.MoveAsync(from, to, overwrite: true);
        round.AssertFile(round.Name("TO"), [1, 2, 3]);
        Assert.That(round.Server.Files, Has.Count.EqualTo(1));
    }

    private static async Task RemoveAsync(DescribedRound round)
    {
        round.Server.Plant(round.Name("A"), [1, 2, 3]);
        round.Plant(round.Name("B"), [4]);
        await using var client = round.Client();
        Assert.That(await client.DeleteAsync(round.At(round.Name("A"))), Is.True);
        Assert.That(round.Server.Files, Is.EqualTo(new[] { round.Name("B") }));
        if (await client.DeleteAsync(round.At(round.Name("A")))) throw new ServerLimitException("an absent file is deleted with success");
    }

    private static async Task RemoveFullAsync(DescribedRound round)
    {
        round.Server.PlantFolder("SUB");
        round.Plant($"SUB/{round.Name("C")}", [1]);
        await using var client = round.Client();
        await Assert.CatchAsync<TransferException>(async () => await client.DeleteAsync(round.At("SUB")));
        round.AssertNothingLost();
    }

    private static async Task MakeAsync(DescribedRound round)
    {
        await using var client = round.Client();
        await client.CreateDirectoryAsync(round.At("NEW"));
        Assert.That(round.Server.HasFolder("NEW"), Is.True);
        await client.CreateDirectoryAsync(round.At("NEW"));
    }

    private static async Task RemoveTreeAsync(DescribedRound round)
    {
        round.Plant(round.Name("KEPT"), [1]);
        round.Server.PlantFolder("TREE");
        for (var i = 0; i < 5; i++) round.Server.Plant($"TREE/{round.Name($"F{i}")}", [1]);
        await using var client = round.Client();
        Assert.That(await client.DeleteAsync(round.At("TREE"), recursive: true), Is.True);
        Assert.That(round.Server.Files, Is.EqualTo(new[] { round.Name("KEPT") }));
        Assert.That(round.Server.HasFolder("TREE"), Is.False);
    }

    private static async Task ManyAsync(DescribedRound round)
    {
        const int Files = 40;
        for (var i = 0; i < Files; i++) round.AddLocal($"source/{round.Name($"F{i}")}", Samples.Bytes(i * 300, i));
        await using var client = round.Client(Sessions);
        AssertWhole(await client.UploadDirectoryAsync(round.Local["source"], round.At("TREE"), round.UploadTree), Files);
        for (var i = 0; i < Files; i++) round.AssertFile($"TREE/{round.Name($"F{i}")}", Samples.Bytes(i * 300, i));
        AssertWhole(await client.DownloadDirectoryAsync(round.At("TREE"), round.Local["target"]), Files);
        for (var i = 0; i < Files; i++) Same.Bytes(round.Local.Read($"target/{round.Name($"F{i}")}"), Samples.Bytes(i * 300, i));
    }

    private static void AssertWhole(JobResult result, long files)
    {
        Rethrow(result);
        Assert.That(result.Files, Is.EqualTo(files));
    }

    private static void Rethrow(JobResult result)
    {
        if (result.Failures.Select(item => item.Error).FirstOrDefault(error => error is not null) is { } error) throw error;
        Assert.That(result.Failed, Is.Zero);
    }
}
