using Transfer.Local;

namespace Transfer.Tests.Local;

public sealed class LocalLinksTests
{
    [Test]
    public void Real_paths_have_no_links_in_them()
    {
        using var folder = new TempFolder();
        var real = LocalLinks.RealPath(folder.Path);
        folder.Add("a/b/f", []);
        Directory.CreateSymbolicLink(folder["absolute"], folder["a"]);
        Directory.CreateSymbolicLink(folder["a/relative"], Path.Join("..", "a", "b"));
        Directory.CreateSymbolicLink(folder["chain"], Path.Join("absolute", "relative"));
        Assert.That(LocalLinks.RealPath(folder["absolute/b/f"]), Is.EqualTo(Path.Join(real, "a", "b", "f")));
        Assert.That(LocalLinks.RealPath(folder["chain/f"]), Is.EqualTo(Path.Join(real, "a", "b", "f")));
        Assert.That(LocalLinks.RealPath(folder["chain/not/there"]), Is.EqualTo(Path.Join(real, "a", "b", "not", "there")));
    }

    [Test]
    public void Links_in_a_circle_are_an_error_and_no_hang()
    {
        using var folder = new TempFolder();
        File.CreateSymbolicLink(folder["a"], "b");
        File.CreateSymbolicLink(folder["b"], "a");
        Assert.That(() => LocalLinks.RealPath(folder["a/x"]), Throws.InstanceOf<IOException>());
    }

    [Test]
    public void Inside_is_not_a_matter_of_beginnings()
    {
        var folder = Path.GetFullPath("/data/in");
        Assert.That(LocalLinks.IsInside(Path.GetFullPath("/data/in"), folder), Is.True);
        Assert.That(LocalLinks.IsInside(Path.GetFullPath("/data/in/x"), folder), Is.True);
        Assert.That(LocalLinks.IsInside(Path.GetFullPath("/data/inner"), folder), Is.False);
        Assert.That(LocalLinks.IsInside(Path.GetFullPath("/data"), folder), Is.False);
        Assert.That(LocalLinks.IsInside(Path.GetFullPath("/data"), Path.GetPathRoot(folder)!), Is.True);
    }
}
