using Transfer.Sftp.Ssh.Wire;

namespace Transfer.TestSupport.Ssh;

/// <summary>
/// A scripted SSH server that carries each direct-tcpip channel to another scripted server. The first hop listens; those behind it are
/// reached in memory.
/// </summary>
internal sealed class ScriptedHop : IDisposable
{
    private readonly ListeningServer? _listening;
    private readonly SemaphoreSlim _sending = new(1);
    private readonly Dictionary<uint, ScriptedServer> _channels = [];

    public ScriptedHop(bool listens = true)
    {
        if (listens) _listening = new ListeningServer();
        Script = _listening?.Script ?? new ScriptedServer();
    }

    public ScriptedServer Script { get; }

    public int Port => _listening!.Port;

    /// <summary>What is behind a host and port; null: the channel is refused.</summary>
    public Func<string, int, ScriptedServer?> Reach { get; init; } = (_, _) => null;

    /// <summary>The hosts that were asked for.</summary>
    public List<string> Asked { get; } = [];

    /// <summary>
    /// Carries until the client says goodbye or its connection has ended, which is when the task ends. On a busy machine the goodbye can
    /// miss the second that a client gives it before the socket is closed.
    /// </summary>
    public async Task CarryAsync()
    {
        try
        {
            await CarryToGoodbyeAsync();
        }
        catch (IOException) when (Script.Client.IsDisposed)
        {
            // The client is gone.
        }
    }

    /// <summary>The connection to the hop breaks.</summary>
    public void Break() => Script.Reset();

    public void Dispose()
    {
        _listening?.Dispose();
        Script.Dispose();
        _sending.Dispose();
    }

    private async Task CarryToGoodbyeAsync()
    {
        while (true)
        {
            var message = await Script.ReceiveAsync();
            switch (message[0])
            {
                case MessageNumber.Disconnect:
                    return;
                case MessageNumber.ChannelOpen:
                    await OpenAsync(message);
                    break;
                case MessageNumber.ChannelData:
                    var (id, data) = ReadData(message);
                    await _channels[id].Client.WriteAsync(data);
                    break;
                case MessageNumber.ChannelClose:
                    var closed = ReadData(message, hasData: false).Id;
                    await SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelClose, closed));
                    break;
            }
        }
    }

    private async Task OpenAsync(byte[] open)
    {
        var (id, type, host, port) = ReadOpen(open);
        Assert.That(type, Is.EqualTo("direct-tcpip"));
        Asked.Add($"{host}:{port}");
        if (Reach(host, (int)port) is not { } target)
        {
            await SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelOpenFailure, id, w =>
            {
                w.WriteUInt32(1);
                w.WriteString("not from here");
                w.WriteString("");
            }));
            return;
        }

        _channels[id] = target;
        await SendAsync(ScriptedServer.Confirmation(id, 1 << 30, 32768));
        _ = ReturnAsync(id, target);
    }

    /// <summary>What the server behind sends goes back through the channel.</summary>
    private async Task ReturnAsync(uint id, ScriptedServer target)
    {
        var buffer = new byte[32768];
        try
        {
            int count;
            while ((count = await target.Client.ReadAsync(buffer)) > 0) await SendAsync(ScriptedServer.Data(id, buffer[..count]));
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task SendAsync(byte[] message)
    {
        await _sending.WaitAsync();
        try
        {
            await Script.SendAsync(message);
        }
        finally
        {
            _sending.Release();
        }
    }

    // The number that is ours is theirs + 70.
    private static (uint Id, byte[] Data) ReadData(byte[] message, bool hasData = true)
    {
        var reader = new SshReader(message.AsSpan(1));
        var id = reader.ReadUInt32() - 70;
        return (id, hasData ? reader.ReadString().ToArray() : []);
    }

    private static (uint Id, string Type, string Host, uint Port) ReadOpen(byte[] message)
    {
        var reader = new SshReader(message.AsSpan(1));
        var type = reader.ReadText();
        var id = reader.ReadUInt32();
        reader.ReadUInt32();
        reader.ReadUInt32();
        return (id, type, reader.ReadText(), reader.ReadUInt32());
    }
}
