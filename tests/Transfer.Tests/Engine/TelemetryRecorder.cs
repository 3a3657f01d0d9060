using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Transfer.Tests.Engine;

/// <summary>What is metered and traced in the process: for tests that run alone.</summary>
internal sealed class TelemetryRecorder : IDisposable
{
    private readonly Lock _gate = new();
    private readonly MeterListener _meters = new();
    private readonly ActivityListener _activities;
    private readonly List<string> _operations = [];
    private readonly List<string> _spans = [];
    private readonly Dictionary<string, long> _io = [];

    public TelemetryRecorder()
    {
        _meters.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == TransferTelemetry.MeterName) listener.EnableMeasurementEvents(instrument);
        };
        _meters.SetMeasurementEventCallback<double>((instrument, _, tags, _) =>
        {
            if (instrument.Name == TransferTelemetry.OperationDuration)
                Keep(_operations, $"{Tag(tags, TransferTelemetry.OperationAttribute)}");
        });
        _meters.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            if (instrument.Name != TransferTelemetry.Io) return;
            var key = $"{Tag(tags, TransferTelemetry.DirectionAttribute)} {Tag(tags, TransferTelemetry.SchemeAttribute)} "
                + $"{Tag(tags, TransferTelemetry.AddressAttribute)}:{Tag(tags, TransferTelemetry.PortAttribute)}";
            lock (_gate) _io[key] = _io.GetValueOrDefault(key) + value;
        });
        _meters.Start();
        _activities = new ActivityListener
        {
            ShouldListenTo = source => source.Name == TransferTelemetry.ActivitySourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity => Keep(_spans, activity.OperationName),
        };
        ActivitySource.AddActivityListener(_activities);
    }

    /// <summary>Operations that have a duration, as they end.</summary>
    public IReadOnlyList<string> Operations
    {
        get { lock (_gate) return [.. _operations]; }
    }

    /// <summary>Operations that have a span, as they end.</summary>
    public IReadOnlyList<string> Spans
    {
        get { lock (_gate) return [.. _spans]; }
    }

    /// <summary>Content bytes, by direction, scheme and server.</summary>
    public IReadOnlyDictionary<string, long> Io
    {
        get { lock (_gate) return new Dictionary<string, long>(_io); }
    }

    public void Dispose()
    {
        _meters.Dispose();
        _activities.Dispose();
    }

    private void Keep(List<string> list, string name)
    {
        lock (_gate) list.Add(name);
    }

    private static object? Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string name)
    {
        foreach (var tag in tags)
        {
            if (tag.Key == name) return tag.Value;
        }

        return null;
    }
}
