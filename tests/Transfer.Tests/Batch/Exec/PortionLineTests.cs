using Transfer.Batch.Carriers.Exec;

namespace Transfer.Tests.Batch.Exec;

/// <summary>Files that go to several channels in portions, while more of them are found.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class PortionLineTests
{
    private const int Lanes = 4;
    private const int Room = 1 << 14;

    [Test]
    public async Task Portions_hold_all_files_in_order_and_become_smaller()
    {
        var line = new PortionLine(Lanes);
        var files = Enumerable.Range(0, 5_000).Select(i => new ListedFile($"f{i}", 10_000)).ToArray();
        foreach (var file in files) Assert.That(await line.AddAsync(file, default));
        line.Complete();
        var portions = new List<ListedFile[]>();
        while (await line.NextAsync(default) is { } portion) portions.Add(portion);
        Assert.That(portions.SelectMany(portion => portion), Is.EqualTo(files));
        var lengths = portions.ConvertAll(portion => portion.Length);
        // 2 MiB of 50 MB at first; at the end 256 KiB, and what is left.
        Assert.That((lengths[0], lengths.Max(), lengths[^2]), Is.EqualTo((209, 209, 26)));
    }

    [Test]
    public async Task A_portion_waits_for_enough_files_and_takes_what_there_is_at_the_end()
    {
        var line = new PortionLine(Lanes);
        await line.AddAsync(new ListedFile("a", 1), default);
        var next = line.NextAsync(default).AsTask();
        Assert.That(next.IsCompleted, Is.False);
        line.Complete();
        Assert.That((await next.Soon())!.Select(file => file.Path), Is.EqualTo(new[] { "a" }));
        Assert.That(await line.NextAsync(default), Is.Null);
    }

    [Test]
    public async Task A_file_larger_than_a_portion_is_one()
    {
        var line = new PortionLine(Lanes);
        foreach (var length in (long[])[4 << 20, 4 << 20, 0]) await line.AddAsync(new ListedFile($"{length}", length), default);
        line.Complete();
        Assert.That(await line.NextAsync(default), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task The_walk_waits_where_too_many_files_are_in_line()
    {
        var line = new PortionLine(Lanes);
        for (var i = 0; i < Room; i++) Assert.That(line.AddAsync(new ListedFile($"f{i}", 1), default).AsTask().IsCompletedSuccessfully);
        var adding = line.AddAsync(new ListedFile("last", 1), default).AsTask();
        Assert.That(adding.IsCompleted, Is.False);
        Assert.That(await line.NextAsync(default), Has.Length.EqualTo(1000));
        Assert.That(await adding.Soon());
    }

    [Test]
    public async Task A_closed_line_gives_back_what_is_in_it_and_takes_no_more()
    {
        var line = new PortionLine(Lanes);
        var waiting = line.NextAsync(default).AsTask();
        await line.AddAsync(new ListedFile("a", 1), default);
        Assert.That(line.Close().Select(file => file.Path), Is.EqualTo(new[] { "a" }));
        Assert.That(await waiting.Soon(), Is.Null);
        Assert.That(await line.AddAsync(new ListedFile("b", 1), default), Is.False);
        Assert.That(line.Close(), Is.Empty);
    }

    [Test]
    public void A_wait_ends_with_the_job()
    {
        using var cancel = new CancellationTokenSource();
        var next = new PortionLine(Lanes).NextAsync(cancel.Token).AsTask();
        cancel.Cancel();
        Assert.That(async () => await next.Soon(), Throws.InstanceOf<OperationCanceledException>());
    }
}
