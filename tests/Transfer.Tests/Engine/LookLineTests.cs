using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

public sealed class LookLineTests
{
    [Test]
    public async Task Callers_that_come_while_a_look_is_under_way_share_the_next()
    {
        var looks = new List<IReadOnlyList<string>>();
        var (first, begun) = (new TaskCompletionSource(), new TaskCompletionSource());
        var line = new LookLine(async take =>
        {
            var paths = take();
            looks.Add(paths);
            begun.TrySetResult();
            if (looks.Count == 1) await first.Task;
            return [.. paths.Select(path => new EntryOutcome { Entry = new RemoteEntry { Path = path, Type = RemoteEntryType.File } })];
        });
        var alone = line.LookAsync("/0", default);
        await begun.Task.Soon();
        var together = Enumerable.Range(1, 9).Select(i => line.LookAsync($"/{i}", default)).ToArray();
        first.SetResult();
        await Task.WhenAll([alone, .. together]).Soon();
        Assert.That(looks.Select(paths => paths.Count), Is.EqualTo(new[] { 1, 9 }));
        for (var i = 0; i < 9; i++) Assert.That((await together[i]).Entry!.Path, Is.EqualTo($"/{i + 1}"));
    }

    [Test]
    public async Task Callers_that_come_while_a_session_is_still_being_opened_share_its_first_look_and_one_that_is_lost_is_made_again()
    {
        var (opened, begun, looks) = (new TaskCompletionSource(), new TaskCompletionSource(), new List<int>());
        var line = new LookLine(async take =>
        {
            begun.TrySetResult();
            await opened.Task;
            looks.Add(take().Count);
            looks.Add(take().Count);
            return [.. take().Select(path => new EntryOutcome { Entry = new RemoteEntry { Path = path, Type = RemoteEntryType.File } })];
        });
        var first = line.LookAsync("/0", default);
        await begun.Task.Soon();
        var others = Enumerable.Range(1, 9).Select(i => line.LookAsync($"/{i}", default)).ToArray();
        opened.SetResult();
        await Task.WhenAll([first, .. others]).Soon();
        Assert.That(looks, Is.EqualTo(new[] { 10, 10 }));
        for (var i = 0; i < 9; i++) Assert.That((await others[i]).Entry!.Path, Is.EqualTo($"/{i + 1}"));
    }

    [Test]
    public async Task A_look_that_fails_fails_its_callers_and_no_later_ones()
    {
        var fails = true;
        var line = new LookLine(paths => fails ? throw new TransferException(TransferError.Lost, "gone") : new([.. paths().Select(_ => default(EntryOutcome))]));
        Assert.That(async () => await line.LookAsync("/a", default).Soon(), Throws.InstanceOf<TransferException>());
        fails = false;
        Assert.That((await line.LookAsync("/a", default).Soon()).IsAbsent, Is.True);
    }
}
