using System.Globalization;
using Transfer.Local;

namespace Transfer.Tests.Local;

public sealed class FileTimesTests
{
    [TestCase("2026-11-25T12:34:56.7654321")]
    [TestCase("1970-01-01T00:00:00.0000000")]
    [TestCase("1969-12-31T23:59:59.9999999")]
    [TestCase("1931-02-03T04:05:06.0000001")]
    public void A_time_is_set_as_it_is_given_and_the_other_one_stays(string text)
    {
        var time = DateTime.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal);
        using var folder = new TempFolder();
        var path = folder.Add("f", [1]);
        var read = new DateTime(2020, 2, 29, 1, 2, 3, DateTimeKind.Utc);
        File.SetLastAccessTimeUtc(path, read);
        using (var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Write)) DiskFiles.SetModified(handle, time, path);
        Assert.That((File.GetLastWriteTimeUtc(path), File.GetLastAccessTimeUtc(path)), Is.EqualTo((time, read)));
    }
}
