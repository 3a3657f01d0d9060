using System.Diagnostics;
using Transfer.Wan.Clients;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>How clients are asked.</summary>
public sealed class CommandLineTests
{
    private static string[] Words(string label, Protocol protocol, bool isUpload, int files) =>
        [.. ClientCatalog.Find(label).Command(Jobs.Of(protocol, isUpload, files)).Arguments];

    [Test]
    public void A_folder_goes_up_with_the_modes_of_the_label() => Assert.That(
        Words("transfer --sessions 16", Protocol.FTP, isUpload: true, files: 3),
        Is.EqualTo(new[] { "put", "/data/near files", "ftp://tester@10.77.0.2:2121/in/", "--sessions", "16", "--quiet" }));

    [Test]
    public void One_file_comes_down_with_keys_over_SFTP() => Assert.That(
        Words("transfer", Protocol.SFTP, isUpload: false, files: 1),
        Is.EqualTo(new[]
        {
            "get", "sftp://tester@10.77.0.2:2121/served/in/f0.bin", "/data/near files/f0.bin",
            "--identity", "/keys/id", "--known-hosts", "/keys/known", "--ssh-config", "none", "--quiet",
        }));

    [Test]
    public void Passwords_are_never_on_our_command_line()
    {
        var command = ClientCatalog.Find("transfer").Command(Jobs.Of(Protocol.FTPS, isUpload: true, files: 3));
        Assert.That(string.Join(' ', command.Arguments), Does.Not.Contain("secret"));
        Assert.That(command.Environment["TRANSFER_PASSWORD"], Is.EqualTo("it's \"secret\""));
    }

    [Test]
    public void The_stock_client_is_this_program_with_the_fixes_of_its_label()
    {
        var words = Words("stock .NET --no-reverse-lookup --send-buffer 1048576", Protocol.FTP, isUpload: true, files: 2);
        Assert.That(words, Is.EqualTo(new[]
        {
            "client", "stock-ftp", "--resolver-delay", "2000", "--no-reverse-lookup", "--send-buffer", "1048576",
            "ftp://tester@10.77.0.2:2121/in/", "/data/near files/f0.bin", "/data/near files/f1.bin",
        }));
    }

    [TestCase("FluentFTP", "plain", "1")]
    [TestCase("FluentFTP 8", "plain", "8")]
    [TestCase("FluentFTP tuned", "tuned", "1")]
    [TestCase("Transfer.FluentFtp", "adapter", "16")]
    [TestCase("Transfer.FluentFtp 1", "adapter", "1")]
    public void A_library_is_this_program_as_its_label_says(string label, string way, string clients) => Assert.That(
        Words(label, Protocol.FTP, isUpload: true, files: 3),
        Is.EqualTo(new[] { "client", "fluentftp", way, clients, "up", "ftp://tester@10.77.0.2:2121/in/", "/data/near files" }));

    [Test]
    public void Peers_that_are_not_installed_say_so()
    {
        var missing = new MissingClient();
        Assert.That(missing.WhyNot, Does.Contain("not installed"));
    }

    [Test]
    public void An_unknown_client_is_refused() => Assert.That(() => ClientCatalog.Find("lftpx"), Throws.ArgumentException);

    [TestCase("plain-word_1.txt", "plain-word_1.txt")]
    [TestCase("two words", "'two words'")]
    [TestCase("it's", "'it'\\''s'")]
    [TestCase("", "''")]
    [TestCase("$HOME`x`\"*", "'$HOME`x`\"*'")]
    public void Words_are_quoted_for_the_shell(string word, string quoted) => Assert.That(ShellWords.Quote(word), Is.EqualTo(quoted));

    [Test]
    [Platform("Linux,MacOsX")]
    public void The_shell_gives_quoted_words_back_as_they_were()
    {
        string[] words = ["a b", "it's", "\"", "\\", "$x", "*", "line\nbreak", "", "p%s'w \"d#"];
        var start = new ProcessStartInfo("sh", ["-c", "printf '%s\\0' " + ShellWords.Join(words)]) { RedirectStandardOutput = true };
        using var shell = Process.Start(start)!;
        var said = shell.StandardOutput.ReadToEnd();
        shell.WaitForExit();
        Assert.That(said.Split('\0')[..^1], Is.EqualTo(words));
    }

    private sealed class MissingClient() : WanClient("no-such-program-anywhere")
    {
        public override IReadOnlyList<Protocol> Protocols => [];

        protected override string Program => Label;

        public override ClientCommand Command(ClientJob job) => new(ProgramPath, []);
    }
}
