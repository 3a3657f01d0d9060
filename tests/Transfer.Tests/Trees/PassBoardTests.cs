using Transfer.Engine.Trees;

namespace Transfer.Tests.Trees;

/// <summary>The units of a pass: their sizes, and the round trips that wait.</summary>
public sealed class PassBoardTests
{
    private const int Sessions = 16;

    [TestCase(2048, 1, ExpectedResult = new[] { 2048, 952 })]
    [TestCase(2048, Sessions, ExpectedResult = new[] { 2048, 952 })]
    [TestCase(64, 1, ExpectedResult = new[] { 2048, 952 })]
    public int[] Units_are_full_where_so_many_are_under_way_at_once_or_one_session_takes_all(int together, int sessions) =>
        [.. Taken(Filled(3000), together, sessions)];

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
        board.Done(first);
        board.Return(second);
        foreach (var _ in (int[])[1, 2]) board.Done(board.Take(Features(2048), 1)!);
    }

    // Folders that wait have as many entries as those before: else further sessions would come when all are listed.
    [Test]
    public void Folders_that_wait_count_with_the_entries_that_those_before_had()
    {
        var (root, board) = Begun();
        board.Visited(board.Take(Features(1), 1)!, [new([], Children("/d", 20))]);
        Assert.That(board.WaitingFor(Features(1)).Flights, Is.Zero);
        var unit = board.Take(Features(1) with { ListsTogether = 10 }, 1)!;
        Assert.That((root.Path, unit.Folders.Count), Is.EqualTo(("/d", 10)));
        board.Visited(unit, [.. unit.Folders.Select(folder => new PassContent(Entries(folder, 22), []))]);
        // 220 entries of 11 folders, and 10 folders that wait.
        Assert.That(board.WaitingFor(Features(1)).Flights, Is.EqualTo(220 + 200));
    }

    [Test]
    public void Folders_that_are_listed_one_after_another_are_a_unit_each()
    {
        var (_, board) = Begun();
        board.Visited(board.Take(Features(1), 1)!, [new([], Children("/d", 20))]);
        Assert.That(board.WaitingFor(Features(1) with { ListsTogether = 16, ListsInTurn = true }).Units, Is.EqualTo(20));
        Assert.That(board.WaitingFor(Features(1) with { ListsTogether = 16, ListsInTurn = true, FindsTogether = 256 }).Units,
            Is.EqualTo(1));
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

    private static IEnumerable<int> Taken(PassBoard board, int together, int sessions)
    {
        while (board.Take(Features(together), sessions) is { Stage: PassStage.Handle } unit)
        {
            yield return unit.Entries.Count;
            board.Done(unit);
        }
    }

    private static TransferFeatures Features(int together) => new() { ChangesTogether = together };

    private static RemoteEntry[] Children(string path, int count) =>
        [.. Enumerable.Range(0, count).Select(i => new RemoteEntry { Path = $"{path}/{i}", Type = RemoteEntryType.Directory })];

    private static PassEntry[] Entries(PassFolder folder, int count) =>
        [.. Enumerable.Range(0, count).Select(i => new PassEntry(folder, $"{folder.Path}/f{i}", RemoteEntryType.File))];
}
