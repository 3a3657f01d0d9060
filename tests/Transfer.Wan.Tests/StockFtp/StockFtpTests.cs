using System.Net;
using System.Net.Sockets;
using Transfer.Testing;
using Transfer.Wan.Clients.StockFtp;

namespace Transfer.Wan.Tests.StockFtp;

internal sealed class StockFtpTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly string[] Exchange = ["USER demo", "PASS ***", "OPTS utf8 on", "PWD", "TYPE I", "PASV", "STOR in/one.bin",
        "QUIT"];

    private InstantTime _time = null!;
    private StringWriter _output = null!;
    private StringWriter _error = null!;
    private string _folder = null!;

    [SetUp]
    public void Make_files()
    {
        _time = new InstantTime();
        _output = new StringWriter();
        _error = new StringWriter();
        _folder = Path.Combine(TestContext.CurrentContext.WorkDirectory, $"stock-{Guid.NewGuid():N}");
        Directory.CreateDirectory(_folder);
        File.WriteAllBytes(Path.Combine(_folder, "one.bin"), SyntheticBytes(100_000));
        File.WriteAllBytes(Path.Combine(_folder, "two.bin"), []);
    }

    [TearDown]
    public void Delete_files()
    {
        Directory.Delete(_folder, recursive: true);
        _output.Dispose();
        _error.Dispose();
    }

    [Test]
    public async Task Commands_are_those_of_FtpWebRequest_one_at_a_time()
    {
        await using var server = await StartAsync();
        Assert.That(await RunAsync(server, "one.bin"), Is.Zero, _error.ToString());
        Assert.That(server.Commands.Select(command => command.Text), Is.EqualTo(Exchange));
        Assert.That(server.Commands.Select(command => command.Read), Is.Unique);
        Assert.That(((MemoryStore)server.Store).ReadFile("/in/one.bin"), Is.EqualTo(SyntheticBytes(100_000)));
        Assert.That(_output.ToString(), Does.Match(@"^one\.bin\t\d+\.\d{3}\r?\n$"));
    }

    [Test]
    public async Task Each_file_has_a_session_and_a_reverse_look_up_of_its_own()
    {
        await using var server = await StartAsync();
        Assert.That(await RunAsync(server, "", "--resolver-delay", "1500"), Is.Zero, _error.ToString());
        Assert.That(server.TotalConnections, Is.EqualTo(2));
        Assert.That(server.DataConnections, Is.EqualTo(2));
        Assert.That(server.Commands.Count(command => command.Verb == "QUIT"), Is.EqualTo(2));
        Assert.That(_time.Delays, Is.EqualTo(new[] { TimeSpan.FromSeconds(1.5), TimeSpan.FromSeconds(1.5) }));
        Assert.That(((MemoryStore)server.Store).Files, Is.EqualTo(new[] { "/in/one.bin", "/in/two.bin" }));
    }

    [Test]
    public async Task Without_the_reverse_look_up_nothing_waits()
    {
        await using var server = await StartAsync();
        Assert.That(await RunAsync(server, "one.bin", "--no-reverse-lookup"), Is.Zero, _error.ToString());
        Assert.That(_time.Delays, Is.Empty);
        Assert.That(server.Commands.Select(command => command.Text), Is.EqualTo(Exchange));
    }

    [Test]
    public async Task A_kept_session_logs_in_once()
    {
        await using var server = await StartAsync();
        Assert.That(await RunAsync(server, "", "--keep-session"), Is.Zero, _error.ToString());
        Assert.That(server.TotalConnections, Is.EqualTo(1));
        Assert.That(server.Commands.Select(command => command.Text), Is.EqualTo([.. Exchange[..^1], "PASV", "STOR in/two.bin", "QUIT"]));
        Assert.That(_time.Delays, Has.Count.EqualTo(2));
    }

    [Test]
    public async Task Overlapped_commands_leave_together_and_never_during_a_transfer()
    {
        await using var server = await StartAsync(new FtpTestServerOptions { StrictPipelining = true });
        Assert.That(await RunAsync(server, "one.bin", "--overlap-commands"), Is.Zero, _error.ToString());
        Assert.That(server.Commands.Take(7).Select(command => command.Text), Is.EqualTo(Exchange[..7]));
        Assert.That(server.Commands.Take(5).Select(command => command.Read).Distinct().Count(), Is.EqualTo(1));
        Assert.That(server.Commands.Skip(5).Take(2).Select(command => command.Read).Distinct().Count(), Is.EqualTo(1));
        Assert.That(((MemoryStore)server.Store).ReadFile("/in/one.bin"), Is.EqualTo(SyntheticBytes(100_000)));
    }

    [Test]
    public async Task All_fixes_work_together()
    {
        await using var server = await StartAsync(new FtpTestServerOptions { StrictPipelining = true });
        Assert.That(await RunAsync(server, "", "--no-reverse-lookup", "--send-buffer", "1048576", "--overlap-commands", "--keep-session"),
            Is.Zero, _error.ToString());
        Assert.That((server.TotalConnections, server.DataConnections, _time.Delays.Count), Is.EqualTo((1, 2, 0)));
        Assert.That(((MemoryStore)server.Store).ReadFile("/in/one.bin"), Is.EqualTo(SyntheticBytes(100_000)));
    }

    [Test]
    public void The_send_buffer_is_small_unless_told_otherwise()
    {
        using var untouched = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        using var system = StockFtpSession.NewDataSocket(AddressFamily.InterNetwork, new StockFtpOptions { SendBuffer = 0 });
        using var small = StockFtpSession.NewDataSocket(AddressFamily.InterNetwork, new StockFtpOptions());
        using var large = StockFtpSession.NewDataSocket(AddressFamily.InterNetwork, new StockFtpOptions { SendBuffer = 1 << 20 });
        Assert.That(system.SendBufferSize, Is.EqualTo(untouched.SendBufferSize));
        // Linux doubles what it is asked for, and caps the large one.
        Assert.That(small.SendBufferSize, Is.InRange(8192, 16_384));
        Assert.That(large.SendBufferSize, Is.GreaterThan(100_000));
    }

    [TestCase("")]
    [TestCase("--overlap-commands")]
    public async Task A_refused_file_is_a_failure_that_says_why(string option)
    {
        await using var server = await StartAsync();
        server.Faults.Reply("STOR", "553 not this one");
        string[] options = option.Length > 0 ? [option] : [];
        Assert.That(await RunAsync(server, "one.bin", options), Is.EqualTo(1));
        Assert.That(_error.ToString(), Does.Contain("STOR: 553 not this one"));
        Assert.That(_output.ToString(), Is.Empty);
    }

    [TestCase("")]
    [TestCase("--overlap-commands")]
    public async Task A_transfer_that_ends_badly_is_a_failure(string option)
    {
        await using var server = await StartAsync();
        server.Faults.FinalReply("STOR", "451 disk trouble");
        string[] options = option.Length > 0 ? [option] : [];
        Assert.That(await RunAsync(server, "one.bin", options), Is.EqualTo(1));
        Assert.That(_error.ToString(), Does.Contain("451 disk trouble"));
    }

    [Test]
    public async Task A_refused_log_in_is_a_failure_and_OPTS_may_be_refused()
    {
        await using var server = await StartAsync();
        server.Faults.Reply("OPTS", "501 no");
        Assert.That(await RunAsync(server, "one.bin"), Is.Zero, _error.ToString());
        server.Faults.Reply("PASS", "530 no");
        Assert.That(await RunAsync(server, "one.bin"), Is.EqualTo(1));
        Assert.That(_error.ToString(), Does.Contain("PASS: 530 no"));
    }

    [TestCase("")]
    [TestCase("--overlap-commands")]
    public async Task A_server_that_asks_for_no_password_is_logged_in_to(string option)
    {
        await using var server = await StartAsync();
        server.Faults.FinalReply("USER", "230 no password needed");
        server.Faults.FinalReply("PASS", "230 already");
        string[] options = option.Length > 0 ? [option] : [];
        // The test server itself is not logged in then where PASS is not sent: the exchange up to there is what counts.
        await RunAsync(server, "one.bin", options);
        Assert.That(server.Commands.Any(command => command.Verb == "PASS"), Is.EqualTo(option.Length > 0));
    }

    [Test]
    public async Task Replies_without_end_or_form_are_failures()
    {
        await using var server = await StartAsync();
        server.Faults.EndlessReply("PWD", 1 << 20);
        Assert.That(await RunAsync(server, "one.bin"), Is.EqualTo(1));
        server.Faults.EndlessLines("PWD", 1 << 20);
        Assert.That(await RunAsync(server, "one.bin"), Is.EqualTo(1));
        server.Faults.Garbage("PWD", "what?\r\n"u8.ToArray());
        Assert.That(await RunAsync(server, "one.bin"), Is.EqualTo(1));
        server.Faults.DropConnection("PWD");
        Assert.That(await RunAsync(server, "one.bin"), Is.EqualTo(1));
        Assert.That(_error.ToString(),
            Does.Contain("a reply of the server does not end").And.Contain("not an FTP reply: what?").And.Contain(
                "has closed the control connection"));
    }

    [Test]
    public async Task A_missing_file_and_a_missing_server_are_failures()
    {
        int port;
        await using (var server = await StartAsync())
        {
            Assert.That(await RunAsync(server, "three.bin"), Is.EqualTo(1));
            Assert.That(_error.ToString(), Does.Contain("three.bin"));
            port = server.EndPoint.Port;
        }

        Assert.That(await StockFtpCommand.RunAsync([$"ftp://demo@127.0.0.1:{port}/", _folder], "demo", _output, _error, _time,
            CancellationToken.None).WaitAsync(Patience), Is.EqualTo(1));
    }

    [TestCase("Entering Passive Mode (10,0,0,1,4,1).", 227, 1025)]
    [TestCase("ok 1,2,3,4,255,255", 227, 65535)]
    [TestCase("Entering Extended Passive Mode (|||6446|)", 229, 6446)]
    public void The_port_of_a_passive_answer_is_found(string text, int code, int port) =>
        Assert.That(PassivePort.Of(new StockReply(code, text)), Is.EqualTo(port));

    [TestCase("(10,0,0,1,256,1)", 227)]
    [TestCase("(10,0,0,1,0,0)", 227)]
    [TestCase("(|||70000|)", 229)]
    [TestCase("(|||0|)", 229)]
    [TestCase("(10,0,0,1,4,1)", 229)]
    [TestCase("no", 500)]
    public void An_answer_without_a_port_is_a_failure(string text, int code) =>
        Assert.That(() => PassivePort.Of(new StockReply(code, text)), Throws.InstanceOf<StockFtpException>());

    [TestCase("a URL and at least one file")]
    [TestCase("a URL and at least one file", "ftp://h/")]
    [TestCase("not an ftp: URL", "sftp://h/", "f")]
    [TestCase("not an ftp: URL", "h", "f")]
    [TestCase("not from the URL", "ftp://u:p@h/", "f")]
    [TestCase("unknown option --fast", "ftp://h/", "f", "--fast")]
    [TestCase("--send-buffer needs a number", "ftp://h/", "f", "--send-buffer")]
    [TestCase("--send-buffer needs a number", "ftp://h/", "f", "--send-buffer", "-1")]
    [TestCase("--resolver-delay needs a number", "ftp://h/", "f", "--resolver-delay", "soon")]
    [TestCase("the password is missing", "ftp://u@h/", "f")]
    public async Task Wrong_calls_are_told_what_is_wrong(string message, params string[] args)
    {
        Assert.That(await StockFtpCommand.RunAsync(args, null, _output, _error, _time, CancellationToken.None), Is.EqualTo(2));
        Assert.That(_error.ToString(), Does.Contain(message));
    }

    private static byte[] SyntheticBytes(int length)
    {
        var bytes = new byte[length];
        new Random(7).NextBytes(bytes);
        return bytes;
    }

    private static async Task<FtpTestServer> StartAsync(FtpTestServerOptions? options = null)
    {
        var store = new MemoryStore();
        store.AddDirectory("/in");
        return await FtpTestServer.StartAsync((options ?? new FtpTestServerOptions()) with { Store = store, Address = IPAddress.Loopback });
    }

    // An empty file name: the whole folder.
    private Task<int> RunAsync(FtpTestServer server, string file, params string[] options) => StockFtpCommand.RunAsync(
        [.. options, $"ftp://demo@127.0.0.1:{server.EndPoint.Port}/in/", Path.Combine(_folder, file)], "demo", _output, _error, _time,
        CancellationToken.None).WaitAsync(Patience);
}
