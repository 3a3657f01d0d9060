using System.Collections.Concurrent;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests;

/// <summary>
/// What all tests share: a folder, a certificate authority this process trusts, and proof that the servers can be started at all.
/// </summary>
[SetUpFixture]
public sealed class TestHost
{
    private static readonly ConcurrentDictionary<(ServerKind Kind, ServerVariant Variant), ConcurrentBag<RealServer>> Idle = new();
    private static string? _folder;

    /// <summary>A folder of this run, readable by the servers' user; it is deleted at the end.</summary>
    public static string Folder => _folder ?? throw new InvalidOperationException("The run has not started.");

    /// <summary>
    /// A server of this variant for a fixture alone: one that another has given back, or a new one. All are stopped at the end.
    /// </summary>
    public static async Task<RealServer> LendServerAsync(ServerKind kind, ServerVariant variant) =>
        IdleOnes(kind, variant).TryTake(out var server) ? server : await RealServer.StartAsync(kind, variant);

    /// <summary>It is for the next one.</summary>
    public static void GiveBack(ServerKind kind, ServerVariant variant, RealServer server) => IdleOnes(kind, variant).Add(server);

    [OneTimeSetUp]
    public void Start()
    {
        ServerFiles.ThrowIfMissing();
        if (!Environment.IsPrivilegedProcess)
        {
            throw new InvalidOperationException(
                "The servers switch users, so only root can start them: run as root, or ./build.sh test --unit for the tests that need "
                + "no server.");
        }

        _folder = Directory.CreateTempSubdirectory("transfer-servers-").FullName;
        Shell.Run("chmod", "755", _folder);
        Certificates.TrustAuthority(_folder);
    }

    [OneTimeTearDown]
    public async Task Stop()
    {
        foreach (var server in Idle.Values.SelectMany(servers => servers)) await server.DisposeAsync();
        if (_folder is not null) Directory.Delete(_folder, recursive: true);
    }

    private static ConcurrentBag<RealServer> IdleOnes(ServerKind kind, ServerVariant variant) => Idle.GetOrAdd((kind, variant), _ => []);
}
