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
    public async Task Among_many_networks_who_comes_has_its_place_until_all_before_it_are_gone()
    {
        var book = new UnprovedConnections(32);
        for (var i = 0; i < 100; i++) Add(book, $"198.51.100.{i}");
        var honest = Add(book, "192.0.2.1");
        var later = Enumerable.Range(100, 31).Select(i => Add(book, $"198.51.100.{i}")).ToList();
        Assert.That(honest.Task.IsCompleted, Is.False, "whatever was held before it came");
        Add(book, "203.0.113.1");
        await honest.Task.WaitAsync(TimeSpan.FromSeconds(10));
        Assert.That(later.Select(one => one.Task.IsCompleted), Has.All.False);
    }

    [Test]
    public async Task A_sender_that_opens_all_its_lanes_at_once_closes_none_of_them()
    {
        var book = new UnprovedConnections(DirectListener.MaxUnproved);
        var lanes = Enumerable.Range(0, Transfer.Batch.Carriers.Link.ReceivingJobs.MaxLanes).Select(_ => Add(book, "192.0.2.1")).ToList();
        var others = Enumerable.Range(0, DirectListener.MaxUnproved).Select(_ => Add(book, "192.0.2.2")).ToList();
        await others[0].Task.WaitAsync(TimeSpan.FromSeconds(10));
        Assert.That(lanes.Select(lane => lane.Task.IsCompleted), Has.All.False);
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
