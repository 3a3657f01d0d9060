using System.Text.Json;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Command;

/// <summary>The command end to end.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.MainFtp))]
[Parallelizable]
public sealed class CommandTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    [Test]
    public async Task Put_and_get_move_a_folder()
    {
        var source = Path.Combine(Scratch, "source");
        var target = Path.Combine(Scratch, "target");
        var bytes = TestTree.Write(source, files: 120);

        var put = await RunAsync("put", "--json", source, Url("/tree"));
        Assert.That(put.ExitCode, Is.Zero, put.Errors);
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/tree"), TimeSpan.FromSeconds(1)), Is.Empty);

        var get = await RunAsync("get", "--json", Url("/tree/"), target);
        Assert.That(get.ExitCode, Is.Zero, get.Errors);
        Assert.That(TestTree.Differences(source, target, ListedPrecision), Is.Empty);

        foreach (var output in new[] { put.Output, get.Output })
        {
            using var json = JsonDocument.Parse(output);
            Assert.That(json.RootElement.GetProperty("files").GetInt64(), Is.EqualTo(120));
            Assert.That(json.RootElement.GetProperty("bytes").GetInt64(), Is.EqualTo(bytes));
            Assert.That(json.RootElement.GetProperty("failed").GetArrayLength(), Is.Zero);
        }
    }

    [Test]
    public async Task Put_and_get_move_one_file()
    {
        var source = LocalFile("a file #1", Bytes.Random(200_000));
        Directory.CreateDirectory(Path.Combine(Scratch, "down"));

        var put = await RunAsync("put", source, Url("/"));
        var get = await RunAsync("get", Url("/a file #1"), Path.Combine(Scratch, "down") + "/");

        Assert.That((put.ExitCode, get.ExitCode), Is.EqualTo((0, 0)), put.Errors + get.Errors);
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(Scratch, "down", "a file #1")), Bytes.Random(200_000));
        Assert.That(put.Output + get.Output, Is.Empty, "data only on standard output, and there is none");
    }

    [Test]
    public async Task The_password_never_shows()
    {
        var source = LocalFile("file", Bytes.Random(10));

        var put = await RunAsync("put", "-vvv", source, Url("/"));

        Assert.That(put.ExitCode, Is.Zero, put.Errors);
        Assert.That(put.Output + put.Errors, Does.Not.Contain(Server.Credential.Password));
    }

    [Test]
    public async Task Exit_codes_tell_what_went_wrong()
    {
        var target = Path.Combine(Scratch, "target");

        var absent = await RunAsync("get", Url("/absent"), target);
        Assert.That(absent.ExitCode, Is.EqualTo(3), absent.Errors);

        var refused = await TransferCommand.RunAsync(Server, "get", "--user", "nobody", Url("/absent"), target);
        Assert.That(refused.ExitCode, Is.EqualTo(4), refused.Errors);

        var usage = await RunAsync("get", "--no-such-option");
        Assert.That(usage.ExitCode, Is.EqualTo(2), usage.Errors);
        Assert.That(File.Exists(target), Is.False);
    }

    private Task<TransferCommand.Outcome> RunAsync(string verb, params string[] arguments) =>
        TransferCommand.RunAsync(Server, [verb, "--user", Server.Credential.UserName, .. arguments]);

    // The command's own parser takes names as they are; only the percent sign would need escaping.
    private string Url(string path) => Server.Url().GetLeftPart(UriPartial.Authority) + Remote + path;
}
