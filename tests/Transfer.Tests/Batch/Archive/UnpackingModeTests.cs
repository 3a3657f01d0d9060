using System.Runtime.Versioning;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Local;
using Transfer.Tests.Local;

namespace Transfer.Tests.Batch.Archive;

/// <summary>Permissions of what is unpacked.</summary>
[NonParallelizable]
[Platform(Exclude = "Win")]
[UnsupportedOSPlatform("windows")]
public sealed class UnpackingModeTests
{
    [TestCase(false, 0b110_000_000, 0b110_000_000)]
    [TestCase(false, 0b111_111_111, 0b111_101_101)]
    [TestCase(true, 0b111_111_111, 0b111_111_111)]
    public async Task New_files_have_the_sources_permissions_but_for_the_umask_unless_they_are_wanted_exactly(bool exact, int source,
        int underUsual)
    {
        using var job = new BatchJob();
        File.SetUnixFileMode(job.Source.Add("small", [1]), (UnixFileMode)source);
        File.SetUnixFileMode(job.Source.Add("large", new byte[9 << 20]), (UnixFileMode)source);
        await job.CarryAsync(unpack: new BatchUnpackOptions { PreserveMode = exact });
        var expected = exact ? (UnixFileMode)underUsual : (UnixFileMode)source & ~Transfer.Local.LocalModes.Umask;
        foreach (var name in new[] { "small", "large" }) Assert.That(File.GetUnixFileMode(job.Target[name]), Is.EqualTo(expected), name);
    }

    [Test]
    public async Task What_is_unfinished_is_its_owners_alone_and_set_user_id_does_not_survive()
    {
        const UnixFileMode Everybody = (UnixFileMode)0b110_110_110;
        using var job = new BatchJob();
        foreach (var name in new[] { "small", "large" })
        {
            File.SetUnixFileMode(job.Source.Add(name, new byte[name == "small" ? 10 : 9 << 20]), Everybody);
            File.SetUnixFileMode(job.Target.Add(name, [1]), Everybody | UnixFileMode.SetUser);
        }
        var seen = new List<UnixFileMode>();
        using (new DiskScript(job.Target.Path, (call, path, _) =>
        {
            // What is renamed has what it is to have.
            if (call is DiskCall.Open or DiskCall.Write or DiskCall.Status)
            {
                seen.AddRange(Directory.EnumerateFiles(job.Target.Path, ".transfer-*",
                    new EnumerationOptions { AttributesToSkip = 0 }).Select(File.GetUnixFileMode));
            }

            return 0;
        }))
        {
            await job.CarryAsync(unpack: new BatchUnpackOptions { Overwrite = OverwriteMode.Always });
        }
        Assert.That(seen, Is.Not.Empty.And.All.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        foreach (var name in new[] { "small", "large" }) Assert.That(File.GetUnixFileMode(job.Target[name]), Is.EqualTo(Everybody), name);
    }
}
