using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Ssh;

/// <summary>sshd hangs up at the first wrong answer, without saying that it was wrong.</summary>
[TestFixture]
[Parallelizable]
public sealed class OneTryTests() : SshFixture(ServerVariant.Sftp with { Name = "OneTry", SshSettings = "MaxAuthTries 1" })
{
    // Its last words are lost where it closes with our next messages unread before Nagle's algorithm has let them go: then the log-in is
    // tried once more, step by step.
    [Test]
    public async Task A_wrong_password_is_an_authentication_error_and_sent_twice_at_most()
    {
        await using var client = Client(options => options with { Credential = new TransferCredential(SshKeys.User, "wrong") });

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Auth), error.ToString());
        Assert.That(error.IsTransient, Is.False);
        Assert.That(Log.Split("Failed password for " + SshKeys.User), Has.Length.InRange(2, 3), Log);
    }

    [Test]
    public async Task The_right_one_logs_in()
    {
        await using var client = Client();

        await client.ConnectAsync();

        Assert.That(Log, Does.Contain("Accepted password for " + SshKeys.User));
    }
}
