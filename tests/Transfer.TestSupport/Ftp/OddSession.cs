using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transfer.TestSupport.Ftp;

/// <summary>One session of an <see cref="OddServer"/>.</summary>
internal sealed class OddSession(OddServer server, Socket socket, CancellationToken stop) : IDisposable
{
    private readonly List<byte> _read = [];
    private TcpListener? _data;
    private TcpListener? _stray;
    private Socket? _accepted;
    private bool _isEarly; // a command had come before the data connection
    private string _folder = server.Home is null ? "/" : "/home";
    private string _renamed = "";
    private bool _isIn;
    private int _offset;

    public async Task RunAsync(Action<string> heard)
    {
        await SendAsync(server.Greeting);
        while (await ReadLineAsync() is { } line)
        {
            heard(line);
            if (server.HangsUpOnBatches && _read.Count > 0) return;
            if (server.BatchReply is { } whole && _read.Count > 0)
            {
                _read.Clear();
                await SendAsync(whole);
                if (whole.StartsWith("421", StringComparison.Ordinal)) return;
                continue;
            }
            var space = line.IndexOf(' ', StringComparison.Ordinal);
            var (verb, argument) = space < 0 ? (line, "") : (line[..space], server.Read(line[(space + 1)..]));
            if (verb == server.EndsAt) return;
            if (verb == server.HangsAt)
            {
                while (await socket.ReceiveAsync(new byte[4096], stop) > 0) continue;
                return;
            }
            var reply = server.Reply(verb, argument);
            if (reply?.Length == 0) continue;
            await SendAsync(reply ?? await AnswerAsync(verb, argument));
            _isIn |= verb == "PWD" || (verb == "TYPE" && _read.Count == 0);
            if (reply is null && server.WaitsForConnections && verb is "EPSV" or "PASV") await WaitForConnectionAsync();
        }
    }

    public void Dispose()
    {
        _data?.Stop();
        _stray?.Stop();
        _accepted?.Dispose();
    }

    private async Task WaitForConnectionAsync()
    {
        _accepted?.Dispose();
        _accepted = await _data!.AcceptSocketAsync(stop);
        _isEarly = _read.Count > 0;
    }

    private async Task SendAsync(string reply) => await socket.SendAsync(Encoding.UTF8.GetBytes(reply + "\r\n"), stop);

    private async Task<string?> ReadLineAsync()
    {
        while (true)
        {
            var end = _read.IndexOf((byte)'\n');
            if (end >= 0)
            {
                var line = Encoding.UTF8.GetString([.. _read.Take(end)]).TrimEnd('\r');
                _read.RemoveRange(0, server.ReadsOneCommand || (server.ReadsOneOnceIn && _isIn) ? _read.Count : end + 1);
                return line;
            }
            var buffer = new byte[4096];
            var count = await socket.ReceiveAsync(buffer, stop);
            if (count == 0) return null;
            _read.AddRange(buffer.AsSpan(0, count));
        }
    }

    private string Full(string path) =>
        path.Length == 0 ? _folder
        : path == server.Home?.Name ? "/home"
        : path[0] == '/' ? path : _folder.TrimEnd('/') + "/" + path;

    private async Task<string> AnswerAsync(string verb, string argument)
    {
        var path = Full(argument);
        switch (verb)
        {
            case "USER": return "331 password";
            case "PASS": return "230 in";
            case "SYST": return "215 UNIX Type: L8";
            case "FEAT": return $"211-Features\r\n{string.Concat(server.Features.Select(feature => $" {feature}\r\n"))}211 End";
            case "PWD" when server.Home is { } home: return home.Reply;
            case "PWD": return $"257 \"{_folder}\"";
            case "CWD" when server.EntersAbsent || server.Folders.ContainsKey(path): server.Entered = _folder = path; return "250 there";
            case "MKD" when server.Folders.TryAdd(path, true): return "257 made";
            case "SIZE"
                when server.Files.TryGetValue(path, out var sized):
                return $"213 {sized.Length.ToString(CultureInfo.InvariantCulture)}";
            case "MDTM" when server.Files.ContainsKey(path): return $"213 {server.Stamp(path)}";
            case "MLST"
                when server.Files.TryGetValue(path,
                    out var found):
                return $"250-\r\n type=file;size={found.Length.ToString(CultureInfo.InvariantCulture)};modify={server.Stamp(path)}; "
                    + $"{path}\r\n250 end";
            case "MLST" when server.Folders.ContainsKey(path): return $"250-\r\n type=dir;modify={server.Stamp(path)}; {path}\r\n250 end";
            case "MFMT" when server.KeepsTimes: return Retime(argument);
            case "DELE" or "RMD" when server.DeletesWhole && server.TryDeleteWhole(path): return "250 gone";
            case "DELE" when server.Files.TryRemove(path, out _): return "250 gone";
            case "RNFR" when server.Files.ContainsKey(path): _renamed = path; return "350 to what?";
            case "RNTO" when server.TakenReply is not null && server.Files.ContainsKey(path): return server.TakenReply;
            case "RNTO" when server.Files.TryRemove(_renamed, out var moved): return Name(path, moved);
            case "REST": _offset = int.Parse(argument, CultureInfo.InvariantCulture); return "350 there";
            case "EPSV" when server.HasStrayEpsv: return $"229 here (|||{ListenElsewhere()}|)";
            case "EPSV": return $"229 here (|||{Listen(server.HasDeadEpsv)}|)";
            case "PASV": return Passive();
            case "LIST" or "NLST" when server.ListReply(argument.StartsWith('-') ? _folder : path) is { } refusal: return refusal;
            case "LIST": return await ListAsync(verb, argument.StartsWith('-') ? _folder : path, folder => server.List(folder, false));
            case "NLST": return await ListAsync(verb, path, server.Names);
            case "RMD" when server.Folders.ContainsKey(path) && !server.IsEmpty(path): return "550 not empty";
            case "RMD" when server.Folders.TryRemove(path, out _): return "250 gone";
            case "MLSD" when server.Folders.ContainsKey(path):
                return await ListAsync(verb, path, folder => server.List(folder, machine: true));
            case "RETR"
                when server.Files.TryGetValue(path, out var content):
                return await MoveAsync(content[_offset..], reset: server.ResetsAfter);
            case "STOR" when _isEarly: server.Files[path] = []; return "426 no connection";
            case "STOR": return await MoveAsync(null, path);
            case "TYPE" or "OPTS" or "NOOP" or "ABOR" or "ACCT" or "PRET" or "MFMT" or "SITE": return "200 so be it";
            case "QUIT": return "221 bye";
            case "SIZE" or "MDTM" or "MLST" or "MLSD" or "CWD" or "MKD" or "DELE" or "RNFR" or "RNTO" or "RETR": return "550 no such name";
            default: return "502 unknown";
        }
    }

    private string Retime(string argument)
    {
        var (stamp, path) = (argument[..14], Full(argument[15..]));
        if (!server.Files.ContainsKey(path)) return "550 no such name";
        server.Times[path] =
            DateTimeOffset.ParseExact(stamp, "yyyyMMddHHmmss", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
        return $"213 Modify={stamp}; {path}";
    }

    private string Name(string path, byte[] content)
    {
        server.Files[path] = content;
        if (server.Times.TryRemove(_renamed, out var time)) server.Times[path] = time;
        return "250 renamed";
    }

    private Task<string> ListAsync(string verb, string folder, Func<string, string> list) =>
        MoveAsync(Encoding.UTF8.GetBytes(server.Lines(verb, folder) ?? list(folder)), reset: server.ResetsAfter);

    private int Listen(bool isDead)
    {
        _data?.Stop();
        _data = new TcpListener(server.DataAddress ?? server.Address, 0);
        _data.Start();
        var port = ((IPEndPoint)_data.LocalEndpoint).Port;
        if (isDead) _data.Stop();
        if (isDead) _data = null;
        return port;
    }

    private int ListenElsewhere()
    {
        _stray?.Stop();
        _stray = new TcpListener(server.Address, 0);
        _stray.Start();
        return ((IPEndPoint)_stray.LocalEndpoint).Port;
    }

    private string Passive()
    {
        var port = Listen(isDead: false);
        return string.Create(CultureInfo.InvariantCulture,
            $"227 here ({(server.DataAddress ?? server.Address).ToString().Replace('.', ',')},{port >> 8},{port & 255})");
    }

    private async Task<string> MoveAsync(byte[]? content, string path = "", Task? reset = null)
    {
        await SendAsync(server.Opening);
        if (_data is not { } listener) return "425 no connection";
        using var data = _accepted ?? await listener.AcceptSocketAsync(stop);
        (_accepted, _offset) = (null, 0);
        if (content is not null)
        {
            if (!await TrySendAsync(data, content, ends: reset is null)) return "426 the client closed the connection";
        }
        else
        {
            using var received = new MemoryStream();
            var buffer = new byte[65536];
            while (await data.ReceiveAsync(buffer, stop) is > 0 and var count) received.Write(buffer, 0, count);
            server.Files[path] = received.ToArray();
            if (server.KeepsTimes) server.Times[path] = DateTimeOffset.UtcNow;
            data.Shutdown(SocketShutdown.Send);
        }
        if (reset is not null)
        {
            await reset.WaitAsync(stop);
            data.Close(0);
        }
        listener.Stop();
        _data = null;
        return server.Closing;
    }

    private async Task<bool> TrySendAsync(Socket data, byte[] content, bool ends)
    {
        try
        {
            await data.SendAsync(content, stop);
            if (ends) data.Shutdown(SocketShutdown.Send);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
