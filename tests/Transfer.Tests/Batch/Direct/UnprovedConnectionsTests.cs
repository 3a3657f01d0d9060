using System.Net;
using Transfer.Batch.Carriers.Direct;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Who goes when there is no room.</summary>
public sealed class UnprovedConnectionsTests
{
    [Test]
    public async Task The_oldest_of_the_busiest_network_goes_and_others_stay()
    {
        var book = new UnprovedConnections(4);
        var honest = Add(book, "192.0.2.1");
        var flood = Enumerable.Range(0, 10).Select(_ => Add(book, "192.0.2.2")).ToList();
        for (var i = 0; i < 7; i++) await flood[i].Task.WaitAsync(TimeSpan.FromSeconds(10));
        Assert.That(flood.Skip(7).Select(gone => gone.Task.IsCompleted), Has.All.False);
        Assert.That(honest.Task.IsCompleted, Is.False);
        Assert.That(book.Count, Is.EqualTo(4));
    }

    [Test]
    public async Task All_addresses_of_one_host_count_together()
    {
        var book = new UnprovedConnections(2);
        var honest = Add(book, "::ffff:192.0.2.1");
        var first = Add(book, "2001:db8::1");
        Add(book, "2001:db8::ffff:1");
        await first.Task.WaitAsync(TimeSpan.FromSeconds(10));
        Assert.That(honest.Task.IsCompleted, Is.False);
    }

    [Test]
    public void Who_has_left_makes_room()
    {
        var book = new UnprovedConnections(1);
        using var first = new CancellationTokenSource();
        book.Add(IPAddress.Loopback, first);
        book.Remove(first);
        Add(book, "127.0.0.1");
        Assert.That(first.IsCancellationRequested, Is.False);
    }

    private static TaskCompletionSource Add(UnprovedConnections book, string from)
    {
        var gone = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var connection = new CancellationTokenSource();
        connection.Token.Register(gone.SetResult);
        book.Add(IPAddress.Parse(from), connection);
        return gone;
    }
}
