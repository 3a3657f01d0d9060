using Transfer.Replacing;

namespace Transfer.Tests.Replacing;

public sealed class AsideTrackTests
{
    [Test]
    public void A_file_that_is_not_aside_any_more_is_among_those_that_have_ended()
    {
        var track = new AsideTrack(new AsideNames(new TemporaryNames()));
        var step = track.TryMove("/d/f")!;
        Assert.That((step.From, step.To, step.Original), Is.EqualTo(("/d/f", track.Path, "/d/f")));
        var aside = track.Path!;
        track.End();
        Assert.That((track.Path, track.Ended.Single()), Is.EqualTo(((string?)null, ("/d/f", aside))));
        track.Found("/d/old", "/d/g");
        Assert.That((track.Path, track.Original, track.Ended.Count), Is.EqualTo(("/d/old", "/d/g", 1)));
    }
}
