using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Transfer.TestSupport.Network;

namespace Transfer.Cli.Tests.Hostile;

/// <summary>An FTP server that offers TLS, and attacks whoever comes.</summary>
internal sealed class HostileFtpServer(HostileAttack attack) : HostilePeer(attack)
{
    private readonly X509Certificate2 _certificate = TestCertificate.Create();
    private long _names;

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _certificate.Dispose();
    }

    protected override async Task ServeAsync(Stream stream)
    {
        if (Attack == HostileAttack.FloodBeforeKeys) await FloodAsync(stream, "120 soon\r\n"u8.ToArray());
        if (Attack == HostileAttack.Drip)
        {
            await SayAsync(stream, "220-");
            await DripAsync(stream, "x"u8.ToArray());
        }
        await SayAsync(stream, "220 here\r\n");
        var isTls = false;
        TcpListener? data = null;
        for (var lines = new LineReader(stream); await lines.ReadAsync(Stop) is { } line;)
        {
            var verb = line.Split(' ')[0].ToUpperInvariant();
            if (verb == "AUTH")
            {
                await SayAsync(stream, "234 go on\r\n");
                stream = await SecureAsync(stream);
                lines = new LineReader(stream);
                isTls = true;
                continue;
            }
            if (verb == "USER" && Attack == HostileAttack.FloodAfterKeys) await FloodAsync(stream, "150 not yet\r\n"u8.ToArray());
            if (verb is "MLST" or "SIZE" or "MLSD" && Attack == HostileAttack.FloodAfterLogIn)
                await FloodAsync(stream, "150 not yet\r\n"u8.ToArray());
            if (verb == "EPSV")
            {
                data = new TcpListener(IPAddress.Loopback, 0);
                data.Start();
                await SayAsync(stream, $"229 there (|||{((IPEndPoint)data.LocalEndpoint).Port}|)\r\n");
            }
            else if (verb is "MLSD" or "RETR" && data is not null)
            {
                await SayAsync(stream, "150 it comes\r\n");
                await SendAsync(data, isTls, verb == "MLSD");
                await SayAsync(stream, "426 gone\r\n");
            }
            else
            {
                await SayAsync(stream, Answer(verb, line));
            }
        }
    }

    private static string Answer(string verb, string line) => verb switch
    {
        "USER" => "331 go on\r\n",
        "PASS" => "230 in\r\n",
        "SYST" => "215 UNIX\r\n",
        "FEAT" => "211-these\r\n SIZE\r\n MLST type*;size*;modify*;\r\n UTF8\r\n EPSV\r\n211 end\r\n",
        "PWD" => "257 \"/\"\r\n",
        "CWD" => "250 there\r\n",
        "SIZE" => $"213 {Length}\r\n",
        "MDTM" => "213 20260101000000\r\n",
        "MLST" =>
            $"250-this\r\n type={(line.Contains("file", StringComparison.Ordinal) ? $"file;size={Length}" : "dir")};modify=20260101000000; {line[5..]}\r\n250 end\r\n",
        "PBSZ" or "PROT" or "OPTS" or "TYPE" or "CLNT" or "ABOR" or "NOOP" => "200 yes\r\n",
        "QUIT" => "221 gone\r\n",
        _ => "502 no\r\n",
    };

    private async Task SendAsync(TcpListener listener, bool isTls, bool isListing)
    {
        try
        {
            using var socket = await listener.AcceptSocketAsync(Stop);
            await using Stream raw = new NetworkStream(socket);
            await using var stream = isTls ? await SecureAsync(raw) : raw;
            while (true) await stream.WriteAsync(isListing ? Names() : new byte[65536], Stop);
        }
        catch (IOException)
        {
            // The command has had enough.
        }
        finally
        {
            listener.Stop();
        }
    }

    private byte[] Names()
    {
        var text = new StringBuilder(65536);
        for (var i = 0; i < 1000; i++)
        {
            text.Append(System.Globalization.CultureInfo.InvariantCulture,
                $"type=file;size=1;modify=20260101000000; {Interlocked.Increment(ref _names):x8}\r\n");
        }

        return Encoding.ASCII.GetBytes(text.ToString());
    }

    private async Task<SslStream> SecureAsync(Stream stream)
    {
        var tls = new SslStream(stream);
        await tls.AuthenticateAsServerAsync(TestCertificate.ServerOptions(_certificate), Stop);
        return tls;
    }

    private async Task SayAsync(Stream stream, string text) => await stream.WriteAsync(Encoding.ASCII.GetBytes(text), Stop);

    private sealed class LineReader(Stream stream)
    {
        private readonly byte[] _buffer = new byte[65536];
        private int _start;
        private int _end;

        public async Task<string?> ReadAsync(CancellationToken ct)
        {
            var line = new StringBuilder();
            while (true)
            {
                var length = _buffer.AsSpan(_start, _end - _start).IndexOf((byte)'\n');
                line.Append(Encoding.Latin1.GetString(_buffer, _start, length < 0 ? _end - _start : length));
                _start = length < 0 ? _end : _start + length + 1;
                if (length >= 0) return line.ToString().TrimEnd('\r');
                (_start, _end) = (0, await stream.ReadAsync(_buffer, ct));
                if (_end == 0) return null;
            }
        }
    }
}
