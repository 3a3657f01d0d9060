using System.Net;
using System.Net.Sockets;

namespace Transfer.Wan.Clients.StockFtp;

/// <summary>A session of the stock client: from the greeting to QUIT.</summary>
internal sealed class StockFtpSession : IDisposable
{
    // What Stream.CopyTo writes at a time where nobody says otherwise.
    private const int UsualWrite = 81_920;

    private readonly StockControlConnection _control;
    private readonly StockFtpOptions _options;
    private readonly TimeProvider _time;

    private StockFtpSession(StockControlConnection control, StockFtpOptions options, TimeProvider time)
    {
        _control = control;
        _options = options;
        _time = time;
    }

    public static async Task<StockFtpSession> OpenAsync(Uri server, string password, StockFtpOptions options, TimeProvider time,
        CancellationToken ct)
    {
        var control = await StockControlConnection.ConnectAsync(server.DnsSafeHost, server.Port, ct);
        var session = new StockFtpSession(control, options, time);
        try
        {
            await session.LogInAsync(server.UserInfo.Length == 0 ? "anonymous" : Uri.UnescapeDataString(server.UserInfo), password, ct);
            return session;
        }
        catch
        {
            session.Dispose();
            throw;
        }
    }

    public async Task StoreAsync(string local, string path, CancellationToken ct)
    {
        await using var source = new FileStream(local, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1,
            FileOptions.SequentialScan);
        string[] commands = [_control.ServerAddress.AddressFamily == AddressFamily.InterNetwork ? "PASV" : "EPSV", $"STOR {path}"];
        await _control.SendAsync(_options.OverlapCommands ? commands : commands[..1], ct);
        var port = PassivePort.Of(await _control.ReadAsync(ct));
        var address = _control.ServerAddress;
        // Dns.GetHostEntry asks for the name of an address that it is given; only then does the client go on.
        if (_options.ReverseLookup) await Task.Delay(_options.ResolverDelay, _time, ct);

        using var data = NewDataSocket(address.AddressFamily, _options);
        try
        {
            await data.ConnectAsync(new IPEndPoint(address, port), ct);
            if (!_options.OverlapCommands)
            {
                await _control.SendAsync(commands[1..], ct);
                await ReadOpeningAsync(ct);
            }

            await SendContentAsync(source, data, ct);
        }
        catch (SocketException) when (_options.OverlapCommands)
        {
            // A STOR that was refused closes the data connection: its reply says why, if there is one.
            await ReadOutcomeAsync(ct);
            throw;
        }

        await ReadOutcomeAsync(ct);
    }

    public async Task QuitAsync(CancellationToken ct)
    {
        await _control.SendAsync(["QUIT"], ct);
        if (!_options.OverlapCommands) await _control.ReadAsync(ct);
    }

    public void Dispose() => _control.Dispose();

    internal static Socket NewDataSocket(AddressFamily family, StockFtpOptions options)
    {
        var socket = new Socket(family, SocketType.Stream, ProtocolType.Tcp);
        if (options.SendBuffer > 0) socket.SendBufferSize = options.SendBuffer;
        return socket;
    }

    private static void Expect(StockReply reply, string command, Func<StockReply, bool> isExpected)
    {
        if (!isExpected(reply)) throw new StockFtpException($"{command}: {reply}");
    }

    private async Task LogInAsync(string user, string password, CancellationToken ct)
    {
        Expect(await _control.ReadAsync(ct), "greeting", reply => reply.Code == 220);
        string[] commands = [$"USER {user}", $"PASS {password}", "OPTS utf8 on", "PWD", "TYPE I"];
        if (_options.OverlapCommands) await _control.SendAsync(commands, ct);
        var isLoggedIn = false;
        foreach (var command in commands)
        {
            var verb = command.Split(' ')[0];
            // A server that asks for no password is not sent one; what was sent ahead is answered all the same.
            if (verb == "PASS" && isLoggedIn && !_options.OverlapCommands) continue;
            if (!_options.OverlapCommands) await _control.SendAsync([command], ct);
            var reply = await _control.ReadAsync(ct);
            if (verb == "USER") isLoggedIn = reply.IsCompleted;
            Expect(reply, verb, answer => verb switch
            {
                "OPTS" => true,
                "USER" => answer.IsCompleted || answer.IsIntermediate,
                "PASS" => answer.IsCompleted || isLoggedIn,
                _ => answer.IsCompleted,
            });
        }
    }

    private async Task ReadOpeningAsync(CancellationToken ct) => Expect(await _control.ReadAsync(ct), "STOR", reply => reply.IsPreliminary);

    private async Task ReadOutcomeAsync(CancellationToken ct)
    {
        if (_options.OverlapCommands) await ReadOpeningAsync(ct);
        Expect(await _control.ReadAsync(ct), "STOR", reply => reply.IsCompleted);
    }

    private async Task SendContentAsync(FileStream source, Socket data, CancellationToken ct)
    {
        var buffer = new byte[_options.SendBuffer > 0 ? _options.SendBuffer : UsualWrite];
        for (int read; (read = await source.ReadAsync(buffer, ct)) > 0;)
        {
            for (var sent = 0; sent < read;) sent += await data.SendAsync(buffer.AsMemory(sent, read - sent), ct);
        }

        data.Shutdown(SocketShutdown.Send);
    }
}
