using Renci.SshNet;
using Transfer.SshNet;

namespace Transfer.Tests.SshNet;

/// <summary>What is set on a client of the application's, and what is not.</summary>
[TestFixture]
public sealed class SshNetTuningTests
{
    [Test]
    public void What_has_SSH_NETs_value_is_set()
    {
        using var client = Client().Tune();

        Assert.That((client.BufferSize, client.KeepAliveInterval), Is.EqualTo((1u << 20, TimeSpan.FromSeconds(30))));
    }

    [Test]
    public void What_the_application_has_set_stays()
    {
        using var client = Client();
        (client.BufferSize, client.KeepAliveInterval) = (4096, TimeSpan.FromSeconds(5));

        client.Tune();

        Assert.That((client.BufferSize, client.KeepAliveInterval), Is.EqualTo((4096u, TimeSpan.FromSeconds(5))));
    }

    private static SftpClient Client() => new(new ConnectionInfo("localhost", "user", new NoneAuthenticationMethod("user")));
}
