using Transfer.TestSupport.Ftp;

namespace Transfer.Cli.Tests;

/// <summary>Options that name the ways of FTP, for servers at which nothing is to be found out.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class PlainWayTests
{
    [TestCase("", "EPSV MLSD", "PASV LIST NLST")]
    [TestCase("--no-epsv", "PASV MLSD", "EPSV LIST")]
    [TestCase("--no-mlsd", "EPSV LIST", "MLSD PASV")]
    [TestCase("--plain", "PASV LIST", "EPSV MLSD MLST")]
    [TestCase("--no-epsv --no-mlsd", "PASV LIST", "EPSV MLSD")]
    public async Task A_folder_is_listed_in_the_ways_that_are_named(string options, string sent, string notSent)
    {
        await using var server = Start();
        var result = await RunAsync(server, "ls", "/d/", options);
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.Done, "a\n")), result.Error);
        AssertSent(server, sent, notSent);
    }

    [TestCase("", "MLST", "SIZE")]
    [TestCase("--no-mlst", "SIZE MDTM", "MLST")]
    [TestCase("--plain", "SIZE MDTM", "MLST")]
    public async Task A_file_is_described_in_the_ways_that_are_named(string options, string sent, string notSent)
    {
        await using var server = Start();
        var result = await RunAsync(server, "stat", "/d/a", options);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Done), result.Error);
        AssertSent(server, sent, notSent);
    }

    [TestCase("--plain")]
    [TestCase("--no-pipelining")]
    public async Task One_command_is_sent_at_a_time(string option)
    {
        await using var server = Start(readsOneCommand: true);
        var result = await RunAsync(server, "ls", "/d/", option);
        Assert.That((result.Code, server.Connections), Is.EqualTo((ExitCode.Done, 1)), result.Error);
    }

    [Test]
    public async Task A_folder_is_fetched_and_refused_without_a_second_line()
    {
        await using var server = Start();
        using var folder = new TempFolder();
        var done = await new CliHarness().RunAsync("get", new Uri(server.Uri, "/d").ToString(), folder.Path, "--quiet");
        Assert.That((done.Code, done.Error), Is.EqualTo((ExitCode.Done, "")));
        var refused = await new CliHarness().RunAsync("ls", new Uri(server.Uri, "/none").ToString());
        Assert.That(refused.Error.Trim().Split('\n'), Has.Length.EqualTo(1), refused.Error);
    }

    [Test]
    public async Task A_file_is_fetched_in_the_plainest_way()
    {
        await using var server = Start(readsOneCommand: true);
        var cli = new CliHarness();
        var result = await cli.RunAsync("cat", new Uri(server.Uri, "/d/a").ToString(), "--plain", "--retries", "0");
        Assert.That((result.Code, result.Bytes), Is.EqualTo((ExitCode.Done, new byte[] { 1, 2, 3 })), result.Error);
        AssertSent(server, "PASV RETR", "EPSV MLST");
    }

    private static OddServer Start(bool readsOneCommand = false)
    {
        var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;", "MLSD"],
            ReadsOneCommand = readsOneCommand,
        };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1, 2, 3];
        return server;
    }

    private static Task<CliResult> RunAsync(OddServer server, string verb, string path, string options) => new CliHarness().RunAsync(
        [verb, new Uri(server.Uri, path).ToString(), "--retries", "0", .. options.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);

    private static void AssertSent(OddServer server, string sent, string notSent)
    {
        var verbs = server.Commands.Select(command => command.Split(' ')[0]).ToHashSet();
        Assert.That(sent.Split(' '), Is.SubsetOf(verbs));
        Assert.That(notSent.Split(' ').Where(verbs.Contains), Is.Empty);
    }
}
