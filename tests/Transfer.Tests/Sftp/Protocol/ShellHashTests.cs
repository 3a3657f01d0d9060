using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Security.Cryptography;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sftp;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Hashes by a command of the host's: the script, what it prints, and what is believed of it.</summary>
public sealed class ShellHashTests
{
    private static readonly string[] OddNames =
        ["plain", "-rf", "with space", "quote'quote", "'", "double\"quote", "line\nend", "$HOME", "`id`", "$(id)", "a\\b", "*?[x]", ";ls",
        "#", "é ü 漢", "tab\there", "! !!", "%s%n"];

    private static readonly string Digits = Convert.ToHexStringLower(SHA256.HashData([1]));

    [Test]
    [Platform(Exclude = "Win", Reason = "It is a POSIX shell's script.")]
    public async Task The_script_hashes_files_of_any_name()
    {
        using var folder = new TempFolder();
        var paths = OddNames.Select((name, i) => (Path: Path.Combine(folder.Path, name), Content: Encoding.UTF8.GetBytes($"{i}")))
            .ToArray();
        foreach (var (path, content) in paths) File.WriteAllBytes(path, content);
        var output = await RunAsync(folder.Path,
            ShellScript.Write("marker",
                [.. paths.Select(file => Encoding.UTF8.GetBytes(file.Path)), Encoding.UTF8.GetBytes(folder["absent"])]));
        var answers = Answers(output, Encoding.UTF8.GetString(output).Split('\n')[2], output.Length);
        Assert.That(answers,
            Is.EqualTo(
                paths.Select((file, i) => (i, (string?)Convert.ToHexStringLower(SHA256.HashData(file.Content))))
                    .Append((paths.Length, null))));
    }

    [Test]
    public void Lines_are_read_in_whatever_pieces_they_come()
    {
        var text =
            $"Welcome!\nno end of line\nmark\n/home/user\n0 {Digits}  -\n1 \nnonsense\n2 xyz{Digits}\n3 {Digits.ToUpperInvariant()}\n";
        for (var size = 1; size < text.Length; size++)
        {
            Assert.That(Answers(Encoding.ASCII.GetBytes(text), "/home/user", size, "mark"),
                Is.EqualTo(new[] { (0, Digits), (1, null), (2, null), (3, Digits) }));
        }
    }

    [TestCase("mark\n/elsewhere\n0 {0}\n", Description = "The shell sees other files than SFTP does.")]
    [TestCase("/home/user\n0 {0}\n", Description = "No marker.")]
    [TestCase("echo mark\n/home/user\n0 {0}\n", Description = "The script itself, come back.")]
    public void Nothing_is_believed_of_whoever_is_no_shell_of_the_same_files(string text) =>
        Assert.That(Answers(Encoding.ASCII.GetBytes(text.Replace("{0}", Digits, StringComparison.Ordinal)), "/home/user", 7, "mark"),
            Is.Empty);

    [Test]
    public void Arbitrary_bytes_give_nothing_and_never_fail() =>
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), ArbMap.Default.ArbFor<PositiveInt>(), (bytes, size) =>
        Answers(bytes, "/home/user", size.Get).Count == 0).QuickCheckThrowOnFailure();

    [Test]
    public void Noise_without_an_end_is_given_up()
    {
        var answers = new ShellAnswers("mark", "/"u8.ToArray());
        var noise = new ReadOnlySequence<byte>(new byte[100_000]);
        Assert.That(answers.TryTake(ref noise, out _, out _), Is.False);
        Assert.That(answers.HasEnded);
    }

    [Test]
    public async Task Files_that_are_asked_for_while_a_command_runs_go_together_with_the_next()
    {
        var host = new ShellHost();
        var hashes = new ShellHashes(new SftpOptions(), NullLogger.Instance);
        var first = hashes.GetAsync(host, "/home/user"u8.ToArray(), "/f0"u8.ToArray(), default).AsTask();
        await Eventually.TrueAsync(() => host.Scripts.Count == 1);
        var others = Enumerable.Range(1, 20).Select(
            i => hashes.GetAsync(host, "/home/user"u8.ToArray(), Encoding.ASCII.GetBytes($"/f{i}"), default).AsTask()).ToList();
        host.Go.SetResult();
        Assert.That(await Task.WhenAll([first, .. others]).Soon(), Is.All.EqualTo(Digits));
        Assert.That(host.Scripts, Has.Count.EqualTo(2));
    }

    [Test]
    public async Task A_host_that_refuses_commands_is_asked_once()
    {
        var host = new ShellHost { Refusal = new TransferException(TransferError.Denied, "no") };
        var hashes = new ShellHashes(new SftpOptions(), NullLogger.Instance);
        for (var i = 0; i < 3; i++) Assert.That(await hashes.GetAsync(host, "/"u8.ToArray(), "/f"u8.ToArray(), default).Soon(), Is.Null);
        Assert.That(host.Asked, Is.EqualTo(1));
    }

    [Test]
    public async Task A_host_whose_connection_was_lost_is_asked_again()
    {
        var host = new ShellHost { Refusal = new TransferConnectionException(TransferError.Lost, "lost") };
        host.Go.SetResult();
        var hashes = new ShellHashes(new SftpOptions(), NullLogger.Instance);
        Assert.That(await hashes.GetAsync(host, "/home/user"u8.ToArray(), "/f"u8.ToArray(), default).Soon(), Is.Null);
        host.Refusal = null;
        Assert.That(await hashes.GetAsync(host, "/home/user"u8.ToArray(), "/f"u8.ToArray(), default).Soon(), Is.EqualTo(Digits));
    }

    [Test]
    public async Task A_command_that_says_nothing_is_given_up()
    {
        var host = new ShellHost();
        var hashes = new ShellHashes(new SftpOptions { IdleTimeout = TimeSpan.FromMilliseconds(50) }, NullLogger.Instance);
        Assert.That(await hashes.GetAsync(host, "/home/user"u8.ToArray(), "/f"u8.ToArray(), default).Soon(), Is.Null);
        Assert.That(await hashes.GetAsync(host, "/home/user"u8.ToArray(), "/f"u8.ToArray(), default).Soon(), Is.Null);
        Assert.That(host.Asked, Is.EqualTo(1));
    }

    private static List<(int Index, string? Hash)> Answers(byte[] bytes, string home, int size, string marker = "marker")
    {
        var answers = new ShellAnswers(marker, Encoding.UTF8.GetBytes(home));
        var (found, kept) = (new List<(int, string?)>(), Array.Empty<byte>());
        for (var at = 0; at < bytes.Length; at += size)
        {
            var buffer = new ReadOnlySequence<byte>([.. kept, .. bytes.Skip(at).Take(size)]);
            while (answers.TryTake(ref buffer, out var index, out var hash)) found.Add((index, hash));
            kept = buffer.ToArray();
        }
        return found;
    }

    private static async Task<byte[]> RunAsync(string folder, byte[] script)
    {
        using var shell = Process.Start(
            new ProcessStartInfo("sh", ["-s"]) { RedirectStandardInput = true, RedirectStandardOutput = true, WorkingDirectory = folder })!;
        await shell.StandardInput.BaseStream.WriteAsync(script);
        shell.StandardInput.Close();
        using var output = new MemoryStream();
        await shell.StandardOutput.BaseStream.CopyToAsync(output);
        await shell.WaitForExitAsync();
        return output.ToArray();
    }

    /// <summary>A channel beside which commands can be run: each answers the same hash for all of its files, when it may.</summary>
    private sealed class ShellHost : SshChannel
    {
        public TaskCompletionSource Go { get; } = new();

        public TransferException? Refusal { get; set; }

        public List<string> Scripts { get; } = [];

        public int Asked { get; private set; }

        public override PipeReader Input => throw new NotSupportedException();

        public override PipeWriter Output => throw new NotSupportedException();

        public override long SendWindow => 0;

        public override Task<int?> ExitStatus => Task.FromResult<int?>(0);

        public override ValueTask<SshChannel?> ExecuteBesideAsync(string command, CancellationToken ct)
        {
            Asked++;
            if (Refusal is not null) throw Refusal;
            var channel = new PipeChannel();
            _ = Task.Run(() => AnswerAsync(channel), ct);
            return new(channel);
        }

        public override ValueTask DisposeAsync() => default;

        private async Task AnswerAsync(PipeChannel channel)
        {
            using var reader = new StreamReader(channel.ServerInput.AsStream());
            var script = await reader.ReadToEndAsync();
            lock (Scripts) Scripts.Add(script);
            await Go.Task;
            var marker = script[script.IndexOf("transfer-", StringComparison.Ordinal)..].Split(' ')[0];
            var answer = new StringBuilder($"Hello\n{marker}\n/home/user\n");
            for (var i = 0; script.Contains($"printf '%s %s\\n' {i} ", StringComparison.Ordinal); i++)
                answer.Append(System.Globalization.CultureInfo.InvariantCulture, $"{i} {Digits}\n");
            await channel.ServerOutput.WriteAsync(Encoding.ASCII.GetBytes(answer.ToString()));
            await channel.ServerOutput.CompleteAsync();
        }
    }
}
