using System.Globalization;

namespace Transfer.Cli.Output;

/// <summary>Times of logs: local, to the millisecond, with the offset from UTC (RFC 3339).</summary>
internal static class LogTime
{
    public static string Now(TimeProvider time) =>
        time.GetLocalNow().ToString("yyyy-MM-dd'T'HH:mm:ss.fffzzz", CultureInfo.InvariantCulture);
}
