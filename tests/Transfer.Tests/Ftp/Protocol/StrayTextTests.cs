namespace Transfer.Tests.Ftp.Protocol;

/// <summary>Lines without a code between replies.</summary>
[CancelAfter(30_000)]
internal sealed class StrayTextTests
{
    [Test]
    public async Task Before_any_name_has_come_they_are_read_over(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var user = h.Control.ExecuteAsync(new("USER", "u"), ct);
        await h.ReplyAsync("Authorized use only", "2024: a year without losses", "", "331 password");
        Assert.That((await user).Code, Is.EqualTo(331));
        var features = h.Control.ExecuteAsync(new("FEAT"), ct);
        await h.ReplyAsync("one more", "211-Features:", "and their lines", " SIZE", "211 End");
        Assert.That((await features).Lines, Is.EqualTo(new[] { "Features:", "and their lines", " SIZE", "End" }));
    }

    [TestCase("STAT")]
    [TestCase("MLST")]
    [TestCase("PWD")]
    public async Task Behind_a_reply_with_names_they_end_the_session(string verb, CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var named = h.Control.ExecuteAsync(new(verb), ct);
        await h.ReplyAsync("250-a name with a line end, and the reply that the name forges:", "250 End");
        Assert.That((await named).Code, Is.EqualTo(250));
        var next = h.Control.ExecuteAsync(new("TYPE", "I"), ct).AsTask();
        await h.ReplyAsync("the rest of the name", "200 fine");
        var error = await Assert.ThrowsAsync<TransferConnectionException>(() => next);
        Assert.That(error!.Error, Is.EqualTo(TransferError.Protocol));
    }
}
