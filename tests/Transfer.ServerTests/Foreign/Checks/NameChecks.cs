using System.Text;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>Names that are valid on the server's disk and easily broken on the way there, each through a whole round.</summary>
internal static class NameChecks
{
    public static IReadOnlyList<Check> All { get; } =
    [
        new("names with spaces, also at the ends", round => RoundAsync(round, "with space", "two  spaces", " leading", "trailing ")),
        new("names like options", round => RoundAsync(round, "-leading-dash", "--help", "-rf", "-a")),
        new("names with dots", round => RoundAsync(round, ".hidden", "...three", "trailing dot.")),
        new("names with brackets and wildcards",
            round => RoundAsync(round, "[brackets]", "{braces}", "star*", "question?mark", "~tilde")),
        new("names with quotes and signs",
            round => RoundAsync(round, "quote\"double", "quote'single", "per%cent%20", "hash#tag", "semi;colon", "a -> b", "$HOME")),
        new("names of many alphabets",
            round => RoundAsync(round, "ünïcödé", "日本語", "emoji 🚀", "de\u0301compose\u0301", "кириллица", "no-break\u00a0space")),
        new("a name with a line end is refused at once", LineEndAsync),
    ];

    private static async Task RoundAsync(Round round, params string[] names)
    {
        await using var client = round.Client();
        foreach (var name in names) await OneAsync(round, client, name);
    }

    private static async Task OneAsync(Round round, TransferClient client, string name)
    {
        var content = Bytes.Random(100);
        using var source = new MemoryStream(content);
        try
        {
            await client.UploadAsync(source, round.At(name));
        }
        catch (TransferException error) when (!Ascii.IsValid(name))
        {
            Assert.That(round.RemoteNames, Is.Empty, error.ToString());
            throw new ServerLimitException(error.Message);
        }

        if (round.RemoteNames is [var other] && other != name && (other == name.Replace("\"", string.Empty, StringComparison.Ordinal)
            || Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(other)) == name))
        {
            Bytes.AssertSame(File.ReadAllBytes(round.Disk(other)), content);
            throw new ServerLimitException($"{name} is {other} at the server.");
        }

        Assert.That(round.RemoteNames, Is.EqualTo(new[] { name }));
        Assert.That(await client.ListAsync(round.Remote).Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { name }));
        Assert.That((await client.GetEntryAsync(round.At(name)))?.Length, Is.EqualTo(content.Length));
        using var target = new MemoryStream();
        await client.DownloadAsync(round.At(name), target);
        Bytes.AssertSame(target.ToArray(), content);

        var folder = name + ".d";
        await client.CreateDirectoryAsync(round.At(folder));
        await client.MoveAsync(round.At(name), round.At($"{folder}/{name}"));
        Assert.That(File.Exists(round.Disk($"{folder}/{name}")), Is.True);
        Assert.That(await client.ListAsync(round.At(folder)).Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { name }));
        Assert.That(await client.DeleteAsync(round.At(folder), recursive: true), Is.True);
        Assert.That(round.RemoteNames, Is.Empty);
    }

    // A command of FTP is a line; the rule holds for SFTP too, so that a folder goes to either.
    private static async Task LineEndAsync(Round round)
    {
        await using var client = round.Client();
        foreach (var name in (string[])["line\nend", "line\r\nDELE file"])
        {
            using var source = new MemoryStream([1]);
            Assert.That(async () => await client.UploadAsync(source, round.At(name)), Throws.InstanceOf<ArgumentException>());
        }

        Assert.That(round.RemoteNames, Is.Empty);
    }
}
