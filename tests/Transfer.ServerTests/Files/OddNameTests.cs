using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>Each odd name alone, through every operation.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Main))]
[Parallelizable]
public sealed class OddNameTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    [TestCaseSource(typeof(OddNames), nameof(OddNames.All))]
    public Task An_odd_name_survives_the_whole_round(string name) => RoundAsync(name);

    [Test]
    public async Task A_backslash_survives_where_the_server_takes_it()
    {
        if (Kind != ServerKind.PureFtpd)
        {
            await RoundAsync(OddNames.Backslash);
            return;
        }

        var error = (await Assert.CatchAsync<TransferException>(() => RoundAsync(OddNames.Backslash)))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied), error.ToString());
        Assert.That(RemoteNames(), Is.Empty);
    }

    private async Task RoundAsync(string name)
    {
        var content = Bytes.Random(100);
        var path = Remote + "/" + name;
        await using var client = Client();

        using var source = new MemoryStream(content);
        await client.UploadAsync(source, path);
        Assert.That(RemoteNames(), Is.EqualTo(new[] { name }));
        Assert.That(await client.ListAsync(Remote).Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { name }));
        Assert.That((await client.GetEntryAsync(path))?.Length, Is.EqualTo(content.Length));

        using var target = new MemoryStream();
        await client.DownloadAsync(path, target);
        Bytes.AssertSame(target.ToArray(), content);

        var folder = OddNames.Folders.Contains(name) ? path + ".d" : Remote + "/folder";
        await client.CreateDirectoryAsync(folder);
        await client.MoveAsync(path, $"{folder}/{name}");
        Assert.That(File.Exists(Server.Local($"{folder}/{name}")), Is.True);
        Assert.That(await client.DeleteAsync(folder, recursive: true), Is.True);
        Assert.That(RemoteNames(), Is.Empty);
    }
}
