using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using Transfer.Batch;
using Transfer.TestSupport.Batch;

namespace Transfer.Cli.Tests.Batch;

/// <summary>The verbs send and receive.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class SendReceiveCommandTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);

    private readonly TempFolder _folder = new();
    private readonly string _from;
    private readonly string _to;

    public SendReceiveCommandTests()
    {
        for (var i = 0; i < 40; i++) _folder.Add($"from/d{i % 3}/f{i:D2}", new byte[i * 100]);
        (_from, _to) = (_folder["from"], _folder["to"]);
    }

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task Two_processes_carry_a_folder_and_show_no_secret_but_where_it_belongs()
    {
        using var receive = Start(null, "receive", _to, "--listen", "127.0.0.1:0");
        var address = await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience);
        var token = BatchAddress.Parse(address!).Token.ToText();
        using var send = Start(token, "send", _from, address!.Split('#')[0], "--json");
        var sent = await EndAsync(send);
        var received = await EndAsync(receive);
        Assert.That((sent.Code, received.Code), Is.EqualTo((0, 0)), sent + received.ToString());
        Assert.That(Names(_to), Is.EqualTo(Names(_from)));
        using var json = JsonDocument.Parse(sent.Output);
        Assert.That(json.RootElement.GetProperty("files").GetInt64(), Is.EqualTo(40));
        Assert.That(received.Output, Is.Empty, "behind the address nothing comes");
        Assert.That(received.Error, Does.Contain("40 files"));
        Assert.That(sent.Output + sent.Error + received.Error, Does.Not.Contain(token));
    }

    [Test]
    public async Task A_folder_below_a_file_is_refused_before_an_address_is_printed()
    {
        var result = await new CliHarness().RunAsync("receive", _folder["from/d0/f00/sub"], "--listen", "127.0.0.1:0");
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.SomeFailed, string.Empty)), result.ToString());
        Assert.That(result.Error, Does.Contain(_folder["from/d0/f00"] + " is no folder"));
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "There are no signals to send to one process.")]
    public async Task With_keep_one_job_follows_the_other_until_it_is_interrupted()
    {
        using var receive = Start(null, "receive", _to, "--keep", "--json", "--listen", "127.0.0.1:0");
        using var first = JsonDocument.Parse((await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience))!);
        var address = first.RootElement.GetProperty("address").GetString()!;
        var file = _folder.AddPrivate("token", address + "\n");
        for (var i = 0; i < 2; i++)
        {
            var sent = await new CliHarness().RunAsync("send", _from, address.Split('#')[0], "--token-file", file);
            Assert.That(sent.Code, Is.Zero, sent.ToString());
            using var job = JsonDocument.Parse((await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience))!);
            Assert.That(job.RootElement.GetProperty("files").GetInt64(), Is.EqualTo(40));
        }
        using var kill = Process.Start("kill", ["-TERM", receive.Id.ToString(CultureInfo.InvariantCulture)]);
        var ended = await EndAsync(receive);
        Assert.That(ended.Code, Is.EqualTo(ExitCode.Interrupted), ended.ToString());
        Assert.That(Names(_to), Is.EqualTo(Names(_from)));
    }

    [Test]
    public async Task With_keep_a_sender_does_not_wait_for_another_one()
    {
        using var receive = Start(null, "receive", _to, "--keep", "--json", "--listen", "127.0.0.1:0");
        try
        {
            using var first = JsonDocument.Parse((await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience))!);
            var address = first.RootElement.GetProperty("address").GetString()!;
            _folder.Add("slow/large", Samples.Bytes(4_000_000));
            using var interrupt = new CancellationTokenSource();
            var slow = new CliHarness().RunAsync(interrupt.Token, "send", _folder["slow"], address, "--limit", "20K", "--grace", "0");
            await Eventually.TrueAsync(() => Directory.Exists(_to));
            var quick = await new CliHarness().RunAsync("send", _from, address);
            Assert.That((quick.Code, slow.IsCompleted), Is.EqualTo((ExitCode.Done, false)), quick.ToString());
            using var job = JsonDocument.Parse((await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience))!);
            Assert.That(job.RootElement.GetProperty("files").GetInt64(), Is.EqualTo(40));
            await interrupt.CancelAsync();
            await slow.WaitAsync(Patience);
        }
        finally
        {
            receive.Kill();
        }
    }

    [Test]
    public async Task Interrupted_it_has_confirmed_what_was_begun_and_the_receiver_waits_for_the_rest()
    {
        for (var i = 0; i < 100; i++) _folder.Add($"from/large/f{i:D2}", Samples.Bytes(30_000, i));
        using var receive = Start(null, "receive", _to, "--listen", "127.0.0.1:0");
        var address = (await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience))!;
        string[] send = ["send", _from, address, "--sessions", "1", "--archive-size", "64K"];
        using var interrupt = new CancellationTokenSource();
        var harness = new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state"] } };
        var first = harness.RunAsync(interrupt.Token, [.. send, "--limit", "1M", "--grace", "60"]);
        while (!first.IsCompleted && !(Directory.Exists(_to) && Directory.EnumerateFiles(_to, "f*", SearchOption.AllDirectories).Any()))
            await Task.Delay(5);
        await interrupt.CancelAsync();
        var interrupted = await first.WaitAsync(Patience);
        Assert.That(interrupted.Code, Is.EqualTo(ExitCode.Interrupted), interrupted.ToString());
        var arrived = Names(_to).Count(name => Path.GetFileName(name).StartsWith('f'));
        Assert.That(arrived, Is.InRange(1, 139));
        Assert.That(interrupted.Error, Does.StartWith("Finishing what is under way").And.Contain($"{arrived} files, "),
            "all that is there is known to be");

        var rest = await harness.RunAsync([.. send, "--resume"]).WaitAsync(Patience);
        var received = await EndAsync(receive);
        Assert.That((rest.Code, received.Code), Is.EqualTo((0, 0)), rest + received.ToString());
        Assert.That(rest.Error, Does.StartWith($"{140 - arrived} files"));
        Assert.That(Names(_to), Is.EqualTo(Names(_from)));
    }

    [Test]
    public async Task A_receiver_whose_sender_gave_archives_up_says_so_and_ends_with_1()
    {
        using var receive = Start(null, "receive", _to, "--json", "--listen", "127.0.0.1:0");
        using var first = JsonDocument.Parse((await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience))!);
        var sent = await SpoilingSource.SendAsync(BatchAddress.Parse(first.RootElement.GetProperty("address").GetString()!), _from,
            (index, _) => index == 1);
        var received = await EndAsync(receive);
        Assert.That(received.Code, Is.EqualTo(ExitCode.SomeFailed), received.ToString());
        using var json = JsonDocument.Parse(received.Output);
        Assert.That(json.RootElement.GetProperty("files").GetInt64(),
            Is.EqualTo(sent.Files).And.EqualTo(Names(_to).Length).And.InRange(10, 39));
        var failure = json.RootElement.GetProperty("failed").EnumerateArray().Single();
        Assert.That((failure.GetProperty("path").GetString(), failure.GetProperty("error").GetString()), Is.EqualTo((_to, "integrity")));
        Assert.That(received.Error, Does.Contain("Archive 1 never came whole"));
    }

    [TestCase("archive", true)]
    [TestCase("filesystem", true)]
    [TestCase("file", true)]
    [TestCase("none", false)]
    public async Task Durability_says_whether_anything_is_brought_to_the_disk(string durability, bool isBrought)
    {
        using var receive = Start(null, "receive", _to, "--listen", "127.0.0.1:0", "--durability", durability, "-vvv");
        var address = await receive.StandardOutput.ReadLineAsync().WaitAsync(Patience);
        using var send = Start(null, "send", _from, address!);
        var sent = await EndAsync(send);
        var received = await EndAsync(receive);
        Assert.That((sent.Code, received.Code), Is.EqualTo((0, 0)), sent + received.ToString());
        Assert.That(Names(_to), Is.EqualTo(Names(_from)));
        Assert.That(received.Error, Does.Contain("Brought to the disk: "));
        var wholes = !received.Error.Contains("disk: 0 times", StringComparison.Ordinal);
        var files = !received.Error.Contains(", 0 times file by file", StringComparison.Ordinal);
        Assert.That(wholes || files, Is.EqualTo(isBrought && OperatingSystem.IsLinux()), received.Error);
        if (durability == "file") Assert.That(wholes, Is.False, received.Error);
    }

    [Test]
    public async Task What_goes_wrong_has_its_exit_code()
    {
        await using var receiver = BatchReceiver.Listen(_to, new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0) });
        await using var receiving = receiver.StartReceive();
        var right = receiver.Address;
        var token = right.Token;
        var wrongSecret = BatchToken.Create(token.Fingerprint, new byte[32]);
        var wrongKey = BatchToken.Create(new byte[32], token.Secret);
        Assert.That((await SendAsync(wrongSecret)).Code, Is.EqualTo(ExitCode.Denied));
        Assert.That((await SendAsync(wrongKey)).Code, Is.EqualTo(ExitCode.Trust));
        var ok = await SendAsync(token, "--exclude", "d0/**");
        Assert.That(ok.Code, Is.Zero, ok.ToString());
        Assert.That(Names(_to), Has.None.StartsWith("d0" + Path.DirectorySeparatorChar).And.Some.StartsWith("d1"));
        var spent = await SendAsync(token);
        Assert.That(spent.Code, Is.EqualTo(ExitCode.Denied), "the one job is over");
        Assert.That(spent.Error, Does.Contain("one job"));
        await receiver.DisposeAsync();
        Assert.That((await SendAsync(token)).Code, Is.EqualTo(ExitCode.Connection));

        Task<CliResult> SendAsync(BatchToken with, params string[] options) =>
            new CliHarness().RunAsync(["send", _from, new BatchAddress("127.0.0.1", right.Port, with).ToText(), .. options]);
    }

    [Test]
    public async Task Over_standard_input_and_output_there_is_nothing_but_messages()
    {
        var result = await new CliHarness { Input = "SSH-2.0-nonsense, and more than that"u8.ToArray() }
            .RunAsync("receive", _to, "--stdio");
        Assert.That(result.Code, Is.EqualTo(ExitCode.Connection), result.ToString());
        Assert.That(result.Bytes.Take(13), Is.EqualTo(new byte[] { 1, 0, 0, 0, 47 }.Concat("transfer"u8.ToArray())));
        Assert.That(result.Bytes, Has.Length.EqualTo(52));
    }

    [Test]
    public async Task The_token_can_be_typed()
    {
        await using var receiver = BatchReceiver.Listen(_to, new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0) });
        await using var receiving = receiver.StartReceive();
        var harness = new CliHarness { ReadSecret = (_, _) => receiver.Address.Token.ToText() };
        var result = await harness.RunAsync("send", _from, receiver.Address.ToString());
        Assert.That(result.Code, Is.Zero, result.ToString());
    }

    [Test]
    public async Task Each_receiver_has_a_journal_of_its_own()
    {
        var state = _folder["state"];
        var harness = new CliHarness { Environment = { ["XDG_STATE_HOME"] = state } };
        // Nobody listens there.
        byte[][] receivers = [new byte[32], [.. Enumerable.Repeat((byte)1, 32)]];
        foreach (var fingerprint in receivers)
        {
            var address = new BatchAddress("127.0.0.1", 1, BatchToken.Create(fingerprint, new byte[32]));
            Assert.That((await harness.RunAsync("send", _from, address.ToText(), "--retries", "0")).Code, Is.EqualTo(ExitCode.Connection));
        }
        Assert.That(Directory.GetFiles(state, "*.journal", SearchOption.AllDirectories), Has.Length.EqualTo(2));
    }

    [Test]
    public async Task A_token_is_not_shown_where_the_scheme_was_forgotten()
    {
        var token = BatchToken.Create(new byte[32], new byte[32]).ToText();
        var result = await new CliHarness().RunAsync("send", _from, "host.example:4780#" + token);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage));
        Assert.That(result.Error, Does.Contain("host.example:4780#...").And.Not.Contain(token[^20..]));
    }

    private static string[] Names(string folder) =>
        [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(folder, path))
            .Order(StringComparer.Ordinal)];

    private static async Task<CliResult> EndAsync(Process process)
    {
        try
        {
            process.StandardInput.Close();
            var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await process.WaitForExitAsync().WaitAsync(Patience);
            return new CliResult(process.ExitCode, System.Text.Encoding.UTF8.GetBytes(await output), await error);
        }
        finally
        {
            if (!process.HasExited) process.Kill();
        }
    }

    private Process Start(string? token, params string[] args)
    {
        var start = new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "transfer.dll"), .. args])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["XDG_STATE_HOME"] = _folder["state"];
        if (token is not null) start.Environment["TRANSFER_TOKEN"] = token;
        return Process.Start(start)!;
    }
}
