using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Engine.Segments;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>The files of one job in line, without sessions or tasks.</summary>
public sealed class FileLineTests
{
    private const long Large = EngineContent.LargeLength + 1;

    private bool _isServerKnown;
    private FileLine _line = null!;

    [SetUp]
    public void SetUp()
    {
        _isServerKnown = true;
        _line = Line();
    }

    [Test]
    public void Small_files_come_together_in_their_order_and_one_of_unknown_length_alone()
    {
        Add(("a", 1), ("b", null), ("c", 1), ("d", 1), ("e", 1));
        Assert.That((Take(9), Take(9), Take(2), Take(9), Take(9)), Is.EqualTo(("a", "b", "c d", "e", "")));
    }

    [Test]
    public void Large_files_come_before_small_ones_the_longest_first_in_half_of_the_sessions()
    {
        Take(1);
        Add(("s", 1), ("l", Large), ("m", Large + 1), ("n", Large + 2));
        Assert.That((Take(9, sessions: 4), Take(9, sessions: 4), Take(9, sessions: 4)), Is.EqualTo(("n", "m", "s")));
        Assert.That(Take(9, sessions: 4), Is.EqualTo("l"), "nothing else waits");
    }

    [Test]
    public void A_large_file_that_has_ended_makes_place_for_the_next()
    {
        Add(("s", 1), ("t", 1), ("l", Large), ("m", Large + 1));
        var first = _line.TakeLocked(9, 2, alone: true).Single();
        Assert.That((first.Name, Take(1, sessions: 2)), Is.EqualTo(("m", "s")));
        _line.ReleasePlaceLocked(first);
        Assert.That(Take(1, sessions: 2), Is.EqualTo("l"));
    }

    [Test]
    public void The_bytes_in_line_stay_at_the_largest_number_and_are_exact_once_files_have_left()
    {
        const long Huge = 1L << 62;
        Add(("a", Huge), ("b", Huge), ("c", Huge));
        Assert.That(_line.BytesLocked, Is.EqualTo(long.MaxValue));
        Take(1);
        Take(1);
        Assert.That(_line.BytesLocked, Is.EqualTo(Huge));
        Add(("d", Huge));
        _line.TakeAllLocked(butSegments: false);
        Assert.That(_line.BytesLocked, Is.Zero);
    }

    [Test]
    public void Until_the_server_is_known_all_stand_in_one_line_which_is_sorted_then()
    {
        _isServerKnown = false;
        Add(("s", 1), ("l", Large));
        Assert.That(Take(1), Is.EqualTo("s"));
        Add(("t", 1));
        _isServerKnown = true;
        Assert.That((Take(9), Take(9)), Is.EqualTo(("l", "t")));
    }

    [Test]
    public void Where_a_session_has_something_already_no_large_file_comes_with_it()
    {
        Add(("s", 1), ("l", Large));
        Assert.That(Take(9, alone: false), Is.EqualTo("s"));
        Assert.That(Take(9, alone: false), Is.Empty);
    }

    [Test]
    public void What_comes_back_is_the_next_one()
    {
        Add(("a", 1), ("b", 1));
        var first = _line.TakeLocked(1, 1, alone: true).Single();
        _line.AddFirstLocked(first);
        Assert.That(Take(9), Is.EqualTo("a b"));
    }

    [Test]
    public void Whoever_adds_more_than_there_is_room_for_waits_until_a_quarter_is_gone()
    {
        for (var i = 0; i < FileLine.Capacity - 1; i++) Add(("f", 1));
        Assert.That(_line.WhenRoomLocked(), Is.Null);
        Add(("f", 1));
        var room = _line.WhenRoomLocked()!;
        _line.TakeLocked(FileLine.Capacity / 4 - 1, 1, alone: true);
        Assert.That(room.IsCompleted, Is.False);
        _line.TakeLocked(1, 1, alone: true);
        Assert.That(room.IsCompleted);
        Assert.That(_line.WhenRoomLocked(), Is.Null);
    }

    [Test]
    public void A_line_that_is_emptied_has_room_and_keeps_the_segments_of_files_under_way([Values] bool butSegments)
    {
        Take(1);
        Add(("s", 1), ("l", Large));
        using var whole = new SegmentedFile(File("w", 8 << 20), null, null, TimeProvider.System);
        _line.AddFirstLocked(whole.Begin(1));
        for (var i = 0; i < FileLine.Capacity; i++) Add(("f", 1));
        var room = _line.WhenRoomLocked()!;
        Assert.That(_line.TakeAllLocked(butSegments), Has.Length.EqualTo(FileLine.Capacity + (butSegments ? 2 : 3)));
        Assert.That((_line.CountLocked, room.IsCompleted), Is.EqualTo((butSegments ? 1 : 0, true)));
    }

    [Test]
    public void No_more_files_come_than_may_be_open_but_one_at_least()
    {
        var places = new OpenFiles(1);
        Assert.That(places.TryTake(needed: false), "another job's");
        _line.OpenFiles = places;
        for (var i = 0; i < 3; i++) _line.AddLocked(new JobFile(Spec($"{i}"), new Opens()));
        Assert.That(_line.LacksPlaceLocked, Is.False, "one is taken in any case");
        var first = _line.TakeLocked(9, 1, alone: true);
        Assert.That(first.Select(file => file.Name), Is.EqualTo(new[] { "0" }));
        Assert.That((_line.LacksPlaceLocked, Take(9)), Is.EqualTo((true, "")));

        _line.AddFirstLocked(first[0]);
        Assert.That((_line.LacksPlaceLocked, Take(9)), Is.EqualTo((false, "0")), "it has its place still");
        Assert.That((_line.ReleasePlaceLocked(first[0]), _line.ReleasePlaceLocked(first[0])), Is.EqualTo((true, false)),
            "a place is given back once");
        places.Return();
        Assert.That((_line.LacksPlaceLocked, Take(9)), Is.EqualTo((false, "1")));
    }

    [Test]
    public void One_session_alone_takes_files_in_their_order_and_so_do_files_that_can_be_divided([Values] bool several)
    {
        _line = new FileLine(several, () => true, _ => several);
        Add(("s", 1), ("l", Large));
        Assert.That((Take(9), Take(9)), Is.EqualTo(("s", "l")));
    }

    private FileLine Line() => new(hasSeveralSessions: true, () => _isServerKnown, _ => false);

    private string Take(int most, int sessions = 2, bool alone = true) =>
        string.Join(' ', _line.TakeLocked(most, sessions, alone).Select(file => file.Name));

    private void Add(params (string Name, long? Length)[] files)
    {
        foreach (var (name, length) in files) _line.AddLocked(File(name, length));
    }

    private static JobFile File(string name, long? length) => new(Spec(name), new FixedContent(length));

    private static FileSpec Spec(string name) => new() { Name = name, Kind = WorkKind.Upload, RemotePath = "/" + name };

    private sealed class Opens : EngineContent
    {
        public override long? Length => 1;

        public override bool CanReplay => true;

        public override bool OpensFile => true;
    }
}
