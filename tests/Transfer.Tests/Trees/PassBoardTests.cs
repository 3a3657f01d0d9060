using Transfer.Engine.Trees;

namespace Transfer.Tests.Trees;

/// <summary>The units of a pass: their sizes, and the round trips that wait.</summary>
public sealed class PassBoardTests
{
    private const int Sessions = 16;

    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(100);

    [TestCase(4096, 1, ExpectedResult = new[] { 4096, 2904 })]
    [TestCase(4096, Sessions, ExpectedResult = new[] { 4096, 2904 })]
    [TestCase(64, 1, ExpectedResult = new[] { 4096, 2904 })]
    public int[] Units_are_full_where_so_many_are_under_way_at_once_or_one_session_takes_all(int together, int sessions) =>
        [.. Taken(Filled(7000), together, sessions)];

    [TestCase(0.1, ExpectedResult = new[] { 4096, 8192, 7712 })]
    [TestCase(1, ExpectedResult = new[] { 4096, 4096, 4096, 4096, 3616 })]
    [TestCase(5, ExpectedResult = new[] { 4096, 2048, 1024, 512, 256, 256, 256, 256 })]
    public int[] Units_that_end_quickly_grow_and_units_that_take_long_shrink(double seconds) =>
        [.. Taken(Filled(20_000), 4096, 1, TimeSpan.FromSeconds(seconds)).Take(8)];

    // Each has a part of what is left, so that all sessions end at about the same time.
    [TestCase(64)]
    [TestCase(1)]
    public void Else_all_sessions_have_a_part_of_what_waits(int together)
    {
        var taken = Taken(Filled(3000), together, Sessions).ToArray();
        Assert.That(taken.Sum(), Is.EqualTo(3000));
        Assert.That(taken[0], Is.EqualTo(188));
        Assert.That(taken.Zip(taken.Skip(1)), Has.All.Matches<(int First, int Next)>(pair => pair.Next <= pair.First));
        Assert.That(taken.SkipLast(1), Has.All.GreaterThanOrEqualTo(together));
    }

    [TestCase(2048, ExpectedResult = 1)]
    [TestCase(64, ExpectedResult = 46)]
    [TestCase(1, ExpectedResult = 3000)]
    public long Round_trips_are_those_of_one_session(int together) => Filled(3000).WaitingFor(Features(together)).Flights;

    [Test]
    public void A_unit_whose_session_was_lost_comes_back_in_halves()
    {
        var board = Filled(1000);
        var unit = board.Take(Features(2048), 1)!;
        unit.Losses = 1;
        board.Return(unit);
        var (first, second) = (board.Take(Features(2048), 1)!, board.Take(Features(2048), 1)!);
        Assert.That((first.Losses, second.Losses), Is.EqualTo((1, 1)));
        Assert.That(first.Entries.Concat(second.Entries), Is.EqualTo(unit.Entries));
        Assert.That(first.Entries, Has.Count.EqualTo(unit.Entries.Count / 2));
        board.Done(first, Short);
        board.Return(second);
        foreach (var _ in (int[])[1, 2]) board.Done(board.Take(Features(2048), 1)!, Short);
    }

    [TestCase(true, ExpectedResult = "/d/0/1 /d/0/0 /d/1/1 /d/1/0 /d/0 /d/1 /d")]
    [TestCase(false, ExpectedResult = "/d/0/1 /d/0/0 /d/1/1 /d/1/0")]
    public string Folders_above_are_finished_with_those_below_where_changes_are_in_order(bool inOrder)
    {
        var board = Nested();
        return Paths(Finishing(board, inOrder));
    }

    // The halves go to different sessions, and a folder above one half's would be refused before the other half's are removed.
    [Test]
    public void After_a_loss_folders_above_wait_for_those_below()
    {
        var board = Nested();
        board.Return(Finishing(board, inOrder: true));
        var (first, second) = (Finishing(board, inOrder: true), Finishing(board, inOrder: true));
        Assert.That((Paths(first), Paths(second)), Is.EqualTo(("/d/0/1 /d/0/0", "/d/1/1 /d/1/0")));
        board.Done(second, Short);
        board.Done(first, Short);
        var above = Finishing(board, inOrder: true);
        Assert.That(Paths(above), Is.EqualTo("/d/1 /d/0 /d"));
        board.Done(above, Short);
        Assert.That(board.IsDone, Is.True);
    }

    [TestCase(0, "/d/0/1", "/d/0/1 /d/0 /d")]
    [TestCase(4, "/d/0", "/d/0 /d")]
    [TestCase(6, "/d", "/d")]
    public void A_folder_above_one_that_is_visited_again_is_finished_again(int wanted, string path, string left)
    {
        var board = Nested();
        var all = Finishing(board, inOrder: true);
        all.Folders[wanted].IsWanted = true;
        board.Done(all, Short);
        var again = board.Take(Features(1), 1)!;
        Assert.That((again.Stage, Paths(again)), Is.EqualTo((PassStage.Visit, path)));
        board.Visited(again, [new([], [])]);
        var rest = Finishing(board, inOrder: true);
        Assert.That(Paths(rest), Is.EqualTo(left));
        board.Done(rest, Short);
        Assert.That(board.IsDone, Is.True);
    }

    // Folders that wait or are under way have as many entries as those before: else further sessions would come when all are listed.
    [Test]
    public void Folders_that_are_not_listed_yet_count_with_the_entries_that_those_before_had()
    {
        var (root, board) = Begun();
        Visit(board, board.Take(Features(1), 1)!, _ => new([], Children("/d", 20)) { IsProved = true });
        Assert.That(board.WaitingFor(Features(1)).Flights, Is.Zero);
        var unit = board.Take(Features(1) with { ListsTogether = 10 }, 1)!;
        Assert.That((root.Path, unit.Folders.Count), Is.EqualTo(("/d", 10)));
        foreach (var folder in unit.Folders.Take(9)) board.Listed(new(Entries(folder, 22), []));
        // 198 entries of 10 folders, 10 folders that wait, and 10 under way.
        Assert.That(board.WaitingFor(Features(1)).Flights, Is.EqualTo(198 * 2));
        board.Listed(new(Entries(unit.Folders[9], 22), []));
        board.Visited(unit, [.. unit.Folders.Select(folder => new PassContent(Entries(folder, 22), []))]);
        // 220 entries of 11 folders, and 10 folders that wait.
        Assert.That(board.WaitingFor(Features(1)).Flights, Is.EqualTo(220 + 200));
    }

    // Folders above then follow those below in one flight.
    [TestCase(true)]
    [TestCase(false)]
    public async Task A_few_folders_are_finished_beside_other_work_only_where_none_follows(bool inOrder)
    {
        var (_, board) = Begun();
        var features = Features(2048) with { ListsTogether = 10, ChangesInOrder = inOrder };
        board.Visited(board.Take(features, 1)!, [new([], Children("/d", 2)) { IsProved = true }]);
        var visit = board.Take(features, 1)!;
        board.Visited(visit, [new(Entries(visit.Folders[0], 1), []), new([], [])]);
        var work = board.Take(features, 1)!;
        Assert.That(work.Stage, Is.EqualTo(PassStage.Handle));
        var waiting = board.WaitAsync(default).AsTask();
        Assert.That(waiting.IsCompleted, Is.Not.EqualTo(inOrder));
        Assert.That(board.Take(features, 1)?.Stage, Is.EqualTo(inOrder ? null : PassStage.Finish));
        board.Done(work, Short);
        Assert.That(await waiting, Is.True);
        Assert.That(Paths(board.Take(features, 1)!), Is.EqualTo(inOrder ? "/d/0 /d/1 /d" : "/d/1"));
    }

    [Test]
    public void Folders_that_are_listed_one_after_another_are_a_unit_each()
    {
        var (_, board) = Begun();
        board.Visited(board.Take(Features(1), 1)!, [new([], Children("/d", 20)) { IsProved = true }]);
        Assert.That(board.WaitingFor(Features(1) with { ListsTogether = 16, ListsInTurn = true }).Units, Is.EqualTo(20));
        Assert.That(board.WaitingFor(Features(1) with { ListsTogether = 16, ListsInTurn = true, FindsTogether = 256 }).Units,
            Is.EqualTo(1));
    }

    private static void Visit(PassBoard board, PassUnit unit, Func<PassFolder, PassContent> content)
    {
        PassContent[] contents = [.. unit.Folders.Select(content)];
        foreach (var one in contents) board.Listed(one);
        board.Visited(unit, contents);
    }

    private static (PassFolder Root, PassBoard Board) Begun()
    {
        var root = new PassFolder(new RemoteEntry { Path = "/d", Type = RemoteEntryType.Directory });
        return (root, new PassBoard(root));
    }

    private static PassBoard Filled(int entries)
    {
        var (root, board) = Begun();
        board.Visited(board.Take(Features(1), 1)!, [new(Entries(root, entries), [])]);
        return board;
    }

    // Two folders with two empty ones each.
    private static PassBoard Nested()
    {
        var (_, board) = Begun();
        var features = Features(1) with { ListsTogether = 10 };
        board.Visited(board.Take(features, 1)!, [new([], Children("/d", 2)) { IsProved = true }]);
        foreach (var deep in (bool[])[false, true])
        {
            var unit = board.Take(features, 1)!;
            board.Visited(unit,
                [.. unit.Folders.Select(folder => new PassContent([], deep ? [] : Children(folder.Path, 2)) { IsProved = true })]);
        }
        return board;
    }

    private static PassUnit Finishing(PassBoard board, bool inOrder)
    {
        var unit = board.Take(Features(2) with { ChangesInOrder = inOrder }, 1)!;
        Assert.That(unit.Stage, Is.EqualTo(PassStage.Finish));
        return unit;
    }

    private static string Paths(PassUnit unit) => string.Join(' ', unit.Folders.Select(folder => folder.Path));

    private static IEnumerable<int> Taken(PassBoard board, int together, int sessions, TimeSpan? each = null)
    {
        while (board.Take(Features(together), sessions) is { Stage: PassStage.Handle } unit)
        {
            yield return unit.Entries.Count;
            board.Done(unit, each ?? TimeSpan.FromSeconds(1));
        }
    }

    private static TransferFeatures Features(int together) => new() { ChangesTogether = together };

    private static RemoteEntry[] Children(string path, int count) =>
        [.. Enumerable.Range(0, count).Select(i => new RemoteEntry { Path = $"{path}/{i}", Type = RemoteEntryType.Directory })];

    private static PassEntry[] Entries(PassFolder folder, int count) =>
        [.. Enumerable.Range(0, count).Select(i => new PassEntry(folder, $"{folder.Path}/f{i}", RemoteEntryType.File))];
}
