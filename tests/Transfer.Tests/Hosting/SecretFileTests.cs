using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Hosting;

/// <summary>Files of secrets that change under the same names, as orchestrators rotate them: a reload takes the new content.</summary>
[TestFixture]
public sealed class SecretFileTests
{
    [Test]
    public async Task Another_password_in_the_file_makes_a_new_client()
    {
        using var folder = new TempFolder();
        folder.Add("password", "demo"u8.ToArray());
        await AssertReplacedAsync(new() { ["Url"] = "ftp://127.0.0.1/", ["UserName"] = "demo", ["PasswordFile"] = folder["password"] },
            () => File.WriteAllText(folder["password"], "new"));
    }

    [Test]
    public async Task Another_key_in_the_file_makes_a_new_client()
    {
        using var folder = new TempFolder();
        using var before = SftpTestKey.Create();
        using var after = SftpTestKey.Create();
        File.WriteAllText(folder["key"], before.PrivateKey);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(folder["key"], UnixFileMode.UserRead | UnixFileMode.UserWrite);
        await AssertReplacedAsync(new() { ["Url"] = "sftp://127.0.0.1/", ["UserName"] = "demo", ["Identities:0"] = folder["key"] },
            () => File.WriteAllText(folder["key"], after.PrivateKey));
    }

    private static async Task AssertReplacedAsync(Dictionary<string, string?> settings, Action change)
    {
        var lines = new ConcurrentQueue<string>();
        using var log = new LogEvents(["SettingsChanged"], lines.Enqueue);
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
        await using var services = new ServiceCollection().AddSingleton<ILoggerFactory>(log)
            .AddTransferClient("inbox", configuration).Services.BuildServiceProvider();
        _ = services.GetRequiredKeyedService<TransferClient>("inbox");
        configuration.Reload();
        Assert.That(lines, Is.Empty, "nothing has changed");
        change();
        configuration.Reload();
        Assert.That(lines, Has.Count.EqualTo(1));
    }
}
