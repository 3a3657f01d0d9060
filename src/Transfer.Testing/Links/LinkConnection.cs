using System.Net;
using System.Net.Sockets;

namespace Transfer.Testing.Links;

/// <summary>A connection across a link.</summary>
internal sealed class LinkConnection : IDisposable
{
    private readonly TestLink _link;
    private readonly Socket _near;
    private readonly Socket _far;
    private readonly EndPoint _target;
    private readonly CancellationTokenSource _stop;
    private readonly Lock _sync = new();
    private bool _ended;

    public LinkConnection(TestLink link, Socket near, EndPoint target, CancellationToken stopping)
    {
        _link = link;
        _near = near;
        _target = target;
        _far = target is IPEndPoint address
            ? new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) : new Socket(SocketType.Stream, ProtocolType.Tcp);
        _near.NoDelay = _far.NoDelay = true;
        _stop = CancellationTokenSource.CreateLinkedTokenSource(stopping);
    }

    /// <summary>
    /// Carries the connection to its end. The handshake takes a round trip, unseen by the connecting side: its system has answered at once.
    /// </summary>
    public async Task RunAsync()
    {
        var ct = _stop.Token;
        var clock = _link.Clock;
        var established = clock.Now + _link.Forward.Delay + _link.Back.Delay;
        var forward = new LinkPipe(_link.Forward, clock, _link.Gate, established);
        var back = new LinkPipe(_link.Back, clock, _link.Gate, established);
        var work = new List<Task> { forward.ReadAsync(_near, ct) };
        try
        {
            // The third step of the handshake arrives half a round trip after the connecting side's system has sent it.
            await clock.UntilAsync(established + _link.Forward.Delay, ct).ConfigureAwait(false);
            await _link.Gate.WaitUntilOpenAsync(ct).ConfigureAwait(false);
            await _far.ConnectAsync(_target, ct).ConfigureAwait(false);
            work.Add(back.ReadAsync(_far, ct));
            work.Add(DeliverAsync(forward, _far, back, ct));
            work.Add(DeliverAsync(back, _near, forward, ct));
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            work.Add(ResetLaterAsync(ct));
        }
        catch (OperationCanceledException)
        {
            Reset();
        }

        await Task.WhenAll(work.Select(EndedAsync)).ConfigureAwait(false);
        lock (_sync) _ended = true;
        _near.Dispose();
        _far.Dispose();
    }

    /// <summary>Resets both ends now.</summary>
    public void Reset()
    {
        lock (_sync)
        {
            if (_ended) return;
            _ended = true;

            // A time-out of zero makes a RST even during pending operations; a linger option alone may send a FIN first.
            _near.Close(0);
            _far.Close(0);
            _ = _stop.CancelAsync();
        }
    }

    public void Dispose() => _stop.Dispose();

    private async Task DeliverAsync(LinkPipe pipe, Socket destination, LinkPipe reverse, CancellationToken ct)
    {
        try
        {
            if (await pipe.WriteAsync(destination, _link.CutAll, ct).ConfigureAwait(false) == LinkSegmentKind.Reset) Reset();
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The destination has gone. The sender learns this after the bytes already on the way back.
            if (!reverse.End(LinkSegmentKind.Reset)) await ResetLaterAsync(ct).ConfigureAwait(false);
        }
    }

    private async Task ResetLaterAsync(CancellationToken ct)
    {
        var due = _link.Clock.Now + _link.Back.Delay;
        try
        {
            await _link.Clock.UntilAsync(due, ct).ConfigureAwait(false);
        }
        finally
        {
            Reset();
        }
    }

    /// <summary>A task's end, of which cancellation is one: both directions end together.</summary>
    private static async Task EndedAsync(Task task)
    {
        try
        {
            await task.ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Reset or disposed; the canceller closes the sockets.
        }
    }
}
