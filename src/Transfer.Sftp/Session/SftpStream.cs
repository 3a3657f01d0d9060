using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>Streams of short requests: the next ones leave as replies are read, so that only their number bounds those under way.</summary>
internal static class SftpStream
{
    /// <summary>Sends a request for each item, and returns the replies in order.</summary>
    public static async ValueTask<SftpReply[]> SendAsync<T>(IReadOnlyList<T> items, Func<T, PendingReply> send)
    {
        var (replies, sent) = (new SftpReply[items.Count], 0);
        var underWay = new Queue<PendingReply>();
        for (var i = 0; i < replies.Length; i++)
        {
            while (sent < items.Count && underWay.Count < SftpSessionContext.MaxRequestsTogether) underWay.Enqueue(send(items[sent++]));
            replies[i] = await underWay.Dequeue().ConfigureAwait(false);
        }
        return replies;
    }
}
