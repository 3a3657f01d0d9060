using System.Globalization;
using Quartz;

namespace Transfer.Fleet;

/// <summary>The progress of a part, written to the database by Quartz, once a second at most.</summary>
/// <param name="context">The firing.</param>
internal sealed class PartProgress(IJobExecutionContext context) : IProgress<TransferProgress>
{
    public void Report(TransferProgress value)
    {
        var percent = value.TotalBytes is > 0 and var total ? (int)Math.Clamp(100 * value.Bytes / total, 0, 100) : 0;
        context.ReportProgress(percent, string.Create(
            CultureInfo.InvariantCulture, $"{value.Files} files, {value.Bytes / 1e6:f1} MB, {value.BytesPerSecond / 1e6:f1} MB/s"));
    }
}
