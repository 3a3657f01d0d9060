using System.Net;

namespace WebDavProvider;

/// <summary>An upload's content as the body of a PUT, read as it is sent.</summary>
/// <param name="content">The content, to its end.</param>
/// <param name="length">Its length in bytes; null: not known, and the body goes in chunks.</param>
/// <param name="limit">The watch over the request.</param>
internal sealed class UploadContent(Stream content, long? length, IdleLimit limit) : HttpContent
{
    private const int Buffer = 64 * 1024;

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, limit.Token);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        var buffer = new byte[Buffer];
        while (await ReadAsync(buffer, cancellationToken) is > 0 and var read)
        {
            await stream.WriteAsync(buffer.AsMemory(0, read), cancellationToken);
            limit.Moved();
        }
    }

    protected override bool TryComputeLength(out long computed)
    {
        computed = length ?? 0;
        return length is not null;
    }

    private async ValueTask<int> ReadAsync(byte[] buffer, CancellationToken ct)
    {
        limit.Stand();
        try
        {
            return await content.ReadAsync(buffer, ct);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            throw new ContentFault(e);
        }
        finally
        {
            limit.Moved();
        }
    }
}
