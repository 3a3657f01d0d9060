using System.Diagnostics;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>A server whose codes count once: one log-in a job, and none that fails.</summary>
[TestFixture]
[Parallelizable]
public sealed class OneTimeCodeTests
{
    private const int Files = 12;
    private const string Banner = "Keep out.\r\n\u001b[31mSay\u202eno";

    private static readonly Question Code = new("Verification code: ", false, "code");
    private static readonly Question ShownCode = new("One-time password (OATH) for `tester': ", true, "code");
    private static readonly Question Password = new("Password: ", false, "password");

    private string _folder = string.Empty;

    private static string Home => Directory.CreateDirectory(Path.Combine(TestHost.Folder, "home")).FullName;

    [SetUp]
    public void MakeFolder()
    {
        _folder = Directory.CreateTempSubdirectory("codes").FullName;
        for (var i = 0; i < Files; i++) File.WriteAllBytes(Path.Combine(_folder, $"file{i}"), Bytes.Random(20_000 + i));
    }

    [TearDown]
    public void RemoveFolder() => Directory.Delete(_folder, recursive: true);

    [Test]
    public async Task A_folder_takes_one_code_and_one_connection([Values] bool echo, [Values] bool withPassword)
    {
        var code = echo ? ShownCode : Code;
        await using var server = await OneTimeCodeServer.StartAsync(withPassword ? [[Password], [code]] : [[code]]);
        var asked = new List<string>();
        await using var client =
            server.SftpClient(options => options with { Interaction = (questions, _) => new(Answer(server, asked, questions)) });

        var result = await client.UploadDirectoryAsync(_folder, server.Home + "/up");
        var back = await client.DownloadDirectoryAsync(server.Home + "/up", _folder + "/down");

        Assert.That((result.Files, back.Files), Is.EqualTo(((long)Files, (long)Files)));
        Assert.That(asked, Is.EqualTo(new[] { code.Prompt.Trim() }), "once, and never the password");
        Assert.That((server.Count("accepted"), server.Count("failed"), server.Count("log-in begun")), Is.EqualTo((1, 0, 1)), server.Log);
    }

    [Test]
    public async Task The_same_password_answers_as_many_connections_as_are_wanted()
    {
        await using var server = await OneTimeCodeServer.StartAsync([[Password]]);
        await using var client = server.SftpClient(options => options);

        var result = await client.UploadDirectoryAsync(_folder, server.Home + "/up");

        Assert.That(result.Files, Is.EqualTo(Files));
        Assert.That(server.Count("failed"), Is.Zero, server.Log);
    }

    [Test]
    public async Task A_lost_connection_takes_a_new_code()
    {
        await using var server = await OneTimeCodeServer.StartAsync([[Code]]);
        var asked = new List<string>();
        await using var client =
            server.SftpClient(options => options with { Interaction = (questions, _) => new(Answer(server, asked, questions)) });
        await client.UploadDirectoryAsync(_folder, server.Home + "/one");

        server.Kill();
        await server.StartAsync();
        var result = await client.UploadDirectoryAsync(_folder, server.Home + "/two");

        Assert.That((result.Files, asked.Count), Is.EqualTo(((long)Files, 2)));
        Assert.That((server.Count("accepted"), server.Count("failed")), Is.EqualTo((2, 0)), server.Log);
    }

    [Test]
    public async Task Without_anybody_to_answer_no_answer_is_sent()
    {
        await using var server = await OneTimeCodeServer.StartAsync([[Password], [Code]]);
        await using var client = server.SftpClient(options => options);

        var error =
            (await Assert.CatchAsync<TransferException>(async () => await client.UploadDirectoryAsync(_folder, server.Home + "/up")))!;

        Assert.That(error.ToString(), Does.Contain("\"Verification code:\"").And.Contain("nobody is there to answer"));
        Assert.That((server.Count("failed"), server.Count("accepted")), Is.EqualTo((0, 0)), server.Log);
    }

    [Test]
    public async Task The_command_without_a_terminal_sends_no_answer_and_shows_the_banner()
    {
        await using var server = await OneTimeCodeServer.StartAsync([[Code]], Banner);

        var run = await TransferCommand.RunInHomeAsync(
            server, Home, "put", _folder, $"sftp://tester@localhost:{server.Port}{server.Home}/up", "--known-hosts", server.KnownHosts);

        Assert.That(run.ExitCode, Is.EqualTo(4), run.Errors);
        Assert.That(run.Errors, Does.Contain("Verification code").And.Contain("Keep out.").And.Contain("Say"));
        Assert.That(run.Errors, Has.None.EqualTo('\u001b').And.None.EqualTo('\u202e'));
        Assert.That((server.Count("failed"), server.Count("log-in begun")), Is.EqualTo((0, 1)), server.Log);
    }

    [Test]
    public async Task At_a_terminal_a_code_is_shown_while_it_is_typed_where_the_server_says_so([Values] bool echo)
    {
        await using var server = await OneTimeCodeServer.StartAsync([[Password], [echo ? ShownCode : Code]], Banner);
        var (question, code) = ((echo ? ShownCode : Code).Prompt, server.NewCode());
        var start = new ProcessStartInfo("python3", [
            ServerFiles.Terminal, question, code, BuiltCommand.Program,
            "put", _folder, $"sftp://tester@localhost:{server.Port}{server.Home}/up", "--known-hosts", server.KnownHosts])
        {
            RedirectStandardOutput = true,
        };
        start.Environment["HOME"] = Home;
        start.Environment["TRANSFER_PASSWORD"] = server.Credential.Password;
        start.Environment.Remove("SSH_AUTH_SOCK");

        using var process = Process.Start(start)!;
        var shown = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();

        Assert.That(process.ExitCode, Is.Zero, shown);
        Assert.That(shown, Does.Contain("Keep out.").And.Contain(question + (echo ? code : string.Empty) + "\r\n"));
        if (!echo) Assert.That(shown, Does.Not.Contain(code));
        Assert.That((server.Count("accepted"), server.Count("failed")), Is.EqualTo((1, 0)), server.Log);
    }

    private static IReadOnlyList<string> Answer(OneTimeCodeServer server, List<string> asked, SshQuestions questions)
    {
        asked.AddRange(questions.Prompts.Select(prompt => prompt.Text));
        return [.. questions.Prompts.Select(_ => server.NewCode())];
    }
}
