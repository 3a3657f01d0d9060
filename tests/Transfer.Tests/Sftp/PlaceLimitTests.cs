using Transfer.Sftp.Session;

namespace Transfer.Tests.Sftp;

[TestFixture]
public sealed class PlaceLimitTests
{
    [Test]
    public async Task Who_waits_for_a_place_gets_the_next_that_is_returned()
    {
        var places = new PlaceLimit(1);
        await places.TakeAsync().Soon();
        var second = places.TakeAsync();
        Assert.That(second.IsCompleted, Is.False);
        places.Return();
        await second.Soon();
    }

    [Test]
    public async Task A_refusal_halves_what_was_open_and_the_last_one_alone_is_no_reason()
    {
        var places = new PlaceLimit(8);
        for (var i = 0; i < 4; i++) await places.TakeAsync().Soon();
        Assert.That((places.TryHalve(4), places.Limit), Is.EqualTo((true, 2)));
        for (var i = 0; i < 3; i++) places.Return();
        Assert.That((places.TryHalve(1), places.Limit), Is.EqualTo((false, 2)));
    }

    [Test]
    public async Task A_refusal_that_is_heard_behind_the_session_s_end_makes_nobody_wait_for_places_that_do_not_come_back()
    {
        var places = new PlaceLimit(8);
        for (var i = 0; i < 4; i++) await places.TakeAsync().Soon();
        places.ReleaseWaiters();
        Assert.That(places.TryHalve(4), Is.False);
        places.Return();
        await places.TakeAsync().Soon();
    }
}
