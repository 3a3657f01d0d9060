using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Testing.Tls;

namespace Transfer.Tests.Testing;

/// <summary>Server flights as RFC 5246 7.4 and RFC 8446 4 lay them out, cut into single bytes.</summary>
internal sealed class HandshakeWatcherTests
{
    private static readonly byte[] RetryRandom = Convert.FromHexString("CF21AD74E59A6111BE1D8C021E65B891C2A211167ABB8C5E079E09E2C8A8339C");

    [Test]
    public void TLS_12_with_a_certificate_is_a_full_handshake() => Assert.That(Watch(Record(Hello()), Record(Message(11, 500))), Is.False);

    [Test]
    public void Messages_of_one_record_are_told_apart() => Assert.That(Watch(Record([.. Hello(), .. Message(11, 500)])), Is.False);

    [Test]
    public void TLS_12_with_a_new_ticket_is_resumed() => Assert.That(Watch(Record(Hello()), Record(Message(4, 100))), Is.True);

    [Test]
    public void TLS_12_that_changes_the_cipher_at_once_is_resumed() => Assert.That(Watch(Record(Hello()), [20, 3, 3, 0, 1, 1]), Is.True);

    [Test]
    public void TLS_13_with_a_pre_shared_key_is_resumed()
    {
        Assert.That(Watch(Record(Hello((43, [3, 4]), (41, [0, 0])))), Is.True);
        Assert.That(Watch(Record(Hello((43, [3, 4]), (51, new byte[36])))), Is.False);
    }

    [Test]
    public void A_retry_request_decides_nothing()
    {
        var retry = Record(HelloWith(RetryRandom, (43, [3, 4]), (51, [0, 29])));
        Assert.That(Watch(retry), Is.Null);
        Assert.That(Watch(retry, [20, 3, 3, 0, 1, 1], Record(Hello((43, [3, 4]), (41, [0, 0])))), Is.True);
    }

    [Test]
    public void A_ticket_counts_only_where_it_was_issued()
    {
        var own = new TlsSessions();
        byte[] ticket = [1, 2, 3, 4];
        byte[] issue = [4, 0, 0, 10, 0, 0, 0, 0, 0, 4, .. ticket];
        var first = new HandshakeWatcher(own);
        foreach (var value in Record([.. Hello(), .. Message(11, 10), .. Message(14, 0)])) first.Sent([value]);
        foreach (var value in Record(issue)) first.Sent([value]);
        Assert.That(Offer(own), Is.True);
        Assert.That(Offer(new TlsSessions()), Is.False);

        bool Offer(TlsSessions sessions)
        {
            var watcher = new HandshakeWatcher(sessions);
            foreach (var value in Record(ClientHello(ticket))) watcher.Received([value]);
            foreach (var value in Record(Hello())) watcher.Sent([value]);
            watcher.Sent([20, 3, 3, 0, 1, 1]);
            Assert.That(watcher.IsResumed, Is.True);
            return watcher.IsResumedFromOwn;
        }
    }

    [Test]
    public void Any_bytes_are_survived() =>
        Prop.ForAll<byte[]>(bytes =>
        {
            var watcher = new HandshakeWatcher(new TlsSessions());
            watcher.Sent(Record(bytes));
            watcher.Sent([22, 3, 3, 0, (byte)Math.Min(255, bytes.Length), .. bytes]);
            watcher.Sent(Record([2, 0, 0, (byte)Math.Min(255, bytes.Length), .. bytes.Take(255)]));
            watcher.Received(Record([1, 0, 0, (byte)Math.Min(255, bytes.Length), .. bytes.Take(255)]));
        }).QuickCheckThrowOnFailure();

    private static bool? Watch(params byte[][] records)
    {
        var watcher = new HandshakeWatcher(new TlsSessions());
        foreach (var value in records.SelectMany(record => record)) watcher.Sent([value]);
        return watcher.IsResumed;
    }

    private static byte[] Record(byte[] body) => [22, 3, 3, (byte)(body.Length >> 8), (byte)body.Length, .. body];

    private static byte[] Message(byte type, int length) => [type, 0, (byte)(length >> 8), (byte)length, .. new byte[length]];

    private static byte[] Hello(params (ushort Type, byte[] Body)[] extensions) => HelloWith(new byte[32], extensions);

    private static byte[] HelloWith(byte[] random, params (ushort Type, byte[] Body)[] extensions)
    {
        byte[] tail = [
            .. extensions.SelectMany(
                extension => (byte[])[.. Short(extension.Type), .. Short((ushort)extension.Body.Length), .. extension.Body])];
        byte[] body = [3, 3, .. random, 32, .. new byte[32], 0xC0, 0x2F, 0, .. Short((ushort)tail.Length), .. tail];
        return [2, 0, (byte)(body.Length >> 8), (byte)body.Length, .. body];
    }

    private static byte[] ClientHello(byte[] ticket)
    {
        byte[] tail = [0, 35, .. Short((ushort)ticket.Length), .. ticket];
        byte[] body = [3, 3, .. new byte[32], 0, 0, 2, 0xC0, 0x2F, 1, 0, .. Short((ushort)tail.Length), .. tail];
        return [1, 0, (byte)(body.Length >> 8), (byte)body.Length, .. body];
    }

    private static byte[] Short(ushort value)
    {
        var bytes = new byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, value);
        return bytes;
    }
}
