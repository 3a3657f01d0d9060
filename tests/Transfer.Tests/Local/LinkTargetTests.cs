using Transfer.Local;

namespace Transfer.Tests.Local;

/// <summary>Which links a stranger may have made here.</summary>
public sealed class LinkTargetTests
{
    [TestCase(0, "a", false, true)]
    [TestCase(0, "./a//b/.", false, true)]
    [TestCase(1, "..", false, true)]
    [TestCase(2, "../../a", false, true)]
    [TestCase(0, "..a/...", false, true)]
    [TestCase(0, @"..\..\a", false, true)] // a name, where the backslash is nothing special
    [TestCase(0, "C:x", false, true)]
    [TestCase(0, "..", false, false)]
    [TestCase(1, "../../a", false, false)]
    [TestCase(1, ".././../a", false, false)]
    [TestCase(5, "a/../b", false, false)] // a may be a link that leads up
    [TestCase(0, "/", false, false)]
    [TestCase(9, "//a", false, false)]
    [TestCase(0, "", false, false)]
    [TestCase(0, "a\0b", false, false)]
    [TestCase(0, @"..\a", true, false)]
    [TestCase(1, @"..\a", true, true)]
    [TestCase(1, @"..\../a", true, false)]
    [TestCase(0, @"\a", true, false)]
    [TestCase(0, "C:a", true, false)]
    [TestCase(0, @"\\server\share", true, false)]
    [TestCase(0, "/a", true, false)]
    public void Only_what_stays_within_the_folder_is_taken(int depth, string text, bool windows, bool taken) =>
        Assert.That(LinkTargets.Refuse(depth, text, windows) is null, Is.EqualTo(taken));
}
