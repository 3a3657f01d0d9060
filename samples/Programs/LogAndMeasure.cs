using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using Transfer;
using Transfer.Ftp;
using Transfer.Hosting;

namespace Programs;

/// <summary>Log messages, and metrics by OpenTelemetry.</summary>
internal static class LogAndMeasure
{
    public static async Task RunAsync(Uri server, TransferCredential logIn)
    {
        using var loggers = LoggerFactory.Create(logging => logging.AddSimpleConsole().SetMinimumLevel(LogLevel.Information));
        var exported = new List<Metric>();
        using var metrics = Sdk.CreateMeterProviderBuilder()
            .AddTransferInstrumentation()
            .AddInMemoryExporter(exported) // In a service: AddOtlpExporter(), AddPrometheusExporter().
            .Build();

        await using (var client = new FtpTransferClient(server, new FtpOptions { Credential = logIn, LoggerFactory = loggers }))
        {
            await client.UploadDirectoryAsync("photos", "photos");
        }

        metrics.ForceFlush();
        foreach (var metric in exported.DistinctBy(metric => metric.Name)) Console.WriteLine($"{metric.Name} in {metric.Unit}");
    }
}
