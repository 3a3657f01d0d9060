using System.Reflection;

namespace Transfer.Tests.Engine;

public sealed class ClientMemberTests
{
    [Test]
    public void Every_public_member_of_a_client_can_be_overridden_so_that_applications_can_mock_it()
    {
        var methods = typeof(TransferClient).GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly);
        Assert.That(methods, Has.Length.GreaterThan(20));
        Assert.That(methods.Where(method => !method.IsVirtual || method.IsFinal).Select(method => method.Name), Is.Empty);
    }

    [TestCase(typeof(TransferClient))]
    [TestCase(typeof(Transfer.Ftp.FtpTransferClient))]
    [TestCase(typeof(Transfer.Sftp.SftpTransferClient))]
    [TestCase(typeof(Transfer.Testing.FtpTestServer))]
    public void The_last_token_of_public_and_protected_members_is_named_cancellationToken(Type typeOfAssembly)
    {
        const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
            | BindingFlags.DeclaredOnly;
        var names = from type in typeOfAssembly.Assembly.GetExportedTypes()
                    from method in type.GetMethods(Declared)
                    where method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly
                    from parameter in method.GetParameters()
                    where parameter.ParameterType == typeof(CancellationToken) && parameter.Name == "ct"
                    select $"{type.Name}.{method.Name}";
        Assert.That(names, Is.Empty);
    }

    [Test]
    public async Task A_client_that_is_disposed_synchronously_has_closed_its_sessions_when_that_returns()
    {
        var store = new MemoryStore();
        store.AddFile("/f", [1]);
        var closed = 0;
        var client = new MemoryTransferClient(store, open: s => new NotedSession(s, () => closed++));
        await client.ConnectAsync();
        client.Dispose();
        Assert.That(closed, Is.EqualTo(1));
        await client.ConnectAsync().AsTask().Failure<ObjectDisposedException>();
    }

    private sealed class NotedSession(MemoryStore store, Action closed) : MemorySession(store)
    {
        public override async ValueTask DisposeAsync()
        {
            await Task.Yield();
            closed();
            await base.DisposeAsync();
        }
    }
}
