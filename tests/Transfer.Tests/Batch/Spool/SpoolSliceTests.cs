namespace Transfer.Tests.Batch.Spool;

/// <summary>Files in slices of which a fetcher that was killed has left less than it remembers.</summary>
[Category(Categories.Slow)]
public sealed class SpoolSliceTests
{
    private const int Large = 9_000_000;

    // Between cutting a file to its length, which takes the record of its slices away, and giving it its name; or the disk has lost it.
    [TestCase(Large)]
    [TestCase(0)]
    [TestCase(null)]
    public async Task What_is_remembered_and_not_there_is_taken_again_by_the_same_run(int? left)
    {
        using var spool = new SpoolHarness();
        var files = spool.Fill(large: Large);
        await spool.SendAsync(["ann"]);
        var archives = spool.Archives.Select(path => (Path: path, Bytes: File.ReadAllBytes(path))).ToList();
        foreach (var (path, _) in archives) File.Delete(path);
        var began = string.Empty;
        foreach (var (path, bytes) in archives)
        {
            File.WriteAllBytes(path, bytes);
            Assert.That((await spool.FetchAsync("ann")).Failures.Single().Error!.Error, Is.EqualTo(TransferError.Timeout));
            if (Begun(spool) is [var temporary])
            {
                began = temporary;
                break;
            }
        }
        if (left is { } length)
        {
            using var file = File.OpenHandle(began, access: FileAccess.Write);
            RandomAccess.SetLength(file, length);
        }
        else
        {
            File.Delete(began);
        }
        foreach (var (path, bytes) in archives) File.WriteAllBytes(path, bytes);

        var result = await spool.FetchAsync("ann");
        Assert.That(result.Failures.Select(one => one.Error!.Message), Is.Empty);
        spool.AssertSame("ann");
        Assert.That(TempFolder.FilesIn(spool.To("ann")), Has.Length.EqualTo(files));
        Assert.That(Begun(spool), Is.Empty);
        Assert.That(spool.Jobs, Is.Empty, "who has all deletes it");
    }

    private static string[] Begun(SpoolHarness spool) => Directory.Exists(spool.To("ann"))
        ? Directory.GetFiles(spool.To("ann"), ".transfer-*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
        : [];
}
