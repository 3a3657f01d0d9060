using System.Globalization;
using System.Net.Sockets;

namespace Transfer.Wan.Clients.StockFtp;

/// <summary>
/// <c>client stock-ftp [OPTIONS] URL LOCAL...</c>: stores files in the folder at URL as the stock FTP client of .NET does. A folder stands
/// for the files in it.
/// Prints each file's seconds on a line of its own. Ends with 0 when all are stored, 1 at the first that is not, 2 when called wrongly.
/// </summary>
internal static class StockFtpCommand
{
    public static Task<int> RunAsync(string[] args) =>
        RunAsync(args, Environment.GetEnvironmentVariable("TRANSFER_PASSWORD"), Console.Out, Console.Error, TimeProvider.System,
            CancellationToken.None);

    internal static async Task<int> RunAsync(
        IReadOnlyList<string> args, string? password, TextWriter output, TextWriter error, TimeProvider time, CancellationToken ct)
    {
        if (!StockFtpArguments.TryParse(args, out var arguments, out var problem))
        {
            await error.WriteLineAsync($"stock-ftp: {problem}\n{StockFtpArguments.Usage}");
            return 2;
        }

        if (password is null && arguments.Folder.UserInfo.Length > 0)
        {
            await error.WriteLineAsync("stock-ftp: the password is missing: TRANSFER_PASSWORD");
            return 2;
        }

        try
        {
            // What FtpWebRequest sends for an anonymous user.
            await StoreAllAsync(arguments, password ?? "anonymous@", output, time, ct);
            return 0;
        }
        catch (Exception e) when (e is IOException or SocketException or UnauthorizedAccessException)
        {
            await error.WriteLineAsync($"stock-ftp: {e.Message}");
            return 1;
        }
    }

    private static async Task StoreAllAsync(StockFtpArguments arguments, string password, TextWriter output, TimeProvider time,
        CancellationToken ct)
    {
        var folder = arguments.Folder.GetComponents(UriComponents.Path, UriFormat.Unescaped);
        if (folder.Length > 0 && !folder.EndsWith('/')) folder += "/";
        StockFtpSession? session = null;
        try
        {
            foreach (var local in arguments.Locals.SelectMany(FilesOf))
            {
                var started = time.GetTimestamp();
                session ??= await StockFtpSession.OpenAsync(arguments.Folder, password, arguments.Options, time, ct);
                await session.StoreAsync(local, folder + Path.GetFileName(local), ct);
                if (!arguments.Options.KeepSession)
                {
                    await session.QuitAsync(ct);
                    session.Dispose();
                    session = null;
                }

                await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture,
                    $"{Path.GetFileName(local)}\t{time.GetElapsedTime(started).TotalSeconds:0.000}"));
            }

            if (session is not null) await session.QuitAsync(ct);
        }
        finally
        {
            session?.Dispose();
        }
    }

    private static IEnumerable<string> FilesOf(string local) =>
        Directory.Exists(local) ? Directory.EnumerateFiles(local).Order(StringComparer.Ordinal) : [local];
}
