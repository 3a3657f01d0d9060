using System.Text;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// A command of this SDK at a host, with its output to read and its input to write. Nothing is sent before the command has printed the
/// marker: a server that runs another program would read the bytes as that program's input. A command that is silent for the idle time-out
/// has failed.
/// </summary>
internal sealed class HostCommand : SequentialStream, IHalfClosing
{
    // The most bytes that greetings and start files may print before the marker.
    private const int MostNoise = 64 * 1024;
    private const int MostReason = 200;

    // The end of the last message of GNU's and libarchive's tar.
    private const string EarlierErrors = "previous errors";

    private readonly RemoteCommand _command;
    private readonly ContentPace? _flow;
    private readonly TimeSpan _idle;
    private readonly TimeProvider _time;
    private ReadOnlyMemory<byte> _ahead;

    /// <param name="command">The command, owned by the new object.</param>
    /// <param name="flow">The pace of content; null: none.</param>
    /// <param name="idle">How long nothing may move.</param>
    /// <param name="time">The clock.</param>
    public HostCommand(RemoteCommand command, ContentPace? flow, TimeSpan idle, TimeProvider time)
    {
        _command = command;
        _flow = flow;
        _idle = idle > TimeSpan.Zero ? idle : Timeout.InfiniteTimeSpan;
        _time = time;
    }

    public TimeSpan RoundTrip => _command.RoundTrip;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    /// <summary>Waits for the marker, and skips the output before.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: no marker arrives. The other end is not a
    /// shell.</exception>
    public async ValueTask AwaitMarkerAsync(string marker, CancellationToken ct)
    {
        var line = Encoding.ASCII.GetBytes($"\n{marker}\n");
        var noise = new byte[MostNoise];
        for (var filled = 0; ;)
        {
            var read = filled < noise.Length ? await ReceiveAsync(noise.AsMemory(filled), ct).ConfigureAwait(false) : 0;
            if (read == 0)
            {
                throw new TransferException(TransferError.Unsupported,
                    $"No shell answers at the server{Reason()}.")
                { IsTransient = false };
            }
            // The line may have begun before.
            var from = Math.Max(0, filled - line.Length);
            filled += read;
            var at = noise.AsSpan(from, filled - from).IndexOf(line);
            if (at < 0) continue;
            _ahead = noise.AsMemory(from + at + line.Length, filled - from - at - line.Length);
            return;
        }
    }

    /// <summary>Waits for a number of bytes, without taking them; fewer: the output has ended.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> PeekAsync(int count, CancellationToken ct)
    {
        if (_ahead.Length >= count) return _ahead;
        var bytes = new byte[count];
        _ahead.CopyTo(bytes);
        var filled = _ahead.Length;
        while (filled < count)
        {
            var read = await ReceiveAsync(bytes.AsMemory(filled), ct).ConfigureAwait(false);
            if (read == 0) break;
            filled += read;
        }
        return _ahead = bytes.AsMemory(0, filled);
    }

    /// <summary>Ends the input, reads the output to the end, and waits for the exit status.</summary>
    /// <param name="limit">The most bytes of output still to be expected.</param>
    /// <param name="ct">Stops waiting.</param>
    /// <exception cref="TransferException">The command has failed, or printed too much.</exception>
    public async ValueTask FinishAsync(int limit, CancellationToken ct)
    {
        await _command.CompleteInputAsync().ConfigureAwait(false);
        var rest = new byte[4096];
        int read;
        while ((read = await ReadAsync(rest, ct).ConfigureAwait(false)) > 0)
        {
            if ((limit -= read) < 0)
                throw new TransferException(TransferError.Protocol, "The command at the server printed more than expected.");
        }
        await CheckStatusAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Waits for the exit status, after the end of the output.</summary>
    /// <exception cref="TransferException">The status is not that of success.</exception>
    public async ValueTask CheckStatusAsync(CancellationToken ct)
    {
        var status = await WithinAsync(_command.ExitStatus.WaitAsync, ct).ConfigureAwait(false);
        if (status != 0)
        {
            throw new TransferException(TransferError.Unsupported,
                $"The command at the server ended {(status is { } code ? $"with status {code}" : "without a status")}{Reason()}.");
        }
    }

    public ValueTask EndWritesAsync(CancellationToken ct) => _command.CompleteInputAsync();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_ahead.IsEmpty)
        {
            var read = await ReceiveAsync(buffer, cancellationToken).ConfigureAwait(false);
            if (_flow is not null && read > 0) await _flow.AdmitAsync(read, cancellationToken).ConfigureAwait(false);
            return read;
        }
        var count = Math.Min(buffer.Length, _ahead.Length);
        _ahead[..count].CopyTo(buffer);
        _ahead = _ahead[count..];
        return count;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (!buffer.IsEmpty)
        {
            var some = buffer[..Math.Min(buffer.Length, _flow?.MostAtOnce ?? int.MaxValue)];
            if (_flow is not null) await _flow.AdmitAsync(some.Length, cancellationToken).ConfigureAwait(false);
            await WithinAsync(token => SendAsync(some, token), cancellationToken).ConfigureAwait(false);
            buffer = buffer[some.Length..];
        }
    }

    public override async ValueTask DisposeAsync()
    {
        await _command.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        // Closing a channel needs no wait.
        if (disposing) _ = _command.DisposeAsync().AsTask();
        base.Dispose(disposing);
    }

    // The last line of error output that explains the failure, for people.
    private string Reason()
    {
        var text = _command.ErrorText.Split('\n').LastOrDefault(
            line => !string.IsNullOrWhiteSpace(line) && !line.Contains(EarlierErrors, StringComparison.Ordinal))?.Trim();
        if (text is null) return string.Empty;
        var clean = new string([.. text.Where(c => !char.IsControl(c)).Take(MostReason)]);
        return $": {clean.TrimEnd('.')}";
    }

    private ValueTask<int> ReceiveAsync(Memory<byte> buffer, CancellationToken ct) =>
        WithinAsync(token => _command.Stream.ReadAsync(buffer, token), ct);

    private async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> bytes, CancellationToken ct)
    {
        try
        {
            await _command.Stream.WriteAsync(bytes, ct).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e is not TransferConnectionException && _command.ErrorText.Length > 0)
        {
            // The command ended before reading all input, and gave a reason.
            throw new TransferException(e.Error, $"The command at the server ended{Reason()}.", e);
        }
    }

    private ValueTask<T> WithinAsync<T>(Func<CancellationToken, Task<T>> step, CancellationToken ct) =>
        WithinAsync(token => new ValueTask<T>(step(token)), ct);

    private async ValueTask<T> WithinAsync<T>(Func<CancellationToken, ValueTask<T>> step, CancellationToken ct)
    {
        using var patience = new CancellationTokenSource(_idle, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, patience.Token);
        try
        {
            return await step(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            throw new TransferConnectionException(TransferError.Timeout,
                $"The command at the server has not moved anything for {_idle.TotalSeconds:0.###} s.");
        }
    }
}
