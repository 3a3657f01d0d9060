using System.Text;

namespace Transfer.Tests.Ftp.Protocol;

[CancelAfter(30_000)]
internal sealed class ControlFaultTests
{
    [Test]
    public async Task The_end_fails_every_waiting_reply_with_one_fault(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([new("STOR", "a"), new("SIZE", "a")], ct);
        h.Server.End();
        var first = await Assert.ThrowsAsync<TransferConnectionException>(async () => await replies[0].FirstAsync(ct));
        var second = await Assert.ThrowsAsync<TransferConnectionException>(async () => await replies[1].GetFinalReplyAsync(ct));
        Assert.That(first, Is.SameAs(second).And.SameAs(h.Control.Fault));
        Assert.That((first!.Error, h.Control.Usable, h.Control.PendingCount), Is.EqualTo((TransferError.Lost, false, 0)));
        await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.Control.SendAsync([new("NOOP")], ct));
    }

    [Test]
    public async Task A_reset_is_lost_too(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var reply = h.Control.ExecuteAsync(new("NOOP"), ct).AsTask();
        h.Server.Reset();
        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => reply);
        Assert.That((e!.Error, e.IsTransient), Is.EqualTo((TransferError.Lost, true)));
    }

    [Test]
    public async Task An_idle_session_learns_of_the_end_at_once()
    {
        await using var h = await ControlHarness.OpenAsync();
        h.Server.End();
        await UntilBrokenAsync(h);
        Assert.That(h.Control.Fault!.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_421_to_an_idle_session_is_a_transient_loss()
    {
        await using var h = await ControlHarness.OpenAsync();
        await h.ReplyAsync("421 timeout");
        await UntilBrokenAsync(h);
        var fault = h.Control.Fault!;
        Assert.That((fault.Error, fault.IsTransient, fault.ServerCode), Is.EqualTo((TransferError.Lost, true, (int?)421)));
    }

    [Test]
    public async Task A_421_is_the_reply_to_the_waiting_command_and_the_end_for_those_behind(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([new("STOR", "a"), new("SIZE", "a")], ct);
        await h.ReplyAsync("150 go", "421 shutting down");
        Assert.That((await replies[0].GetFinalReplyAsync(ct)).Code, Is.EqualTo(421));
        var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await replies[1].GetFinalReplyAsync(ct));
        Assert.That(e!.ServerCode, Is.EqualTo(421));
        Assert.That(h.Control.Usable, Is.False);
    }

    [TestCase("226 done")]
    [TestCase("150 mark")]
    public async Task A_reply_nobody_waits_for_is_a_fault(string line)
    {
        await using var h = await ControlHarness.OpenAsync();
        await h.ReplyAsync(line);
        await UntilBrokenAsync(h);
        Assert.That(h.Control.Fault!.Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task One_reply_too_many_is_found_behind_the_right_ones(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([new("A"), new("B")], ct);
        await h.ReplyAsync("200 a", "200 b", "200 c");
        Assert.That((await replies[1].GetFinalReplyAsync(ct)).Text, Is.EqualTo("b"));
        await UntilBrokenAsync(h);
        Assert.That(h.Control.Fault!.Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task Garbage_is_a_protocol_error_for_whoever_waits(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync(greeted: false);
        await h.ReplyAsync("SSH-2.0-Server");
        var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.Control.GreetingAsync(ct));
        Assert.That(e!.Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(e.Message, Does.Contain("SSH-2.0-Server"));
    }

    [TestCase("331 Password required for alice.", "PASS hunter2", "OPTS UTF8 ON")]
    [TestCase("331 Password required for alice.", "PASS hunter", "2")]
    [TestCase("331 Password required for alice.", "hunt")]
    [TestCase("331 go on", "230 welcome", "200 ok", "200 I got hunter2")]
    [TestCase("331 go on", "230 welcome", "421 I got hunter2")]
    public async Task A_server_that_repeats_the_password_does_not_bring_it_into_the_fault_or_the_log(params string[] lines)
    {
        await using var h = await ControlHarness.OpenAsync();
        await h.Control.SendAsync([new("USER", "alice"), new("PASS", "hunter2"), new("OPTS", "UTF8 ON")], CancellationToken.None);
        await h.ReplyAsync(lines);
        await UntilBrokenAsync(h);
        Assert.That(string.Join('\n', [.. h.Log.Lines, h.Control.Fault!.ToString()]), Does.Contain("331").And.Not.Contain("hunt"));
    }

    [Test]
    public async Task An_endless_line_ends_after_some_kilobytes(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var reply = h.Control.ExecuteAsync(new("NOOP"), ct).AsTask();
        var megabyte = new byte[1 << 20];
        megabyte.AsSpan().Fill((byte)'2');
        await h.Server.WriteAsync("200 "u8.ToArray(), ct);
        var sent = 0;
        for (; sent < 1024 && h.Control.Usable; sent++)
        {
            await h.Server.WriteAsync(megabyte, CancellationToken.None).AsTask().ContinueWith(_ => { }, TaskScheduler.Default);
            await Task.Yield();
        }

        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => reply);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task Silence_while_a_reply_is_owed_is_a_timeout(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        h.Clock.Advance(TimeSpan.FromHours(1));
        Assert.That(h.Control.Usable, Is.True, "nothing is owed");
        var reply = h.Control.ExecuteAsync(new("NOOP"), ct).AsTask();
        await h.ReceivedAsync();
        h.Clock.Advance(TimeSpan.FromSeconds(59.9));
        Assert.That(h.Control.Usable, Is.True);
        h.Clock.Advance(TimeSpan.FromSeconds(0.2));
        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => reply);
        Assert.That((e!.Error, e.IsTransient), Is.EqualTo((TransferError.Timeout, true)));
    }

    [Test]
    public async Task A_server_that_accepts_and_never_greets_is_a_timeout(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync(greeted: false);
        h.Clock.Advance(TimeSpan.FromSeconds(61));
        var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.Control.GreetingAsync(ct));
        Assert.That(e!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Progress_of_the_transfer_and_every_reply_put_the_timeout_off(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var replies = await h.Control.SendAsync([new("RETR", "a")], ct);
        for (var i = 0; i < 10; i++)
        {
            h.Clock.Advance(TimeSpan.FromSeconds(50));
            h.Control.Touch();
        }

        h.Clock.Advance(TimeSpan.FromSeconds(50));
        await h.ReplyAsync("150 here");
        await replies[0].FirstAsync(ct);
        h.Clock.Advance(TimeSpan.FromSeconds(50));
        Assert.That(h.Control.Usable, Is.True);
        h.Clock.Advance(TimeSpan.FromSeconds(11));
        Assert.That(h.Control.Fault!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [TestCase("2|5|7| |m|a|d|e")]
    [TestCase("257-made\r\n| one\r\n| two\r\n| three\r\n")]
    [TestCase("150 soon\r\n|150 soon\r\n|150 soon\r\n|150 soon\r\n")]
    public async Task A_reply_that_drips_does_not_put_it_off(string drops, CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        // Up to the first reply behind the greeting the log-in's own limit counts.
        var first = h.Control.ExecuteAsync(new("NOOP"), ct).AsTask();
        await h.ReplyAsync("200 ok");
        await first;
        await h.ReceivedAsync();
        var reply = h.Control.ExecuteAsync(new("MKD", "a"), ct).AsTask();
        await h.ReceivedAsync();
        foreach (var drop in drops.Split('|'))
        {
            await h.Server.WriteAsync(Encoding.UTF8.GetBytes(drop), ct);
            // So that the drop is read before the time passes.
            await Task.Delay(20, ct);
            h.Clock.Advance(TimeSpan.FromSeconds(50));
            if (!h.Control.Usable) break;
        }

        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => reply);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [TestCase("HASH")]
    [TestCase("STOR")]
    public async Task A_server_that_works_for_long_and_says_so_is_waited_for(string verb, CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var reply = h.Control.ExecuteAsync(new(verb, "a"), ct).AsTask();
        await h.ReceivedAsync();
        for (var i = 0; i < 6; i++)
        {
            var taken = h.Log.Lines.Count;
            await h.ReplyAsync("150 still at work");
            await Eventually.TrueAsync(() => h.Log.Lines.Count > taken);
            h.Clock.Advance(TimeSpan.FromSeconds(25));
        }

        await h.ReplyAsync("226 done");
        Assert.That((await reply).Code, Is.EqualTo(226));
    }

    [Test]
    public async Task Sending_more_does_not_put_it_off(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        await h.Control.SendAsync([new("NOOP")], ct);
        h.Clock.Advance(TimeSpan.FromSeconds(40));
        await h.Control.SendAsync([new("NOOP")], ct);
        h.Clock.Advance(TimeSpan.FromSeconds(21));
        Assert.That(h.Control.Fault!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Break_ends_it_for_everyone_and_only_the_first_fault_counts(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        var reply = h.Control.ExecuteAsync(new("NOOP"), ct).AsTask();
        var fault = new TransferException(TransferError.Integrity, "replies out of step");
        h.Control.Break(fault);
        h.Control.Break(new TransferException());
        Assert.That(h.Control.Fault, Is.SameAs(fault));
        Assert.That(await Assert.ThrowsAsync<TransferException>(() => reply), Is.SameAs(fault));
        Assert.That(await h.ReceivedAsync(), Is.EqualTo("NOOP\r\n"));
        Assert.That(await h.ReceivedAsync(), Is.Null, "the server sees the end");
    }

    [Test]
    public async Task Disposing_fails_what_is_owed(CancellationToken ct)
    {
        var h = await ControlHarness.OpenAsync();
        var reply = h.Control.ExecuteAsync(new("NOOP"), ct).AsTask();
        await h.DisposeAsync();
        await h.DisposeAsync();
        await Assert.ThrowsAsync<TransferConnectionException>(() => reply);
        await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.Control.SendAsync([new("NOOP")], ct));
    }

    [Test]
    public async Task Cancelling_inside_a_write_ends_the_connection()
    {
        await using var h = await ControlHarness.OpenAsync();
        h.Client.WritesHang = true;
        using var cts = new CancellationTokenSource();
        var send = h.Control.SendAsync([new("STOR", "a")], cts.Token).AsTask();
        await cts.CancelAsync();
        var e = await Assert.CatchAsync<OperationCanceledException>(() => send);
        Assert.That(e!.CancellationToken, Is.EqualTo(cts.Token));
        Assert.That(h.Control.Usable, Is.False);
    }

    [Test]
    public async Task A_write_that_hangs_times_out(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        h.Client.WritesHang = true;
        var send = h.Control.SendAsync([new("STOR", "a")], ct).AsTask();
        h.Clock.Advance(TimeSpan.FromSeconds(61));
        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => send);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Timeout));
    }

    private static async Task UntilBrokenAsync(ControlHarness h)
    {
        while (h.Control.Usable)
            await Task.Delay(1);
    }
}
