using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Listing;

public sealed class FtpTimeTests
{
    [TestCase("20240305102233", "2024-03-05T10:22:33.0000000Z")]
    [TestCase("20240229000000", "2024-02-29T00:00:00.0000000Z")]
    [TestCase("20240305102233.5", "2024-03-05T10:22:33.5000000Z")]
    [TestCase("20240305102233.123", "2024-03-05T10:22:33.1230000Z")]
    [TestCase("20240305102233.123456789", "2024-03-05T10:22:33.1234567Z", TestName = "Digits below 100 ns are cut")]
    [TestCase("20161231235960", "2017-01-01T00:00:00.0000000Z", TestName = "A leap second is the second after 59")]
    [TestCase("19991231235959", "1999-12-31T23:59:59.0000000Z")]
    [TestCase("191000229235959", "2000-02-29T23:59:59.0000000Z", TestName = "The year 19100 is 2000")]
    [TestCase("191260102030405", "2026-01-02T03:04:05.0000000Z", TestName = "The year 19126 is 2026")]
    [TestCase("19700101000000", "1970-01-01T00:00:00.0000000Z")]
    [TestCase("16010101000000", "1601-01-01T00:00:00.0000000Z")]
    public void A_time_val_is_parsed_as_utc(string value, string expected)
    {
        Assert.That(FtpTime.TryParse(value, out var time), Is.True);
        Assert.That(time.Offset, Is.EqualTo(TimeSpan.Zero));
        Assert.That(time.UtcDateTime.ToString("O", CultureInfo.InvariantCulture), Is.EqualTo(expected));
    }

    [TestCase("")]
    [TestCase("2024030510223")]
    [TestCase("202403051022334")]
    [TestCase("20240305102233.")]
    [TestCase("20240305102233.1a")]
    [TestCase("2024030510223x")]
    [TestCase("20241305102233")]
    [TestCase("20240230102233")]
    [TestCase("20230229000000")]
    [TestCase("20240300102233")]
    [TestCase("20240305242233")]
    [TestCase("20240305106033")]
    [TestCase("20240305102261")]
    [TestCase("00000101000000")]
    [TestCase(" 20240305102233")]
    [TestCase("+2024030510223")]
    [TestCase("20240305102233 +0100")]
    [TestCase("20240305T102233")]
    [TestCase("\u0662\u0660\u0662\u06640305102233", TestName = "Only ASCII digits count")]
    public void Anything_else_is_refused(string value) => Assert.That(FtpTime.TryParse(value, out _), Is.False);

    [Test]
    public void Formatting_goes_to_utc_and_cuts_fractions()
    {
        var time = new DateTimeOffset(2024, 1, 1, 0, 30, 5, 999, TimeSpan.FromHours(2));

        Assert.That(FtpTime.Format(time), Is.EqualTo("20231231223005"));
        Assert.That(FtpTime.Format(DateTimeOffset.MinValue), Is.EqualTo("00010101000000"));
    }

    [Test]
    public void What_is_formatted_is_parsed_again() =>
        Check.One(Config.QuickThrowOnFailure, Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seconds =>
        {
            var time = DateTimeOffset.FromUnixTimeSeconds(seconds);
            return FtpTime.TryParse(FtpTime.Format(time), out var parsed) && parsed == time;
        }));

    [Test]
    public void Arbitrary_text_never_throws() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(1000), Prop.ForAll<NonNull<string>>(text =>
        {
            _ = FtpTime.TryParse(text.Get, out _);
            _ = FtpTime.TryParse("2024030510223" + text.Get, out _);
        }));
}
