using Transfer.Testing;

namespace Transfer.FluentFtp.Tests;

/// <summary>Servers that confirm changes and make none, or answer 350 to REST and send files from their first byte.</summary>
[TestFixture]
public sealed class EmptyChangeTests : EmbeddedFixture
{
    [TestCase("DELE", "/d/a")]
    [TestCase("RMD", "/e")]
    [TestCase("RNTO", "/d/a")]
    [TestCase("RNTO", "/e")]
    [TestCase("MKD", "/new")]
    public async Task A_change_without_effect_is_an_error(string verb, string path)
    {
        var client = await StartOtherAsync();
        Server.Faults.Reply(verb, "250 done", times: 99);
        var act = verb switch
        {
            "RNTO" => client.MoveAsync(path, "/moved"),
            "MKD" => client.CreateDirectoryAsync(path),
            _ => new ValueTask(client.DeleteAsync(path).AsTask()),
        };
        var error = (await Assert.CatchAsync<TransferException>(() => act.AsTask()))!;
        Assert.That(error.Message, Does.Contain(verb == "MKD" ? "does not exist" : "still there"));
    }

    [Test]
    public async Task Changes_that_are_made_are_none()
    {
        var client = await StartOtherAsync();
        await client.MoveAsync("/d/a", "/d/b");
        await client.MoveAsync("/e", "/f");
        await client.CreateDirectoryAsync("/new");
        await client.DeleteAsync("/d/b");
        Assert.That(Store.Directories, Is.SupersetOf(new[] { "/f", "/new" }));
        Assert.That(Store.Files, Is.Empty);
    }

    [Test]
    public async Task A_range_is_read_where_it_begins_or_refused([Values] bool takesOffsets)
    {
        var client = await StartOtherAsync();
        if (!takesOffsets) Server.Faults.Reply("REST", "350 Restarting", times: 99);
        Func<Task<byte[]>> read = async () =>
        {
            await using var content = await client.OpenReadAsync("/d/a", new() { Offset = 100, Length = 10, Sequential = true });
            using var bytes = new MemoryStream();
            await content.CopyToAsync(bytes);
            return bytes.ToArray();
        };
        if (takesOffsets) Assert.That(await read(), Is.EqualTo(Content(1000)[100..110]));
        else Assert.That((await Assert.CatchAsync<TransferException>(() => read()))!.Error, Is.EqualTo(TransferError.Unsupported));
    }

    private async Task<FluentFtpTransferClient> StartOtherAsync()
    {
        var client = await StartAsync(new FtpTestServerOptions { Greeting = "Ready" });
        Store.AddFile("/d/a", Content(1000));
        Store.AddDirectory("/e");
        return client;
    }
}
