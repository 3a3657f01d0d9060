using Transfer.Local;

namespace Transfer.Tests.Local;

[Category(Categories.Slow)]
public sealed class OpenFilesTests
{
    [TestCase(0UL, 4)]
    [TestCase(80UL, 4)]
    [TestCase(256UL, 32)]
    [TestCase(1024UL, 416)]
    [TestCase(ulong.MaxValue, int.MaxValue)]
    public void Half_of_what_the_runtime_and_connections_leave_is_for_files(ulong limit, int places) =>
        Assert.That(OpenFiles.MostFor(limit), Is.EqualTo(places));

    [Test]
    public void A_place_is_given_only_where_there_is_one_or_where_it_is_needed()
    {
        var files = new OpenFiles(2);
        Assert.That((files.TryTake(needed: false), files.TryTake(needed: false), files.HasRoom), Is.EqualTo((true, true, false)));
        Assert.That((files.TryTake(needed: false), files.TryTake(needed: true)), Is.EqualTo((false, true)));
        files.Return();
        Assert.That((files.HasRoom, files.TryTake(needed: false)), Is.EqualTo((false, false)), "one more was given than there are");
        files.Return();
        Assert.That((files.HasRoom, files.TryTake(needed: false)), Is.EqualTo((true, true)));
    }

    [Test]
    [Platform("Linux", Reason = "Others do not tell in a file.")]
    public void The_limit_is_the_systems()
    {
        var line = File.ReadLines("/proc/self/limits").Single(line => line.StartsWith("Max open files", StringComparison.Ordinal));
        var limit = ulong.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[3], null);
        var files = OpenFiles.OfProcess;
        Assert.That(files.Most, Is.EqualTo(OpenFiles.MostFor(limit)));
    }
}
