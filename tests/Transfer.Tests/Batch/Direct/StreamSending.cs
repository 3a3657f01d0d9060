using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Sends a folder over two streams, as a sender does that has started the receiver's command by SSH.</summary>
internal static class StreamSending
{
    public static async Task SendAsync(string folder, Stream input, Stream output, SignatureRequests? questions = null)
    {
        var keys = JobKeys.Unsealed(JobId.New());
        var id = keys.Job.ToArray();
        await using var archives = FolderArchives.Open(folder, new BatchPackOptions { Bases = questions }, keys);
        await LinkCarrier.CarryAsync(archives, id, new Dialer(new DuplexStream(input, output)),
            new LinkCarrierOptions { Lanes = 1, Questions = questions, Logger = NullLogger.Instance }, default);
        await archives.CompleteAsync(null);
    }

    private sealed class Dialer(DuplexStream stream) : ILinkDialer
    {
        public async ValueTask<OpenedLink> OpenAsync(Action<TimeSpan> onRoundTrip, CancellationToken ct)
        {
            var link = new LinkConnection(stream, TimeSpan.FromSeconds(30), TimeProvider.System);
            await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, 30_000, new byte[32], []), ct);
            return new OpenedLink(link, _ => { });
        }
    }
}
