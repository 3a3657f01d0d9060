namespace Transfer.Tests.Batch.Spool;

/// <summary>The gentle end of a sender through a spool: what was begun can be fetched, and the rest comes in a job of its own.</summary>
[Category(Categories.Slow)]
public sealed class SpoolFinishTests
{
    private const int Files = 60;

    [TestCase(true, true)]
    [TestCase(true, false)]
    [TestCase(true, true, true, Description = "With deltas.")]
    [TestCase(false, true, Description = "It begins anew: what has come with the first is found to be there.")]
    [TestCase(false, false)]
    public async Task What_was_begun_is_fetched_and_the_next_run_brings_the_rest(bool resume, bool fetchesBetween, bool deltas = false)
    {
        using var spool = new SpoolHarness { Deltas = deltas };
        for (var i = 0; i < Files; i++) spool.Write($"d{i % 7}/f{i}", Samples.Bytes(50_000, i));
        using var finish = new CancellationTokenSource();
        var told = 0;
        var error = await spool.SendAsync(["ann", "ben"], options => options with { Sessions = 1, ArchiveBytes = 100_000 },
            stopping: finish.Token, items: item =>
        {
            Assert.That(item.Error, Is.Null);
            told++;
            finish.Cancel();
        }).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(finish.Token));
        Assert.That(told, Is.InRange(1, Files - 1));
        foreach (var name in (string[])(fetchesBetween ? ["ann", "ben"] : ["ann"]))
        {
            var fetched = await spool.FetchAsync(name);
            Assert.That((fetched.Files, fetched.Failed), Is.EqualTo(((long)told, 0L)));
            Assert.That(TempFolder.FilesIn(spool.To(name)), Has.Length.EqualTo(told));
        }

        var rest = await spool.SendAsync(["ann", "ben"], options => options with { Resume = resume });
        Assert.That((rest.Files, rest.Failed), Is.EqualTo((resume ? (long)Files - told : Files, 0L)));
        foreach (var name in (string[])["ann", "ben"])
        {
            Assert.That((await spool.FetchAsync(name)).Failed, Is.Zero);
            spool.AssertSame(name);
        }
        if (!deltas) Assert.That(spool.Jobs, Is.Empty, "who has all deletes it");

        // Nothing is left to go on with.
        var next = await spool.SendAsync(["ann", "ben"], options => options with { Resume = true });
        Assert.That((next.Files, next.Skipped), Is.EqualTo(((long)Files, 0L)));
        foreach (var name in (string[])["ann", "ben"])
        {
            Assert.That((await spool.FetchAsync(name, options => options with { Overwrite = OverwriteMode.Always })).Failed, Is.Zero);
            spool.AssertSame(name);
        }
    }

    [Test]
    public async Task Where_everything_was_under_way_it_ends_as_ever()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        using var finish = new CancellationTokenSource();
        var result = await spool.SendAsync(["ann"], stopping: finish.Token, items: _ => finish.Cancel());
        Assert.That((result.Files, finish.IsCancellationRequested), Is.EqualTo((3L, true)));
        Assert.That((await spool.FetchAsync("ann")).Files, Is.EqualTo(3));
    }

    [Test]
    public async Task What_is_to_end_before_it_begins_leaves_nothing()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        using var finish = new CancellationTokenSource();
        await finish.CancelAsync();
        await spool.SendAsync(["ann"], stopping: finish.Token).Failure<OperationCanceledException>();
        Assert.That(spool.Jobs, Is.Empty);
    }
}
