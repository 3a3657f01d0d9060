using System.Diagnostics;
using System.Runtime.Versioning;

namespace Transfer.Tests.Modes;

[UnsupportedOSPlatform("windows")]
public sealed class ModeChangeTests
{
    private static readonly string[] Changes =
    [
        "640", "0755", "4755", "7", "u+x", "go-w", "a=r", "u=rw,go=r", "+x", "-w", "=r", "=", "u=", "g=u", "o=g", "go=u-w", "u+s", "g+s",
        "+t", "a+t", "u-s", "ug+s,o=",
        "+X", "a+X", "u=rwX,go=rX", "o+s", "u+t", "u+rwx-x", "g=rx,o=", "ugo=rwxst", "u=s", "a-rwx+r",
    ];

    [Test]
    public void They_do_what_chmod_does([ValueSource(nameof(Changes))] string text, [Values(0b110_100_100, 0b111_101_101, 0b110_111_111_111,
        0)] int present, [Values] bool isDirectory)
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("This machine's chmod may be another.");
        using var folder = new TempFolder();
        var path = folder["f"];
        if (isDirectory) Directory.CreateDirectory(path);
        else File.WriteAllBytes(path, []);
        File.SetUnixFileMode(path, (UnixFileMode)present);
        // Its umask is that of this process.
        using var chmod = Process.Start("chmod", ["--", text, path]);
        chmod.WaitForExit();
        Assert.That(chmod.ExitCode, Is.Zero.Or.EqualTo(1), "1: what it did is not what a clause without a name would do under no umask");
        Assert.That(ModeChange.Parse(text).Apply((UnixFileMode)present, isDirectory, Transfer.Local.LocalModes.Umask),
            Is.EqualTo(File.GetUnixFileMode(path)));
        File.SetUnixFileMode(path, (UnixFileMode)0b111_000_000);
    }

    [TestCase("")]
    [TestCase("8")]
    [TestCase("77777")]
    [TestCase("-1")]
    [TestCase("u")]
    [TestCase("u+r,")]
    [TestCase("u+q")]
    [TestCase("rwx")]
    [TestCase("u+rg")]
    [TestCase("g=uo")]
    [TestCase(" 640")]
    public void Other_texts_are_none(string text)
    {
        Assert.That(ModeChange.TryParse(text, out var change), Is.False);
        Assert.That(change, Is.Null);
        Assert.That(() => ModeChange.Parse(text), Throws.InstanceOf<FormatException>());
    }
}
