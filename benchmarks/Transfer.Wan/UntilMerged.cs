// PLACEHOLDERS: the report half of this program is built on another branch. Merging it deletes this file.
using Transfer.Wan.Records;

namespace Transfer.Wan.Reports
{
    internal static class ReportWriter
    {
        public static void Write(string report, IReadOnlyList<WanRecord> records, string directory) =>
            Console.Error.WriteLine($"{report}: {records.Count} records for {directory}; the report writer is not merged yet.");
    }
}

namespace Transfer.Wan.Clients.StockFtp
{
    internal static class StockFtpCommand
    {
        public static Task<int> RunAsync(string[] args)
        {
            Console.Error.WriteLine($"stock-ftp {string.Join(' ', args)}: not merged yet.");
            return Task.FromResult(2);
        }
    }
}
