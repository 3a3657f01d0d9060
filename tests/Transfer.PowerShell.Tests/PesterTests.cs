using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Xml.Linq;
using Transfer.Testing;

namespace Transfer.PowerShell.Tests;

/// <summary>Each script of Pester's tests, in a session of its own against servers of its own: FTP with TLS, and SFTP.</summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
public sealed class PesterTests
{
    private const int HalfFiles = 8;

    private static readonly string Scripts = Path.Join(TestContext.CurrentContext.TestDirectory, "Scripts");

    // The second logs in with a key in documents.
    private static readonly Dictionary<string, string> Users = new(StringComparer.Ordinal) { ["demo"] = "demo", ["sync"] = "sync" };

    [OneTimeSetUp]
    public Task Restore() => Shell.RestoreAsync();

    [OneTimeTearDown]
    public void EndShells() => ScriptShell.EndAll();

    private static IEnumerable<string> Files() =>
        Directory.GetFiles(Path.Join(AppContext.BaseDirectory, "Scripts"), "*.Tests.ps1").Select(path => Path.GetFileName(path)!).Order();

    [TestCaseSource(nameof(Files))]
    public async Task Scripts_do_what_they_say(string script)
    {
        using var folder = new ServerFolders();
        using var key = SftpTestKey.Create();
        await File.WriteAllTextAsync(Path.Join(folder.Local, "id_ed25519"), key.PrivateKey);
        await using var ftp =
            await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit, Store = new DirectoryStore(folder.Ftp), Users = Users });
        // A folder that may not be entered, as vsftpd refuses it: the answer for an absent one.
        foreach (var verb in new[] { "CWD", "MLSD", "LIST", "NLST", "STAT" })
            ftp.Faults.Reply(verb, "550 Failed to change directory.", times: int.MaxValue, path: "/unread/b");
        await using var sftp = await SftpTestServer.StartAsync(
            new() { Store = new DirectoryStore(folder.Sftp), Users = Users, AuthorizedKeys = [key.PublicKey] });
        BreakInTheMiddle(ftp, sftp);
        await using var proxy = new SocksProxy();
        await ScriptShell.RunAsync(Scripts, script, new Dictionary<string, string>
        {
            ["TRANSFER_MODULE"] = Shell.Module,
            ["TRANSFER_PESTER"] = Shell.Pester,
            ["TRANSFER_FTP"] = new UriBuilder(ftp.Uri) { Scheme = "ftpes" }.Uri.ToString(),
            ["TRANSFER_FTP_PIN"] =
                $"SHA256:{Convert.ToBase64String(SHA256.HashData(ftp.Certificate!.PublicKey.ExportSubjectPublicKeyInfo()))}",
            ["TRANSFER_FTP_FOLDER"] = folder.Ftp,
            ["TRANSFER_SFTP"] = sftp.Uri.ToString(),
            ["TRANSFER_SFTP_PIN"] = sftp.Fingerprint,
            ["TRANSFER_SFTP_FOLDER"] = folder.Sftp,
            ["TRANSFER_PROXY"] = proxy.Uri.ToString(),
            ["TRANSFER_SERVER_PROCESS"] = Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
            ["TRANSFER_KNOWN_HOSTS"] = sftp.KnownHosts,
            ["TRANSFER_LOCAL"] = folder.Local,
            ["TRANSFER_REPOSITORY"] = Shell.Metadata("Repository"),
        });
    }

    // Files of which servers send a part: with an error behind, over FTP also without one. The rules of SFTP count requests, so that each
    // read has a file of its own.
    private static void BreakInTheMiddle(FtpTestServer ftp, SftpTestServer sftp)
    {
        var part = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("a line of text\n", 10_000)));
        foreach (var reply in new[] { "451 Local read error.", "550 No more.", "226 Done." })
        {
            var path = $"/half/{reply[..3]}.txt";
            ftp.Faults.SendData("RETR", part, times: int.MaxValue, path: path);
            ftp.Faults.FinalReply("RETR", reply, times: int.MaxValue, path: path);
        }
        for (var i = 1; i <= HalfFiles; i++)
            sftp.Faults.Status("READ", SftpTestStatus.Failure, skip: 1, times: int.MaxValue, path: $"/half/{i}.txt");
    }

    [Test]
    public async Task WhatIf_and_a_No_send_no_command_that_changes_anything_over_FTP()
    {
        using var folder = new ServerFolders();
        await using var ftp = await FtpTestServer.StartAsync(new() { Store = new DirectoryStore(folder.Ftp) });
        await ChangeNothingAsync(folder, folder.Ftp, ftp.Uri, string.Empty);
        string[] changes = ["STOR", "APPE", "DELE", "RNFR", "RNTO", "MKD", "RMD", "MFMT", "SITE"];
        Assert.That(ftp.Commands.Select(command => command.Verb), Has.Some.EqualTo("MLSD").Or.Some.EqualTo("MLST"), "It has looked.");
        Assert.That(ftp.Commands.Where(command => changes.Contains(command.Verb)), Is.Empty);
    }

    [Test]
    public async Task WhatIf_and_a_No_send_no_command_that_changes_anything_over_SFTP()
    {
        using var folder = new ServerFolders();
        await using var sftp = await SftpTestServer.StartAsync(new() { Store = new DirectoryStore(folder.Sftp) });
        await ChangeNothingAsync(folder, folder.Sftp, sftp.Uri, sftp.Fingerprint);
        string[] looks =
        [
            "(log-in)", "SUBSYSTEM", "INIT", "limits@openssh.com", "REALPATH", "STAT", "LSTAT", "FSTAT", "OPENDIR", "READDIR", "READLINK",
            "CLOSE",
        ];
        var verbs = sftp.Commands.Select(command => command.Verb).Distinct().ToList();
        Assert.That(verbs, Does.Contain("OPENDIR"), "It has looked.");
        Assert.That(verbs.Except(looks), Is.Empty);
    }

    private static async Task ChangeNothingAsync(ServerFolders folder, string served, Uri uri, string pin)
    {
        Directory.CreateDirectory(Path.Join(served, "full", "below"));
        foreach (var name in new[] { "there.txt", "full/a.txt", "full/below/b.txt" }) File.WriteAllText(Path.Join(served, name), "there");
        var said = await Shell.RunScriptAsync(Path.Join(Scripts, "Changes.ps1"), new Dictionary<string, string>
        {
            ["TRANSFER_MODULE"] = Shell.Module,
            ["TRANSFER_URI"] = uri.ToString(),
            ["TRANSFER_PIN"] = pin,
            ["TRANSFER_FOLDER"] = served,
            ["TRANSFER_LOCAL"] = folder.Local,
        });
        Assert.That(said, Does.Contain("unchanged"), said);
    }

    [Test]
    public async Task The_package_is_installed_from_a_folder_and_imported_by_its_name()
    {
        if (Environment.GetEnvironmentVariable("TRANSFER_PACKAGES") is not { } packages)
        {
            Assert.Ignore("TRANSFER_PACKAGES names the folder of the module: artifacts/powershell, which ./build.sh pack makes.");
            return;
        }
        IntroducesItself(Directory.EnumerateFiles(packages, "Transfer.*.nupkg").Single());
        using var folder = new ServerFolders();
        var said = await Shell.RunScriptAsync(Path.Join(Scripts, "Install.ps1"), new Dictionary<string, string>
        {
            ["TRANSFER_PACKAGES"] = packages,
            ["TRANSFER_REPOSITORY"] = Shell.Metadata("Repository"),
            ["TRANSFER_LOCAL"] = folder.Local,
            ["HOME"] = folder.Local,
            ["DOTNET_CLI_HOME"] =
                Environment.GetEnvironmentVariable("DOTNET_CLI_HOME") ?? Environment.GetFolderPath(Environment.SpecialFolder.UserProfile),
            ["NUGET_PACKAGES"] = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
                ?? Path.Join(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages"),
        });
        Assert.That(said, Does.Contain("Send-TransferFile"));
    }

    private static void IntroducesItself(string path)
    {
        using var package = ZipFile.OpenRead(path);
        using var nuspec = package.Entries.Single(entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
        var about = XDocument.Load(nuspec).Descendants().Where(element => !element.HasElements)
            .ToDictionary(element => element.Name.LocalName, element => element.Value, StringComparer.Ordinal);
        using var readme = new StreamReader(package.GetEntry(about["readme"])!.Open());
        Assert.Multiple(() =>
        {
            Assert.That(readme.ReadToEnd(), Does.Contain("```powershell").And.Contain("](https://").And.Not.Match(@"\]\((?!https://)"));
            Assert.That(package.GetEntry(about["icon"]), Is.Not.Null);
            Assert.That(about["releaseNotes"], Does.StartWith("## ").And.Contain("PowerShell").And.Length.LessThan(10_000));
        });
    }
}
