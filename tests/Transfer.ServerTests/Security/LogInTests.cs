using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Security;

/// <summary>Log-ins that fail.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Main))]
[Parallelizable]
public sealed class LogInTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    [TestCase("tester", "Mel0n-Pip")]
    [TestCase("nobody else", "Mel0n-Pip")]
    [TestCase("anonymous", "someone@example.com")]
    public async Task A_wrong_log_in_is_an_authentication_error(string user, string password)
    {
        await using var client = Client(options => options with { Credential = new TransferCredential(user, password) });

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Auth), error.ToString());
        // SSH has no code for it.
        if (!IsSftp) Assert.That(error.ServerCode, Is.EqualTo(530));
        Assert.That(error.ToString(), Does.Not.Contain(password));
    }
}
