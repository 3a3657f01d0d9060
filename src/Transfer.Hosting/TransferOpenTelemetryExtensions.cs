using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Transfer.Hosting;

/// <summary>Adds Transfer's metrics and traces to OpenTelemetry's providers; the names are in <see cref="TransferTelemetry"/>.</summary>
public static class TransferOpenTelemetryExtensions
{
    /// <summary>Collects the metrics: durations of operations, bytes, retries, open sessions.</summary>
    public static MeterProviderBuilder AddTransferInstrumentation(this MeterProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddMeter(TransferTelemetry.MeterName);
    }

    /// <summary>Collects the spans, one an operation.</summary>
    public static TracerProviderBuilder AddTransferInstrumentation(this TracerProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddSource(TransferTelemetry.ActivitySourceName);
    }
}
