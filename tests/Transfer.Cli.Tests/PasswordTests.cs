namespace Transfer.Cli.Tests;

/// <summary>Passwords that are typed.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class PasswordTests : FtpCommandFixture
{
    [TestCase("demo", 0, 1)]
    [TestCase("dmeo demo", 0, 2)]
    [TestCase("dmeo deom demo", ExitCode.Denied, 2)]
    public async Task A_mistyped_password_is_asked_for_once_more(string typed, int code, int questions)
    {
        _store.AddFile("/f", "content"u8);
        var answers = new Queue<string>(typed.Split(' '));
        var asked = 0;
        var harness = new CliHarness
        {
            ReadSecret = (_, _) =>
            {
                asked++;
                return answers.Dequeue();
            },
        };
        var result = await harness.RunAsync("cat", "--sessions", "1", $"ftp://demo@{_server.EndPoint}/f");
        Assert.That((result.Code, asked), Is.EqualTo((code, questions)), result.ToString());
        Assert.That(result.Output, Is.EqualTo(code == 0 ? "content" : string.Empty));
    }

    [Test]
    public async Task One_that_is_given_is_not_asked_for()
    {
        var harness = new CliHarness { ReadSecret = (_, _) => throw new AssertionException("Nothing is to be asked.") };
        var result = await harness.RunAsync("ls", $"ftp://demo:wrong@{_server.EndPoint}/");
        Assert.That(result.Code, Is.EqualTo(ExitCode.Denied), result.ToString());
    }
}
