using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>What is said of entries, and done to them.</summary>
internal static class EntryChecks
{
    public static IReadOnlyList<Check> All { get; } =
    [
        new("stat of a file and a folder", StatAsync),
        new("an absent name is told as absent", AbsentAsync),
        new("ls, hidden files too", ListAsync),
        new("ls of an empty folder and of an absent one", EmptyFolderAsync),
        new("mkdir, with parents, twice", MakeAsync),
        new("mv of a file", MoveAsync),
        new("mv over a file: refused, or replaced", MoveOverAsync),
        new("mv of a folder", MoveFolderAsync),
        new("rm", RemoveAsync),
        new("rm -r", RemoveTreeAsync),
        new("chmod", ModeAsync),
    ];

    private static async Task StatAsync(Round round)
    {
        round.Plant("folder/file", Bytes.Random(12_345));
        await using var client = round.Client();
        var file = await client.GetEntryAsync(round.At("folder/file"));
        var folder = await client.GetEntryAsync(round.At("folder"));
        Assert.That((file?.Type, file?.Length, file?.Modified?.UtcDateTime),
            Is.EqualTo((RemoteEntryType.File, 12_345L, Round.Modified)), file?.ToString());
        Assert.That((folder?.Type, folder?.Name), Is.EqualTo((RemoteEntryType.Directory, "folder")));
    }

    private static async Task AbsentAsync(Round round)
    {
        await using var client = round.Client();
        Assert.That(await client.GetEntryAsync(round.At("absent")), Is.Null);
        Assert.That(await client.GetEntryAsync(round.At("no folder/absent")), Is.Null);
        var error = (await Assert.CatchAsync<TransferException>(() => client.DownloadAsync(round.At("absent"), Stream.Null)))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound), error.ToString());
    }

    private static async Task ListAsync(Round round)
    {
        var names = Enumerable.Range(0, 150).Select(i => $"file {i:d3}").Append(".hidden").ToArray();
        foreach (var name in names) File.WriteAllBytes(round.Disk(name), Bytes.Random(name.Length));
        Directory.CreateDirectory(round.Disk("folder"));
        round.Own();
        await using var client = round.Client();
        var entries = await client.ListAsync(round.Remote).ToListAsync();
        Assert.That(entries.Select(entry => (entry.Name, entry.Type, entry.Type == RemoteEntryType.File ? entry.Length : 0)),
            Is.EquivalentTo(names.Select(name => (name, RemoteEntryType.File, (long?)name.Length))
                .Append(("folder", RemoteEntryType.Directory, 0))));
    }

    private static async Task EmptyFolderAsync(Round round)
    {
        Directory.CreateDirectory(round.Disk("empty"));
        round.Own();
        await using var client = round.Client();
        Assert.That(await client.ListAsync(round.At("empty")).ToListAsync(), Is.Empty);
        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ListAsync(round.At("absent")).ToListAsync()))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound), error.ToString());
    }

    private static async Task MakeAsync(Round round)
    {
        await using var client = round.Client();
        foreach (var name in (string[])["a/b/c", "a/b/c", "a/b/d"])
        {
            await client.CreateDirectoryAsync(round.At(name));
            Assert.That(Directory.Exists(round.Disk(name)), Is.True);
        }
    }

    private static async Task MoveAsync(Round round)
    {
        round.Plant("from", [1, 2, 3]);
        Directory.CreateDirectory(round.Disk("folder"));
        round.Own();
        await using var client = round.Client();
        await client.MoveAsync(round.At("from"), round.At("folder/to"));
        Assert.That(round.RemoteNames, Is.EqualTo(new[] { "folder" }));
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("folder/to")), [1, 2, 3]);
    }

    private static async Task MoveOverAsync(Round round)
    {
        round.Plant("from", [1, 2, 3]);
        round.Plant("to", [4, 5]);
        await using var client = round.Client();
        var error = (await Assert.CatchAsync<TransferException>(async () => await client.MoveAsync(round.At("from"), round.At("to"))))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("to")), [4, 5]);
        await client.MoveAsync(round.At("from"), round.At("to"), overwrite: true);
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("to")), [1, 2, 3]);
        Assert.That(round.RemoteNames, Is.EqualTo(new[] { "to" }));
    }

    private static async Task MoveFolderAsync(Round round)
    {
        round.Plant("from/deep/file", [1, 2, 3]);
        await using var client = round.Client();
        await client.MoveAsync(round.At("from"), round.At("to"));
        Assert.That(round.RemoteNames, Is.EqualTo(new[] { "to" }));
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("to/deep/file")), [1, 2, 3]);
    }

    private static async Task RemoveAsync(Round round)
    {
        round.Plant("file", [1, 2, 3]);
        Directory.CreateDirectory(round.Disk("folder"));
        round.Own();
        await using var client = round.Client();
        Assert.That(await client.DeleteAsync(round.At("file")), Is.True);
        Assert.That(await client.DeleteAsync(round.At("folder")), Is.True);
        Assert.That(round.RemoteNames, Is.Empty);
        Assert.That(await client.DeleteAsync(round.At("file")), Is.False);
    }

    private static async Task RemoveTreeAsync(Round round)
    {
        for (var i = 0; i < 20; i++) round.Plant($"tree/{i % 4}/deep/{i}", [1]);
        Directory.CreateDirectory(round.Disk("tree/empty"));
        round.Own();
        await using var client = round.Client();
        Assert.That(await client.DeleteAsync(round.At("tree"), recursive: true), Is.True);
        Assert.That(round.RemoteNames, Is.Empty);
    }

    private static async Task ModeAsync(Round round)
    {
        const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;
        round.Plant("file", [1]);
        await using var client = round.Client();
        var before = File.GetUnixFileMode(round.Disk("file"));
        try
        {
            await client.ChangeModeAsync(round.At("file"), ModeChange.To(Mode));
        }
        catch (TransferException error) when (error.Error == TransferError.Unsupported)
        {
            Assert.That(File.GetUnixFileMode(round.Disk("file")), Is.EqualTo(before));
            throw new ServerLimitException(error.Message);
        }

        Assert.That(File.GetUnixFileMode(round.Disk("file")), Is.EqualTo(Mode));
    }
}
