using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>What a server can do, as <c>probe</c> and <c>stat -v</c> print it.</summary>
public sealed class ProbeTests
{
    [Test]
    public async Task Probe_prints_software_extensions_and_the_way_of_each_ability()
    {
        await using var server = await StartAsync();
        var result = await RunAsync(server, "probe", Url(server));
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Values(result, "server"), Does.Contain("Transfer test server ready"));
        Assert.That(Values(result, "home"), Is.EqualTo(new[] { "/" }));
        Assert.That(Values(result, "tls"), Is.EqualTo(new[] { "none" }));
        Assert.That(Values(result, "extension"), Has.Some.StartsWith("MLST "));
        Assert.That(Values(result, "DataPort"), Is.EqualTo(new[] { "Epsv" }));
        Assert.That(Values(result, "List"), Is.EqualTo(new[] { "Mlsd" }));
        Assert.That(Values(result, "round trip").Single(), Does.EndWith(" ms"));
    }

    [Test]
    public async Task What_the_server_refuses_shows_as_a_fall_back_and_by_the_next_run_as_remembered()
    {
        using var home = new TempFolder();
        await using var server = await StartAsync();
        server.Faults.Reply("EPSV", "500 what?", times: 99);
        var first = await RunAsync(server, home, "probe", Url(server));
        Assert.That(Values(first, "DataPort"), Has.Exactly(1).StartsWith("Pasv (not the fastest way"));
        var second = await RunAsync(server, home, "probe", Url(server));
        Assert.That(Values(second, "DataPort"), Is.EqualTo(new[] { "Pasv (not the fastest way, remembered)" }));
    }

    [Test]
    public async Task A_way_that_an_option_forces_shows_as_forced()
    {
        await using var server = await StartAsync();
        Assert.That(Values(await RunAsync(server, "probe", "--no-mlsd", Url(server)), "List"), Is.EqualTo(new[] { "List (forced)" }));
        Assert.That(server.Commands.Select(command => command.Verb), Does.Contain("LIST").And.Not.Contain("MLSD"));
    }

    [Test]
    public async Task A_server_without_FEAT_has_the_plain_ways()
    {
        await using var server = await StartAsync();
        server.Faults.Reply("FEAT", "500 what?", times: 99);
        var result = await RunAsync(server, "probe", Url(server));
        Assert.That(Values(result, "List").Concat(Values(result, "Describe")), Is.EqualTo(new[]
        {
            "List (not the fastest way)", "SizeAndTime (not the fastest way)",
        }));
        Assert.That(Values(result, "extension"), Is.Empty);
    }

    [Test]
    public async Task With_TLS_the_methods_and_the_certificate_are_named()
    {
        await using var server = await StartAsync(new() { Tls = FtpTestTls.Explicit });
        var result = await RunAsync(server, "probe", "--insecure", Url(server, "ftpes"));
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Values(result, "tls").Single(), Does.StartWith("Tls1"));
        Assert.That(Values(result, "cipher").Single(), Does.StartWith("TLS_"));
        Assert.That(Values(result, "certificate sha-256").Single(), Has.Length.EqualTo(64));
        Assert.That(Values(result, "data"), Is.EqualTo(new[] { "protected" }));
        Assert.That(Values(await RunAsync(server, "probe", "--insecure", "--tls-max", "1.2", Url(server, "ftpes")), "DataTls"),
            Is.EqualTo(new[] { "Tls12 (forced)" }));
    }

    [Test]
    public async Task A_server_that_refuses_encrypted_data_is_used_with_clear_data_alone_and_a_warning_says_so()
    {
        await using var server = await StartAsync(new() { Tls = FtpTestTls.Explicit });
        server.Faults.Reply("PROT", "534 Not here.", times: int.MaxValue, path: "/P");
        var url = Url(server, "ftpes");

        var refused = await RunAsync(server, "ls", "--insecure", url);
        var given = await RunAsync(server, "ls", "--insecure", "--clear-data", url);
        var described = await RunAsync(server, "probe", "--insecure", "--clear-data", url);

        Assert.That(refused.Code, Is.EqualTo(ExitCode.Trust), refused.ToString());
        Assert.That(refused.Error, Does.Contain("--clear-data").And.Contain("534 Not here."));
        Assert.That(given.Code, Is.Zero, given.ToString());
        Assert.That(given.Error, Does.Contain("files and listings of 127.0.0.1 travel in the clear"));
        Assert.That((Values(described, "tls").Single()[..4], Values(described, "data")), Is.EqualTo(("Tls1", new[] { "in the clear" })));
    }

    [Test]
    public async Task Over_SFTP_methods_extensions_and_limits_are_named()
    {
        using var home = new TempFolder();
        await using var server = await SftpTestServer.StartAsync(new SftpTestServerOptions());
        var url = $"sftp://demo:demo@127.0.0.1:{server.Uri.Port}/";
        var result = await new CliHarness { Home = home.Path }.RunAsync("probe", "--accept-new-host-key", url);
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Values(result, "server").Single(), Does.StartWith("SSH-2.0-"));
        Assert.That(Values(result, "key exchange"), Has.Length.EqualTo(1));
        Assert.That(Values(result, "host key"), Has.Length.EqualTo(1));
        Assert.That(Values(result, "extension"), Has.Some.StartsWith("posix-rename@openssh.com"));
        Assert.That(Values(result, "Rename"), Is.EqualTo(new[] { "Replaces" }));
        Assert.That(Values(result, "open handles"), Has.Length.EqualTo(1));
        var plain = await new CliHarness { Home = home.Path }.RunAsync("probe", "--plain", url);
        Assert.That(Values(plain, "Requests").Concat(Values(plain, "Rename")), Is.EqualTo(new[]
        {
            "OneByOne (forced)", "Plain (forced)",
        }));
    }

    [Test]
    public async Task Json_has_the_same_on_one_line()
    {
        await using var server = await StartAsync();
        var result = await RunAsync(server, "probe", "--json", Url(server));
        using var json = JsonDocument.Parse(result.Output);
        var ability = json.RootElement.GetProperty("abilities").EnumerateArray()
            .Single(one => one.GetProperty("name").GetString() == "List");
        Assert.That(ability.GetRawText(),
            Is.EqualTo("""{"name":"List","way":"Mlsd","fallBack":false,"forced":false,"remembered":false}"""));
        Assert.That(json.RootElement.GetProperty("facts").EnumerateArray().Select(fact => fact.GetProperty("name").GetString()),
            Does.Contain("home"));
    }

    [Test]
    public async Task Stat_describes_the_server_too_with_v()
    {
        await using var server = await StartAsync();
        Assert.That(Values(await RunAsync(server, "stat", Url(server)), "List"), Is.Empty);
        var result = await RunAsync(server, "stat", "-v", Url(server));
        Assert.That(result.Output, Does.StartWith("path      /\ntype      directory\n"));
        Assert.That(Values(result, "List"), Is.EqualTo(new[] { "Mlsd" }));
    }

    [Test]
    public async Task A_greeting_with_control_characters_is_printed_as_text()
    {
        await using var server = await StartAsync(new() { Greeting = "hello \u001b[31mred" });
        var output = (await RunAsync(server, "probe", Url(server))).Output;
        Assert.That((output.Contains('\u001b'), output.Contains("red", StringComparison.Ordinal)), Is.EqualTo((false, true)));
    }

    private static ValueTask<FtpTestServer> StartAsync(FtpTestServerOptions? options = null)
    {
        var store = new MemoryStore();
        store.AddFile("/a", [1, 2, 3]);
        return new(FtpTestServer.StartAsync((options ?? new()) with { Store = store }));
    }

    private static string Url(FtpTestServer server, string scheme = "ftp") => $"{scheme}://demo:demo@127.0.0.1:{server.Uri.Port}/";

    private static async Task<CliResult> RunAsync(FtpTestServer server, params string[] args)
    {
        using var home = new TempFolder();
        return await RunAsync(server, home, args);
    }

    private static Task<CliResult> RunAsync(FtpTestServer server, TempFolder home, params string[] args)
    {
        Assert.That(args[^1], Does.Contain($":{server.Uri.Port}/"));
        return new CliHarness { Home = home.Path }.RunAsync(args);
    }

    private static string[] Values(CliResult result, string name) =>
        [.. result.Output.Split('\n').Where(line => line.StartsWith(name + " ", StringComparison.Ordinal) && line.Length > 24)
            .Where(line => line[..24].TrimEnd() == name).Select(line => line[24..])];
}
