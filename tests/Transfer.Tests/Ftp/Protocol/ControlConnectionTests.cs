using System.Text;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

[CancelAfter(30_000)]
internal sealed class ControlConnectionTests
{
    [Test]
    public async Task The_greeting_waits_over_120(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync(greeted: false);
        await h.ReplyAsync("120 in a minute", "220-welcome", "220 here");
        Assert.That((await h.Control.GreetingAsync(ct)).Lines, Is.EqualTo((string[])["welcome", "here"]));
        Assert.That((h.Control.Usable, h.Control.PendingCount), Is.EqualTo((true, 0)));
    }

    // A tab for the space, a byte order mark, and Telnet's WILL ECHO, DO and NOP, in any division.
    [TestCase("32 32 30 09 41 0D 0A")]
    [TestCase("EF BB BF 32 32 30 20 41 0D 0A")]
    [TestCase("FF FB 01 FF FD 03 32 32 30 20 41 0D 0A")]
    [TestCase("FF F1 FF FB 01 EF BB BF 74 65 78 74 0D 0A FF FB 03 32 32 30 2D 41 0D 0A 32 32 30 20 42 0D 0A")]
    public async Task A_greeting_with_other_bytes_around_its_code_is_read(string hex)
    {
        foreach (var piece in new[] { 1, 2, 3, 100 })
        {
            await using var h = await ControlHarness.OpenAsync(greeted: false);
            foreach (var bytes in Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)).Chunk(piece))
            {
                await h.Server.WriteAsync(bytes);
                await Task.Yield();
            }
            Assert.That((await h.Control.GreetingAsync(CancellationToken.None)).Text, Is.EqualTo("A"));
            Assert.That(h.Control.Usable);
        }
    }

    [TestCase(421, TransferError.Lost, true)]
    [TestCase(530, TransferError.Auth, false)]
    public async Task A_greeting_that_refuses_is_an_error(int code, TransferError error, bool transient)
    {
        await using var h = await ControlHarness.OpenAsync(greeted: false);
        await h.ReplyAsync($"{code} too many");
        var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.Control.GreetingAsync(CancellationToken.None));
        Assert.That((e!.Error, e.IsTransient, e.ServerCode), Is.EqualTo((error, transient, (int?)code)));
    }

    [Test]
    public async Task Commands_of_one_call_leave_in_one_write(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        await h.Control.SendAsync([new("EPSV"), new("STOR", "a b"), new("SIZE", "a b")], ct);
        Assert.That(await h.ReceivedAsync(), Is.EqualTo("EPSV\r\nSTOR a b\r\nSIZE a b\r\n"));
    }

    [Test]
    public async Task Two_thousand_commands_are_one_write_and_each_gets_its_own_reply(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([.. Enumerable.Range(0, 2000).Select(i => new FtpCommand("SIZE", $"f{i}"))], ct);
        Assert.That(h.Control.PendingCount, Is.EqualTo(2000));
        Assert.That((await h.ReceivedAsync())!.Split("\r\n"), Has.Length.EqualTo(2001));
        h.Client.Trickle = true;
        await h.ReplyAsync([.. Enumerable.Range(0, 2000).Select(i => $"213 {i}")]);
        for (var i = 0; i < replies.Count; i++)
            Assert.That((await replies[i].GetFinalReplyAsync(ct)).Text, Is.EqualTo($"{i}"));
        Assert.That(h.Control.PendingCount, Is.Zero);
    }

    [Test]
    public async Task A_mark_is_seen_first_and_the_final_reply_after_it(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([new("STOR", "a"), new("SIZE", "a")], ct);
        await h.ReplyAsync("150 opening", "110 MARK 1 = 2");
        Assert.That((await replies[0].FirstAsync(ct)).Code, Is.EqualTo(150));
        Assert.That(replies[0].IsCompleted, Is.False);
        await h.ReplyAsync("226 done", "213 5");
        Assert.That((await replies[0].GetFinalReplyAsync(ct)).Code, Is.EqualTo(226));
        Assert.That((await replies[0].FirstAsync(ct)).Code, Is.EqualTo(150));
        Assert.That((await replies[1].FirstAsync(ct)).Code, Is.EqualTo(213));
    }

    [Test]
    public async Task A_canceled_wait_leaves_the_reply_in_its_place(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        using var impatient = new CancellationTokenSource();
        var wait = h.Control.ExecuteAsync(new("CWD", "/a"), impatient.Token).AsTask();
        await h.ReceivedAsync();
        await impatient.CancelAsync();
        var e = await Assert.CatchAsync<OperationCanceledException>(() => wait);
        Assert.That(e!.CancellationToken, Is.EqualTo(impatient.Token));
        Assert.That((h.Control.Usable, h.Control.PendingCount), Is.EqualTo((true, 1)));
        var next = h.Control.ExecuteAsync(new("PWD"), ct);
        await h.ReplyAsync("250 that was CWD", "257 \"/a\"");
        Assert.That((await next).Code, Is.EqualTo(257));
    }

    [Test]
    public async Task Canceled_before_it_is_sent_nothing_is_sent(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        using var canceled = new CancellationTokenSource();
        await canceled.CancelAsync();
        await Assert.CatchAsync<OperationCanceledException>(async () => await h.Control.SendAsync([new("DELE", "a")], canceled.Token));
        await h.Control.SendAsync([new("NOOP")], ct);
        Assert.That(await h.ReceivedAsync(), Is.EqualTo("NOOP\r\n"));
        Assert.That(h.Control.PendingCount, Is.EqualTo(1));
    }

    [Test]
    public async Task A_name_that_can_not_be_sent_leaves_the_connection_as_it_was(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        h.Control.Encoding = Encoding.Latin1;
        await Assert.ThrowsAsync<TransferException>(async () => await h.Control.SendAsync([new("NOOP"), new("DELE", "日")], ct));
        Assert.That((h.Control.Usable, h.Control.PendingCount), Is.EqualTo((true, 0)));
    }

    [Test]
    public async Task The_encoding_counts_both_ways_from_when_it_is_set(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        h.Control.Encoding = Encoding.Latin1;
        var reply = h.Control.ExecuteAsync(new("CWD", "é"), ct);
        Assert.That(await h.Server.ReadChunkAsync(), Is.EqualTo(Encoding.Latin1.GetBytes("CWD é\r\n")));
        await h.Server.WriteAsync(Encoding.Latin1.GetBytes("250 é\r\n"), ct);
        Assert.That((await reply).Text, Is.EqualTo("é"));
    }

    [Test]
    public async Task Writers_from_many_threads_get_the_replies_to_their_own_commands(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var server = Task.Run(async () =>
        {
            for (var lines = 0; lines < 400;)
            {
                foreach (var line in (await h.ReceivedAsync())!.Split("\r\n", StringSplitOptions.RemoveEmptyEntries))
                {
                    await h.ReplyAsync("200 " + line);
                    lines++;
                }
            }
        }, ct);
        await Parallel.ForAsync(0, 200, ct, async (i, token) =>
        {
            var replies = await h.Control.SendAsync([new("SIZE", $"{i}"), new("MDTM", $"{i}")], token);
            Assert.That((await replies[0].GetFinalReplyAsync(token)).Text, Is.EqualTo($"SIZE {i}"));
            Assert.That((await replies[1].GetFinalReplyAsync(token)).Text, Is.EqualTo($"MDTM {i}"));
        });
        await server;
    }

    [TestCase("AUTH")]
    [TestCase("CCC")]
    public async Task Nothing_may_follow_what_switches_the_layer(string verb)
    {
        await using var h = await ControlHarness.OpenAsync();
        await Assert.ThrowsAsync<ArgumentException>(
            async () => await h.Control.SendAsync([new(verb, "TLS"), new("USER", "x")], CancellationToken.None));
        await h.Control.SendAsync([new("FEAT"), new(verb, "TLS")], CancellationToken.None);
        await Assert.ThrowsAsync<InvalidOperationException>(
            async () => await h.Control.SendAsync([new("USER", "x")], CancellationToken.None));
    }

    [Test]
    public async Task A_refused_AUTH_leaves_the_connection_usable(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
        await h.ReplyAsync("534 no");
        Assert.That((await auth).Code, Is.EqualTo(534));
        var noop = h.Control.ExecuteAsync(new("NOOP"), ct);
        await h.ReplyAsync("200 ok");
        Assert.That((await noop).Code, Is.EqualTo(200));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await h.Control.StartTlsAsync(ct));
    }

    [Test]
    public async Task Commands_and_replies_are_logged_without_secrets(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([new("USER", "me", Secret: true), new("PASS", "hunter2"), new("ACCT", "acc0unt")], ct);
        await h.ReplyAsync("331 me may", "230 hunter2 it is", "202 fine");
        await replies[2].GetFinalReplyAsync(ct);
        var log = string.Join('\n', h.Log.Lines);
        Assert.That(log, Does.Contain("> USER ***").And.Contain("> PASS ***").And.Contain("< 331 *** may").And.Contain("< 202 fine"));
        Assert.That(log, Does.Not.Contain("hunter2").And.Not.Contain("acc0unt"));
    }

    [TestCase("USER", "alice", "500 'USER alice PASS hunter2': command not understood")]
    [TestCase("OPTS", "UTF8 ON", "500 PASS HUNTER2?")]
    public async Task A_reply_that_quotes_the_password_of_another_command_is_shown_without(string verb, string argument, string line)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([new(verb, argument), new("PASS", "hunter2")], CancellationToken.None);
        await h.ReplyAsync(line);
        var reply = await replies[0].GetFinalReplyAsync(CancellationToken.None);
        var shown = ReplyErrors.ToException(reply, replies[0].Command).Message;
        Assert.That(shown, Does.Contain("PASS ***").And.Not.Contain("hunter2").IgnoreCase);
        Assert.That(string.Join('\n', h.Log.Lines), Does.Contain("< 500").And.Not.Contain("hunter2").IgnoreCase);
    }
}
