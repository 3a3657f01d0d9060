using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Contents;

/// <summary>The end of one file: its last lines or bytes, and what is appended.</summary>
internal sealed class FileTail(Invocation invocation, TransferClient client, TransferUrl url)
{
    private const int FirstBlock = 16 * 1024;

    private long _printed;
    private bool _isAbsent;

    /// <summary>Prints the end.</summary>
    /// <param name="lines">The number of lines, where no bytes are given.</param>
    /// <param name="bytes">The number of bytes; null: lines count.</param>
    /// <param name="ct">Cancels.</param>
    public async Task PrintAsync(int lines, long? bytes, CancellationToken ct)
    {
        var length = await LengthAsync(ct) ?? throw Missing();
        var start = bytes is { } count ? Math.Max(0, length - count) : await StartOfLinesAsync(length, lines, ct);
        await CopyAsync(start, length, ct);
    }

    /// <summary>Prints what is appended until cancelled.</summary>
    public async Task FollowAsync(TimeSpan interval, CancellationToken ct)
    {
        while (true)
        {
            await Task.Delay(interval, invocation.Host.TimeProvider, ct);
            try
            {
                await GoOnAsync(ct);
            }
            catch (TransferException e) when (e.IsTransient || e is TransferConnectionException)
            {
                invocation.Messages.Warning($"{url.Redacted}: {e.Message}");
            }
        }
    }

    private async Task GoOnAsync(CancellationToken ct)
    {
        var length = await LengthAsync(ct);
        if (length is null && !_isAbsent) invocation.Messages.Info($"{url.Redacted} is gone; waiting for another one.");
        _isAbsent = length is null;
        if (length is not { } now) return;
        if (now < _printed)
        {
            invocation.Messages.Info($"{url.Redacted} became shorter, and begins anew.");
            _printed = 0;
        }

        if (now > _printed) await CopyAsync(_printed, now, ct);
    }

    private async ValueTask<long?> LengthAsync(CancellationToken ct)
    {
        if (await client.GetEntryAsync(url.Path, ct) is not { } entry) return null;
        if (entry.Type == RemoteEntryType.Directory) throw new TransferException(TransferError.Unsupported, "That is a folder.");
        return ByteRange.LengthOf(entry, url.Path);
    }

    // Blocks from the end on, each twice as long, until there are enough lines.
    private async ValueTask<long> StartOfLinesAsync(long length, int lines, CancellationToken ct)
    {
        if (lines == 0) return length;
        var (end, size, left) = (length, (long)FirstBlock, lines);
        while (end > 0)
        {
            var start = Math.Max(0, end - size);
            var block = new byte[end - start];
            await using (var content = await OpenAsync(start, end, ct)) await content.ReadExactlyAsync(block, ct);
            for (var i = block.Length - 1; i >= 0; i--)
            {
                // The end of the last line ends no line before.
                if (block[i] == '\n' && start + i != length - 1 && --left == 0) return start + i + 1;
            }

            (end, size) = (start, Math.Min(size * 2, 1 << 20));
        }

        return 0;
    }

    private async Task CopyAsync(long start, long end, CancellationToken ct)
    {
        if (end > start)
        {
            await using var content = await OpenAsync(start, end, ct);
            await content.CopyToAsync(invocation.Host.Output, ct);
            await invocation.Host.Output.FlushAsync(ct);
        }

        _printed = end;
    }

    private ValueTask<Stream> OpenAsync(long start, long end, CancellationToken ct) =>
        client.OpenReadAsync(url.Path, new ReadOptions { Offset = start, Length = end - start, Sequential = true }, ct);

    private TransferException Missing() => new(TransferError.NotFound, "There is no such file.") { RemotePath = url.Redacted };
}
