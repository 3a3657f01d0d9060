using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Soak;

/// <summary>What befalls a server in the course of years: restarts, lost connections, a full disk.</summary>
/// <param name="server">The server, which this alone ends and starts.</param>
/// <param name="disk">The folder on the server's disk.</param>
/// <param name="random">Chooses.</param>
internal sealed class SoakTrouble(RealServer server, string disk, Random random)
{
    private const int LongestPause = 9000;
    private const int LongestTrouble = 2500;

    private int _restarts;
    private int _cuts;
    private int _fills;

    /// <summary>Makes trouble until the token fires; the server serves and the disk has space at the end.</summary>
    public async Task RunAsync(CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            await Task.Delay(random.Next(LongestPause), end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            switch (random.Next(3))
            {
                case 0:
                    _restarts++;
                    server.Kill();
                    await Task.Delay(random.Next(LongestTrouble), CancellationToken.None);
                    await server.StartAsync();
                    break;
                case 1:
                    var sessions = server.Sessions();
                    if (sessions.Count > 0 && RealServer.KillOne(sessions[random.Next(sessions.Count)])) _cuts++;
                    break;
                default:
                    _fills++;
                    await FillAsync();
                    break;
            }
        }
    }

    public override string ToString() => $"{_restarts} restarts, {_cuts} connections cut, {_fills} times a full disk";

    private async Task FillAsync()
    {
        var path = Path.Combine(disk, "filler");
        try
        {
            await using var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
            var block = new byte[256 * 1024];
            for (var size = block.Length; size >= 4096;)
            {
                try
                {
                    await file.WriteAsync(block.AsMemory(0, size));
                }
                catch (IOException)
                {
                    size /= 2;
                }
            }

            await Task.Delay(random.Next(LongestTrouble));
        }
        finally
        {
            File.Delete(path);
        }
    }
}
