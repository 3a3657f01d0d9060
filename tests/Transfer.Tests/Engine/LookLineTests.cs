using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

public sealed class LookLineTests
{
    [Test]
    public async Task Callers_that_come_while_a_look_is_under_way_share_the_next_on_the_same_session()
    {
        var (leases, looks) = (0, new List<IReadOnlyList<string>>());
        var (first, begun) = (new TaskCompletionSource(), new TaskCompletionSource());
        var line = new LookLine(row =>
        {
            leases++;
            return row(async paths =>
            {
                looks.Add(paths);
                begun.TrySetResult();
                if (looks.Count == 1) await first.Task;
                return Found(paths);
            });
        });
        var alone = line.LookAsync("/0", default);
        await begun.Task.Soon();
        var together = Enumerable.Range(1, 9).Select(i => line.LookAsync($"/{i}", default)).ToArray();
        first.SetResult();
        await Task.WhenAll([alone, .. together]).Soon();
        Assert.That(looks.Select(paths => paths.Count), Is.EqualTo(new[] { 1, 9 }));
        Assert.That(leases, Is.EqualTo(1), "between the looks nothing else had the session");
        for (var i = 0; i < 9; i++) Assert.That((await together[i]).Entry!.Path, Is.EqualTo($"/{i + 1}"));
    }

    [Test]
    public async Task Callers_that_come_again_and_again_leave_the_session_to_others_now_and_then()
    {
        var rows = new List<int>();
        var line = (LookLine?)null;
        var asked = new List<Task>();
        line = new LookLine(async row =>
        {
            var looks = await row(paths =>
            {
                if (asked.Count < 10) asked.Add(line!.LookAsync($"/{asked.Count}", default));
                return new(Found(paths));
            });
            rows.Add(looks);
            return looks;
        });
        await line.LookAsync("/first", default).Soon();
        await Eventually.TrueAsync(() => asked.Count == 10);
        await Task.WhenAll(asked).Soon();
        await Eventually.TrueAsync(() => rows.Sum() == 11);
        Assert.That(rows, Is.EqualTo(new[] { 4, 4, 3 }));
    }

    [Test]
    public async Task Callers_that_come_while_a_session_is_still_being_opened_share_its_first_look_and_one_that_is_lost_is_made_again()
    {
        var (opened, begun, looks) = (new TaskCompletionSource(), new TaskCompletionSource(), new List<int>());
        var line = new LookLine(async row =>
        {
            begun.TrySetResult();
            await opened.Task;
            try
            {
                await row(paths =>
                {
                    looks.Add(paths.Count);
                    throw new TransferConnectionException(TransferError.Lost, "gone");
                });
            }
            catch (TransferConnectionException)
            {
                // Made again below.
            }
            return await row(paths =>
            {
                looks.Add(paths.Count);
                return new(Found(paths));
            });
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
        var line = new LookLine(
            row => fails
                ? throw new TransferException(TransferError.Lost,
                    "gone") : row(paths => new([.. paths.Select(_ => default(EntryOutcome))])));
        Assert.That(async () => await line.LookAsync("/a", default).Soon(), Throws.InstanceOf<TransferException>());
        fails = false;
        Assert.That((await line.LookAsync("/a", default).Soon()).IsAbsent, Is.True);
    }

    private static IReadOnlyList<EntryOutcome> Found(IReadOnlyList<string> paths) =>
        [.. paths.Select(path => new EntryOutcome { Entry = new RemoteEntry { Path = path, Type = RemoteEntryType.File } })];
}
