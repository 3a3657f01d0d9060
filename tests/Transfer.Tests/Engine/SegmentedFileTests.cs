using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Segments;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>Who gets which part of a file.</summary>
public sealed class SegmentedFileTests
{
    private const long Mega = 1 << 20;

    private static readonly TimeSpan Long = TimeSpan.FromMilliseconds(700);

    private readonly ManualTime _time = new();

    [Test]
    public void Who_has_nothing_to_do_gets_half_of_what_is_left_and_all_of_it_is_covered()
    {
        var file = Of(64 * Mega);
        var first = file.Begin();
        var parts = new List<JobFile> { first };
        for (var i = 0; i < 7; i++) parts.Add(file.Share()!);
        Assert.That(Ends(parts), Is.EqualTo(new[] { (0, 8), (8, 16), (16, 24), (24, 32), (32, 40), (40, 48), (48, 56), (56, 64) }));
    }

    [TestCase(1, 1)]
    [TestCase(4, 4)]
    [TestCase(5, 5)]
    [TestCase(100, 64)]
    public void Sessions_that_were_opened_for_it_take_equal_parts_when_they_come(int sessions, int expected)
    {
        var file = Of(64 * Mega + 1);
        var parts = BeginAll(file, sessions);
        Assert.That(parts, Has.Count.EqualTo(expected));
        var end = 0L;
        foreach (var part in parts)
        {
            Assert.That(part.Segment!.Start, Is.EqualTo(end));
            end = part.Segment.End;
            Assert.That(end - part.Segment.Start, Is.EqualTo((64 * Mega + 1) / expected).Within(expected));
        }
        Assert.That(end, Is.EqualTo(64 * Mega + 1));
    }

    [Test]
    public void Until_they_come_the_first_one_goes_on_and_what_it_will_move_meanwhile_stays_its_own()
    {
        var file = Of(64 * Mega, roundTrip: 100);
        var first = file.Begin(4, isLong: true);
        Assert.That(file.Room(Long, isLong: true), Is.EqualTo(3));
        Assert.That(file.Room(Long, isLong: true, fresh: 2), Is.EqualTo(1), "two have come, and will ask");
        _time.Advance(TimeSpan.FromMilliseconds(200));
        Move(first, 4);
        _time.Advance(TimeSpan.FromMilliseconds(200));
        // 60 are left at 20 a second. In a second the first one moves 20; the young ones begin after 0.2 s, and double their rates.
        JobFile[] parts = [file.Share(2)!, file.Share(1)!, file.Share(0)!];
        var share = (double)(64 * Mega - parts[0].Segment!.Start) / Mega;
        Assert.That(share, Is.InRange(11, 15));
        Assert.That(parts.Select(part => (double)(part.Segment!.End - part.Segment.Start) / Mega), Is.All.EqualTo(share).Within(0.5));
        Assert.That(file.Room(Long, isLong: true), Is.Zero);
    }

    [Test]
    public void Where_the_server_takes_fewer_sessions_these_take_more()
    {
        var file = Of(64 * Mega);
        var first = file.Begin(8, isLong: true);
        Assert.That(Ends([first, file.Share(0)!]), Is.EqualTo(new[] { (0, 32), (32, 64) }), "no further one is on its way");
        Assert.That(file.Room(Long, isLong: true), Is.Zero);
    }

    [Test]
    public void On_a_long_link_the_connections_that_move_it_share_a_window()
    {
        var file = Of(64 * Mega, roundTrip: 100);
        var parts = new List<JobFile> { file.Begin(4, isLong: true) };
        var alone = file.Window;
        for (var i = 2; i >= 0; i--) parts.Add(file.Share(i)!);
        var shared = file.Window;
        file.End(parts[3], new FileEnd(new TransferResult { Bytes = 1 }, null));
        Assert.That((alone, shared, file.Window), Is.EqualTo(((int?)null, (int?)(1 << 20), (int?)((4 << 20) / 3))));
    }

    [Test]
    public void On_a_short_link_the_windows_are_the_systems()
    {
        var file = Of(64 * Mega, roundTrip: 1);
        file.Begin();
        file.Share();
        Assert.That((file.Open, file.Window), Is.EqualTo((2, (int?)null)));
    }

    [Test]
    public void On_a_short_link_it_begins_as_one()
    {
        var file = Of(64 * Mega);
        file.Begin(8);
        Assert.That(file.Room(TimeSpan.FromMilliseconds(5), isLong: false), Is.Zero);
    }

    [Test]
    public void Where_it_has_to_be_begun_before_others_write_into_it_they_get_equal_parts_afterwards()
    {
        var file = Of(64 * Mega);
        var beginning = file.BeginAlone(4);
        Assert.That((beginning.Segment!.Start, beginning.Segment.End, beginning.Segment.IsBeginning), Is.EqualTo((0L, 64L << 10, true)));
        Assert.That((file.Share(), file.Room(TimeSpan.Zero, isLong: true, idle: 9)), Is.EqualTo(((JobFile?)null, 0)));

        Assert.That(file.End(beginning, new FileEnd(new TransferResult { Bytes = 64 << 10 }, null)), Is.False, "There is more.");

        JobFile[] parts = [.. Enumerable.Range(0, 4).Select(_ => file.Share()!)];
        Assert.That(parts.Select(part => part.Segment!.Start),
            Is.EqualTo(Enumerable.Range(0, 4).Select(i => (64L << 10) + (64 * Mega - (64 << 10)) / 4 * i)));
        Assert.That(parts.Select(part => part.Segment!.End),
            Is.EqualTo(parts.Skip(1).Select(part => part.Segment!.Start).Append(64 * Mega)));
    }

    [Test]
    public void Where_its_beginning_fails_nobody_gets_anything()
    {
        var file = Of(64 * Mega);
        Assert.That(file.End(file.BeginAlone(4), new FileEnd(null, new TransferException(TransferError.Denied, "no"))));
        Assert.That((file.Share(), file.Room(TimeSpan.Zero, isLong: true, idle: 9)), Is.EqualTo(((JobFile?)null, 0)));
    }

    [Test]
    public void What_is_claimed_stays()
    {
        var file = Of(64 * Mega);
        var first = file.Begin();
        Assert.That(first.Segment!.Claim(0, 32 << 20), Is.EqualTo(32 << 20));
        var second = file.Share()!;
        Assert.That(Ends([first, second]), Is.EqualTo(new[] { (0, 48), (48, 64) }));
        Assert.That(first.Segment.Claim(40 * Mega, 16 << 20), Is.EqualTo(8 << 20));
        Assert.That(first.Segment.Claim(48 * Mega, 1), Is.Zero);
    }

    [Test]
    public void The_rest_of_the_slow_one_is_shared()
    {
        var file = Of(64 * Mega);
        var (slow, fast) = (file.Begin(), file.Share()!);
        Move(slow, 2);
        Move(fast, 16);
        _time.Advance(TimeSpan.FromSeconds(1));
        var third = file.Share()!;
        // 30 are left at 2 a second; another session may be as fast as the fast one, which has 16.
        Assert.That(Ends([slow, fast, third]), Is.EqualTo(new[] { (0, 5), (5, 32), (32, 64) }));
    }

    [Test]
    public void What_is_done_sooner_than_another_could_begin_is_not_shared()
    {
        var file = Of(64 * Mega);
        var only = file.Begin();
        _time.Advance(TimeSpan.FromSeconds(1));
        Move(only, 32);
        _time.Advance(TimeSpan.FromSeconds(1));
        // A second is left at this rate, and getting going took one.
        Assert.That(file.Share(), Is.Null);
        Assert.That(file.Room(Long, isLong: true), Is.Zero);
    }

    [Test]
    public void What_will_have_been_moved_when_another_gets_going_is_not_divided()
    {
        var file = Of(64 * Mega);
        var only = file.Begin();
        _time.Advance(TimeSpan.FromSeconds(1));
        Move(only, 4);
        _time.Advance(TimeSpan.FromSeconds(1));
        // 60 are left at 4 a second; another one begins after a second, and is as fast after eight more: its rate doubles each second.
        Assert.That(Ends([only, file.Share()!]), Is.EqualTo(new[] { (0, 48), (48, 64) }));
    }

    [Test]
    public void A_range_of_which_nothing_comes_is_taken_over()
    {
        var file = Of(64 * Mega);
        var parts = BeginAll(file, 2);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Move(parts[0], 1);
        Assert.That(parts[1].Segment!.Claim(32 * Mega, 1 << 20), Is.EqualTo(1 << 20));
        Assert.That(file.Share(), Is.Null, "Both may still get going.");
        _time.Advance(TimeSpan.FromMilliseconds(450));
        Move(parts[0], 1);
        // The first one needed 100 ms.
        Assert.That(Ends([parts[1], file.Share()!]), Is.EqualTo(new[] { (32, 33), (33, 64) }));
    }

    [TestCase(true, 1000, 4, true)]
    [TestCase(true, 1000, 1, false)]
    [TestCase(true, 200, 100, false)]
    [TestCase(false, 1000, 4, false)]
    public void What_others_would_have_in_half_of_the_time_is_worth_giving_up_a_session(bool isLong, int milliseconds, int idle,
        bool expected)
    {
        var file = Of(64 * Mega);
        var only = file.Begin(1, isLong);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Move(only, 1);
        // They need 100 ms to get going.
        Assert.That(file.IsFasterDivided(Mega / 8, TimeSpan.FromMilliseconds(milliseconds), idle), Is.EqualTo(expected));
    }

    [Test]
    public void What_a_session_was_given_up_with_is_for_all_that_have_nothing_to_do()
    {
        var file = Of(64 * Mega);
        var parts = BeginAll(file, 2);
        var given = parts[1].Segment!;
        given.Claim(32 * Mega, 24 << 20);
        given.Restart(40 * Mega);
        file.Divide(given, 3);
        parts.AddRange([file.Share()!, file.Share()!]);
        Assert.That(Ends(parts), Is.EqualTo(new[] { (0, 32), (40, 48), (48, 56), (56, 64) }));
    }

    [Test]
    public void None_of_them_gets_less_than_is_worth_it()
    {
        var file = Of(64 * Mega);
        var given = BeginAll(file, 2)[1].Segment!;
        given.Restart(64 * Mega - 200_000);
        file.Divide(given, 100);
        Assert.That((file.Share()!.Segment!.Start, file.Share()!.Segment!.Start), Is.EqualTo((64 * Mega - 66_666, 64 * Mega - 133_333)));
    }

    [TestCase(null, 400)]
    [TestCase(100, 200)]
    [TestCase(10, 50)]
    public void A_rate_is_known_after_two_round_trips(int? roundTrip, int milliseconds)
    {
        var pace = new SegmentPace(_time, roundTrip is { } known ? TimeSpan.FromMilliseconds(known) : null);
        _time.Advance(TimeSpan.FromMilliseconds(400));
        pace.Moved(Mega);
        _time.Advance(TimeSpan.FromMilliseconds(milliseconds - 1));
        Assert.That(pace.Rate, Is.Null);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.That(pace.Rate, Is.EqualTo(Mega * 1000d / milliseconds).Within(1));
    }

    [Test]
    public void A_range_whose_connection_was_there_before_is_not_taken_over_for_its_age()
    {
        var file = Of(64 * Mega);
        var parts = BeginAll(file, 2);
        parts[1].Segment!.Pace.PreparedFor(TimeSpan.FromSeconds(10));
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Move(parts[0], 1);
        Assert.That(file.Share(), Is.Null, "Both may still get going.");
        Move(parts[1], 1);
        Assert.That(parts[1].Segment!.Pace.Start, Is.EqualTo(TimeSpan.FromSeconds(10.1)), "What another one would take.");
    }

    [Test]
    public void On_a_short_link_there_is_room_when_it_is_known_to_pay()
    {
        var file = Of(64 * Mega);
        var only = file.Begin();
        var shortLink = TimeSpan.FromMilliseconds(5);
        Assert.That(file.Room(shortLink, isLong: false), Is.Zero);
        _time.Advance(TimeSpan.FromMilliseconds(10));
        Move(only, 1);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That(file.Room(shortLink, isLong: false), Is.EqualTo(Math.Max(2, Environment.ProcessorCount / 2) - 1));
    }

    [TestCase(2, 2)]
    [TestCase(1, 1)]
    public void On_a_short_link_there_are_twice_as_many_as_long_as_that_pays(int factor, int times)
    {
        var few = Math.Max(2, Environment.ProcessorCount / 2);
        var shortLink = TimeSpan.FromMilliseconds(5);
        var file = Of(10_000 * Mega);
        var parts = new List<JobFile> { file.Begin() };
        while (parts.Count < few) parts.Add(file.Share()!);
        _time.Advance(TimeSpan.FromMilliseconds(5));
        var megabytes = 10;
        var expected = few;
        for (var i = 0; i < times; i++)
        {
            Look(megabytes);
            expected *= 2;
            Assert.That(file.Room(shortLink, isLong: false), Is.EqualTo(expected - parts.Count));
            while (parts.Count < expected) parts.Add(file.Share()!);
            Assert.That(file.Room(shortLink, isLong: false), Is.Zero);
            megabytes *= factor;
        }
        if (factor == 1) Look(megabytes);
        Assert.That(file.Room(shortLink, isLong: false), Is.Zero);

        // A little of the first counts for all.
        void Look(int moved)
        {
            for (var i = 0; i < 4; i++)
            {
                parts[0].Segment!.Moved(moved * Mega);
                _time.Advance(SessionRamp.Interval);
                file.Look();
            }
        }
    }

    [Test]
    public void On_a_short_link_nothing_is_tried_for_the_last_second()
    {
        var file = Of(100 * Mega);
        var parts = new List<JobFile> { file.Begin() };
        while (parts.Count < Math.Max(2, Environment.ProcessorCount / 2)) parts.Add(file.Share()!);
        _time.Advance(TimeSpan.FromMilliseconds(5));
        for (var i = 0; i < 8; i++)
        {
            foreach (var part in parts) part.Segment!.Moved(24 * Mega);
            _time.Advance(SessionRamp.Interval);
            file.Look();
        }
        Assert.That(file.Ramp.Allowed, Is.EqualTo(Math.Max(2, Environment.ProcessorCount / 2)));
    }

    [Test]
    public void On_a_long_link_there_is_room_when_no_session_grows_faster_by_itself()
    {
        var file = Of(1024 * Mega);
        var parts = BeginAll(file, 2);
        Assert.That(file.Room(Long, isLong: true), Is.Zero, "nothing is known yet");
        _time.Advance(TimeSpan.FromMilliseconds(100));
        foreach (var megabytes in new[] { 1, 2, 4 })
        {
            Pass(parts, megabytes);
            Assert.That((file.Room(Long, isLong: true), file.Share()), Is.EqualTo((0, (JobFile?)null)), "it grows");
        }
        Pass(parts, 4);
        Assert.That(file.Room(Long, isLong: true), Is.EqualTo(2));
        Assert.That(file.Share(), Is.Not.Null);
    }

    [Test]
    public void Where_most_sessions_are_idle_a_rate_that_grows_is_shared_too_by_several_at_once()
    {
        var file = Of(64 * Mega, roundTrip: 100);
        var first = file.Begin(1, isLong: true);
        Pass([first], 1);
        Assert.That(file.Room(Long, isLong: true, idle: 7), Is.Zero, "whether it grows is not known yet");
        Pass([first], 2);
        Assert.That((file.Room(Long, isLong: true, idle: 1), file.Room(Long, isLong: true, idle: 7)), Is.EqualTo((0, 3)));
        JobFile[] parts = [file.Share(idle: 6)!, file.Share(idle: 5)!, file.Share(idle: 4)!];
        Assert.That(parts.Select(part => (part.Segment!.End - part.Segment.Start) / Mega), Is.All.InRange(12, 16), "they end together");
        Assert.That(file.Share(idle: 3), Is.Null, "half of all have work");
        Assert.That(file.Room(Long, isLong: true, idle: 4), Is.Zero);
    }

    [TestCase(4, false, false)]
    [TestCase(2, false, true)]
    [TestCase(4, true, true)]
    public void Over_a_full_link_a_session_that_ends_early_begins_no_young_connection(int megabytes, bool keepsConnections, bool shares)
    {
        var file = Of(1024 * Mega, roundTrip: 100, keepsConnections: keepsConnections);
        var parts = BeginAll(file, 4);
        for (var i = 0; i < 3; i++) Pass(parts, 3);
        Assert.That(file.End(parts[0], new FileEnd(new TransferResult { Bytes = 256 * Mega }, null)), Is.False);
        for (var i = 0; i < 3; i++) Pass(parts.Skip(1), megabytes);
        Assert.That(file.Share() is not null, Is.EqualTo(shares));
    }

    [TestCase(1, true)]
    [TestCase(4, false)]
    public void Over_a_full_link_a_session_that_ends_early_helps_one_that_is_far_behind(int megabytes, bool shares)
    {
        var file = Of(1024 * Mega, roundTrip: 100);
        var parts = BeginAll(file, 16);
        for (var i = 0; i < 3; i++) Pass(megabytes);
        Assert.That(file.End(parts[0], new FileEnd(new TransferResult { Bytes = 64 * Mega }, null)), Is.False);
        parts.RemoveAt(0);
        for (var i = 0; i < 3; i++) Pass(megabytes);

        var (slow, before) = (parts[^1].Segment!, parts[^1].Segment!.End);
        var part = file.Share();

        Assert.That(part is not null, Is.EqualTo(shares));
        if (shares) Assert.That((part!.Segment!.Start, part.Segment.End), Is.EqualTo((slow.End, before)));

        // The last session's rate is its own, that of all others 6.
        void Pass(int ofLast)
        {
            foreach (var one in parts) one.Segment!.Moved((one == parts[^1] ? ofLast : 6) * Mega);
            _time.Advance(TimeSpan.FromMilliseconds(200));
        }
    }

    [Test]
    public void A_window_without_bytes_is_no_stall_and_two_are()
    {
        var file = Of(1024 * Mega, roundTrip: 100);
        var parts = BeginAll(file, 2);
        var held = parts[1].Segment!;
        for (var i = 0; i < 3; i++) Pass(parts, 4);
        Assert.That(held.Pace.IsStalled, Is.False);
        Pass([parts[0]], 4);
        Assert.That((held.Pace.Rate, held.Pace.IsStalled), Is.EqualTo(((double?)0, false)));
        var before = held.Unclaimed;
        var part = file.Share()!;
        Assert.That(before - held.Unclaimed, Is.LessThan(before * 0.6));
        Pass([parts[0], part], 4);
        Assert.That(held.Pace.IsStalled);
        Assert.That(file.Share(), Is.Not.Null);
        Assert.That(held.Unclaimed, Is.Zero);
    }

    [TestCase(4, 4)]
    [TestCase(2, 0)]
    public void There_is_room_for_twice_as_many_as_long_as_that_has_paid(int megabytes, int room)
    {
        var file = Of(1024 * Mega);
        var parts = BeginAll(file, 2);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        for (var i = 0; i < 3; i++) Pass(parts, 4);
        Assert.That(file.Room(Long, isLong: true), Is.EqualTo(2));
        parts.Add(file.Share()!);
        Assert.That(file.Room(Long, isLong: true), Is.EqualTo(1), "the second of them is on its way");
        parts.Add(file.Share()!);
        Assert.That(file.Room(Long, isLong: true), Is.Zero, "what they bring is not known yet");
        _time.Advance(TimeSpan.FromMilliseconds(100));
        for (var i = 0; i < 3; i++) Pass(parts, megabytes);
        Assert.That(file.Room(Long, isLong: true), Is.EqualTo(room));
        if (room == 0) Assert.That(file.Share(), Is.Null, "who has nothing to do stays so: fewer are as fast");
    }

    [Test]
    public void Never_more_than_were_asked_for()
    {
        var file = Of(64 * Mega, 3);
        file.Begin();
        Assert.That(file.Room(TimeSpan.Zero, isLong: false), Is.EqualTo(2));
        Assert.That(file.Share(), Is.Not.Null);
        Assert.That(file.Share(), Is.Not.Null);
        Assert.That(file.Share(), Is.Null);
        Assert.That(file.Room(Long, isLong: true), Is.Zero);
    }

    [Test]
    public void A_failure_cancels_the_others_and_gives_nothing_away_any_more()
    {
        var file = Of(64 * Mega);
        var (one, other) = (file.Begin(), file.Share()!);
        var error = new TransferException(TransferError.Quota, "full");
        Assert.That(file.End(one, new FileEnd(null, error)), Is.False);
        Assert.That(other.Spec.Canceled.IsCancellationRequested);
        Assert.That(file.Share(), Is.Null);
        Assert.That(file.Room(Long, isLong: true), Is.Zero);
        Assert.That(file.End(other, FileEnd.Canceled));
        Assert.That(file.Failure!.Value.Error, Is.SameAs(error));
    }

    [TestCase(4 << 20, 3)]
    [TestCase(1 << 20, 0)]
    public void Small_rests_are_left_alone(int length, int shares)
    {
        var file = Of(length);
        file.Begin();
        for (var i = 0; i < shares; i++) Assert.That(file.Share(), Is.Not.Null);
        Assert.That(file.Share(), Is.Null);
    }

    private SegmentedFile Of(long length, int? asked = null, int? roundTrip = null, bool keepsConnections = false) => new(
        new JobFile(new FileSpec { Name = "file", Kind = WorkKind.Download, RemotePath = "/file" }, new Sized(length)), null, asked, _time,
        roundTrip is { } known ? TimeSpan.FromMilliseconds(known) : null, keepsConnections);

    // On a long link, with all sessions there: the parts in the order of the file.
    private static List<JobFile> BeginAll(SegmentedFile file, int sessions)
    {
        var parts = new List<JobFile> { file.Begin(sessions, isLong: true) };
        for (var coming = sessions - 2; coming >= 0 && file.Share(coming) is { } part; coming--) parts.Insert(1, part);
        return parts;
    }

    private static void Move(JobFile part, int megabytes)
    {
        part.Segment!.Claim(part.Segment.Start, megabytes << 20);
        part.Segment.Pace.Moved(megabytes * Mega);
    }

    // A window of their rates.
    private void Pass(IEnumerable<JobFile> parts, int megabytes)
    {
        foreach (var part in parts) part.Segment!.Moved(megabytes * Mega);
        _time.Advance(TimeSpan.FromMilliseconds(200));
    }

    private static IEnumerable<(int Start, int End)> Ends(IEnumerable<JobFile> parts) =>
        parts.Select(part => ((int)(part.Segment!.Start / Mega), (int)(part.Segment.End / Mega))).Order();

    private sealed class Sized(long length) : EngineContent
    {
        public override long? Length => length;

        public override bool CanReplay => true;
    }
}
