using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// A trial in which two sessions write one short file like the segments of a large one: side by side, inside the present content and behind
/// its end, and one upload breaks off. Then the file is read back (docs/adr/0007-ftp-uploads-in-one-piece.md).
/// </summary>
internal sealed class FtpSegmentTrial
{
    private const int Inside = 8;
    private const int Behind = 40;

    // The time for a server's work, added to the round trips.
    private static readonly TimeSpan Thought = TimeSpan.FromSeconds(1);

    // The bound of a step in beginnings of the first upload: a step is a beginning, content, and an end.
    private const int Trips = 4;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    private static readonly byte[] First = [.. "0123456789abcdef"u8];
    private static readonly byte[] More = [.. "ghij"u8];
    private static readonly byte[] Inner = [.. "WXYZ"u8];
    private static readonly byte[] Last = [.. "yz"u8];
    private static readonly byte[] Whole = [.. "01234567WXYZcdefghij"u8, .. new byte[Behind - 20], .. "yz"u8];

    private readonly FtpSessionContext _first;
    private readonly FtpDataOpener _firstOpener;
    private readonly FtpSessionContext _second;
    private readonly FtpDataOpener _secondOpener;
    private readonly string _path;
    private TimeSpan _bound;

    /// <param name="first">Begins the file, and holds it open,</param>
    /// <param name="firstOpener">by its own connections.</param>
    /// <param name="second">Writes into the file meanwhile,</param>
    /// <param name="secondOpener">by its own connections.</param>
    /// <param name="path">A file that does not exist, in the server's form.</param>
    public FtpSegmentTrial(FtpSessionContext first, FtpDataOpener firstOpener, FtpSessionContext second, FtpDataOpener secondOpener,
        string path)
    {
        _first = first;
        _firstOpener = firstOpener;
        _second = second;
        _secondOpener = secondOpener;
        _path = path;
    }

    private TimeProvider Time => _first.Options.TimeProvider;

    /// <summary>Runs the trial. A session with replies outstanding is broken afterwards.</summary>
    /// <returns>Null: the file is right. Else why uploads go in one piece.</returns>
    /// <exception cref="TransferException">Not even the first session could begin the file.</exception>
    public async ValueTask<string?> RunAsync(CancellationToken ct)
    {
        string? why = "it was given up.";
        try
        {
            var began = Time.GetTimestamp();
            var held = await FtpExchange.StartAsync(_first, _firstOpener, new FtpCommand("STOR", _path), _path, sends: true,
                ct).ConfigureAwait(false);
            await using var heldEnd = held.ConfigureAwait(false);
            _bound = Thought + (Trips * Time.GetElapsedTime(began));
            var beside = await WhyNotAsync(token => WriteBesideAsync(held, token), ct).ConfigureAwait(false);
            // After any failure, the first session is sound if its own upload ends well.
            var end = await WhyNotAsync(token => EndAsync(held, token), ct).ConfigureAwait(false);
            await WhyNotAsync(EndSecondAsync, ct).ConfigureAwait(false);
            return why = beside ?? end ?? await WhyNotAsync(CompareAsync, ct).ConfigureAwait(false);
        }
        finally
        {
            if (_first.Control.PendingCount > 0) _first.GiveUp("It was given up in mid-exchange.");
            if (why is not null || _second.Control.PendingCount > 0) _second.GiveUp(FtpSessionContext.OffsetLeft);
        }
    }

    private async ValueTask WriteBesideAsync(FtpExchange held, CancellationToken stop)
    {
        await held.Data.WriteAsync(First, stop).ConfigureAwait(false);
        await InTimeAsync("the bytes sent are not in the file", WhenThereAsync, stop).ConfigureAwait(false);
        await InTimeAsync("a second upload into a file is not answered beside the first", token => StoreAsync(Inside, Inner, token),
            stop).ConfigureAwait(false);
        await InTimeAsync("an upload behind the end of a file is not answered", token => StoreAsync(Behind, Last, token),
            stop).ConfigureAwait(false);
        await InTimeAsync("an upload that is broken off does not end", BreakOffAsync, stop).ConfigureAwait(false);
    }

    // Else the server might write these bytes over those of the second session.
    private async ValueTask WhenThereAsync(CancellationToken stop)
    {
        while (FtpFileTransfer.Size(await _second.ExecuteAsync("SIZE", _path, stop).ConfigureAwait(false)) != First.Length)
            await Task.Delay(Pause, Time, stop).ConfigureAwait(false);
    }

    private async ValueTask StoreAsync(long offset, byte[] content, CancellationToken stop)
    {
        var exchange = await StartAsync(offset, stop).ConfigureAwait(false);
        await using var exchangeEnd = exchange.ConfigureAwait(false);
        await exchange.Data.WriteAsync(content, stop).ConfigureAwait(false);
        await exchange.Data.CompleteWritesAsync(stop).ConfigureAwait(false);
        await exchange.FinishAsync(stop).ConfigureAwait(false);
    }

    // Some servers are configured to delete failed uploads: the rest would go on writing into a file without a name.
    private async ValueTask BreakOffAsync(CancellationToken stop)
    {
        var exchange = await StartAsync(Inside, stop).ConfigureAwait(false);
        await using var exchangeEnd = exchange.ConfigureAwait(false);
        await exchange.Data.WriteAsync(Inner.AsMemory(0, 1), stop).ConfigureAwait(false);
        await exchange.GiveUpAsync(stop).ConfigureAwait(false);
    }

    private ValueTask EndAsync(FtpExchange held, CancellationToken stop) => InTimeAsync("the first upload does not end", async token =>
    {
        await held.Data.WriteAsync(More, token).ConfigureAwait(false);
        await held.Data.CompleteWritesAsync(token).ConfigureAwait(false);
        await held.FinishAsync(token).ConfigureAwait(false);
    }, stop);

    /// <summary>
    /// Waits for the second session. A server that held the second upload back until the first ended begins it now, even if the session was
    /// given up: the file would come back after its deletion. So the session is given up only after an answer, or after a timeout.
    /// </summary>
    private async ValueTask EndSecondAsync(CancellationToken stop)
    {
        if (_second.Control is { Usable: true, PendingCount: > 0 })
        {
            await InTimeAsync("the second upload does not end",
                async token => await _second.ExecuteAsync("NOOP", null, token).ConfigureAwait(false), stop).ConfigureAwait(false);
        }
    }

    private ValueTask CompareAsync(CancellationToken stop) => InTimeAsync("the file cannot be read back", async token =>
    {
        var exchange = await FtpExchange.StartAsync(_second, _secondOpener, new FtpCommand("RETR", _path), _path, sends: false,
            token).ConfigureAwait(false);
        await using var exchangeEnd = exchange.ConfigureAwait(false);
        var (there, length) = (new byte[Whole.Length + 1], 0);
        while (length < there.Length && await exchange.ReadAsync(there.AsMemory(length), token).ConfigureAwait(false) is > 0 and var count)
            length += count;
        await exchange.FinishAsync(token).ConfigureAwait(false);
        if (!there.AsSpan(0, length).SequenceEqual(Whole))
            throw new TransferException(TransferError.Integrity, "a file that two sessions wrote does not hold the bytes of both.");
    }, stop);

    private ValueTask<FtpExchange> StartAsync(long offset, CancellationToken stop) =>
        FtpExchange.StartAsync(_second, _secondOpener, new FtpCommand("STOR", _path), _path, sends: true, stop, offset);

    private static async ValueTask<string?> WhyNotAsync(Func<CancellationToken, ValueTask> step, CancellationToken ct)
    {
        try
        {
            await step(ct).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e)
        {
            return e.Message;
        }
    }

    private async ValueTask InTimeAsync(string otherwise, Func<CancellationToken, ValueTask> step, CancellationToken ct)
    {
        using var limit = new CancellationTokenSource(_bound, Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, ct);
        try
        {
            await step(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new TransferException(TransferError.Timeout, $"{otherwise}, not within {_bound.TotalMilliseconds:0} ms.");
        }
    }
}
