using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using System.Threading.Channels;
using Transfer.Testing.Connections;

namespace Transfer.Testing.Ftp;

/// <summary>Reads command lines from a control connection as they arrive, also during a transfer, and queues them.</summary>
internal sealed class CommandPump
{
    private const int MaxQueued = 8192;

    private readonly Encoding _encoding;
    private readonly ICommandArrival _arrival;
    private readonly Channel<ControlCommand> _queue =
        Channel.CreateBounded<ControlCommand>(new BoundedChannelOptions(MaxQueued) { SingleWriter = true });
    private long _sequence;
    private int _reads;
    private bool _discarding;

    public CommandPump(Encoding encoding, ICommandArrival arrival)
    {
        _encoding = encoding;
        _arrival = arrival;
    }

    public ChannelReader<ControlCommand> Commands => _queue.Reader;

    /// <summary>Reads until the peer closes or the token is cancelled. Never throws for either.</summary>
    public async Task RunAsync(Stream stream, CancellationToken ct)
    {
        try
        {
            Stream? next = stream;
            while (next is not null) next = await ReadAsync(next, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (Disconnect.IsDisconnect(e))
        {
            // The end of the queue shows this to the session.
        }
        finally
        {
            _queue.Writer.TryComplete();
            _arrival.Ended();
        }
    }

    /// <summary>Reads from one stream; returns the one to go on with, or null at the end.</summary>
    private async Task<Stream?> ReadAsync(Stream stream, CancellationToken ct)
    {
        var reader = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: 2 * CommandLine.MaxLength, leaveOpen: true));
        try
        {
            while (true)
            {
                var result = await reader.ReadAsync(ct).ConfigureAwait(false);
                _reads++;
                var duringTransfer = _arrival.IsTransferring;
                var buffer = result.Buffer;
                while (Next(ref buffer) is { } line)
                {
                    var command = Describe(line, isFollowed: !buffer.IsEmpty);
                    if (!await _arrival.AcceptAsync(command, _reads, duringTransfer, ct).ConfigureAwait(false)) continue;
                    await _queue.Writer.WriteAsync(command, ct).ConfigureAwait(false);
                    if (command.NextStream is not { } barrier) continue;
                    var next = await barrier.Task.WaitAsync(ct).ConfigureAwait(false);
                    if (next != stream) return next;
                }

                reader.AdvanceTo(buffer.Start, buffer.End);
                if (result.IsCompleted) return null;
            }
        }
        finally
        {
            await reader.CompleteAsync().ConfigureAwait(false);
        }
    }

    private ControlCommand Describe(ParsedLine line, bool isFollowed) => new()
    {
        Line = line,
        Sequence = ++_sequence,
        IsFollowed = isFollowed,
        NextStream = line.Verb is "AUTH" or "CCC" ? new(TaskCreationOptions.RunContinuationsAsynchronously) : null,
    };

    /// <summary>The next line, or null when more bytes are needed. An overlong line is dropped on arrival, in bounded memory.</summary>
    private ParsedLine? Next(ref ReadOnlySequence<byte> buffer)
    {
        if (CommandLine.TryTake(ref buffer, out var line))
        {
            var discarded = _discarding;
            _discarding = false;
            return discarded ? new(string.Empty, string.Empty, LineFault.TooLong) : CommandLine.Parse(line, _encoding);
        }

        if (_discarding || buffer.Length > CommandLine.MaxLength)
        {
            _discarding = true;
            buffer = buffer.Slice(buffer.End);
        }

        return null;
    }
}
