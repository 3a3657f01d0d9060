using System.Collections.Concurrent;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests;

/// <summary>What all tests share: a folder, a certificate authority this process trusts, and proof that the servers can be started at all.</summary>
[SetUpFixture]
public sealed class TestHost
{
    private static readonly ConcurrentDictionary<(ServerKind Kind, ServerVariant Variant), Lazy<Task<RealServer>>> Shared = new();
    private static string? _folder;

    /// <summary>A folder of this run, readable by the servers' user; it is deleted at the end.</summary>
    public static string Folder => _folder ?? throw new InvalidOperationException("The run has not started.");

    /// <summary>The server of this variant that most fixtures use; it is started when first needed and stopped at the end.</summary>
    public static Task<RealServer> SharedServerAsync(ServerKind kind, ServerVariant variant) =>
        Shared.GetOrAdd((kind, variant), key => new Lazy<Task<RealServer>>(() => RealServer.StartAsync(key.Kind, key.Variant))).Value;

    [OneTimeSetUp]
    public void Start()
    {
        ServerFiles.ThrowIfMissing();
        if (!Environment.IsPrivilegedProcess)
            throw new InvalidOperationException("The servers switch users, so only root can start them: run as root, or ./build.sh test --unit for the tests that need no server.");

        _folder = Directory.CreateTempSubdirectory("transfer-servers-").FullName;
        Shell.Run("chmod", "755", _folder);
        Certificates.TrustAuthority(_folder);
    }

    [OneTimeTearDown]
    public async Task Stop()
    {
        foreach (var server in Shared.Values.Where(server => server.Value.IsCompletedSuccessfully)) await (await server.Value).DisposeAsync();
        if (_folder is not null) Directory.Delete(_folder, recursive: true);
    }
}
