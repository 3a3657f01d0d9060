using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Transfer.Diagnostics;

/// <summary>One operation as a span and as a measurement of its duration.</summary>
internal sealed class OperationScope : IDisposable
{
    private readonly Activity? _activity;
    private readonly Histogram<double> _duration;
    private readonly TimeProvider _time;
    private readonly long _started;
    private TagList _tags;

    public OperationScope(string operation, Uri endpoint, TimeProvider time, ActivitySource activities, Histogram<double> duration)
    {
        _time = time;
        _duration = duration;
        _started = time.GetTimestamp();
        _tags = new TagList
        {
            { TransferTelemetry.OperationAttribute, operation },
            { "url.scheme", endpoint.Scheme },
            { "server.address", endpoint.Host },
        };
        if (endpoint.Port > 0) _tags.Add("server.port", endpoint.Port);
        _activity = activities.StartActivity(operation, ActivityKind.Client, default(ActivityContext), _tags);
    }

    /// <summary>Marks the operation as failed.</summary>
    public void Fail(Exception exception)
    {
        var type = exception switch
        {
            TransferException transfer => transfer.Error.ToString(),
            OperationCanceledException => "Canceled",
            _ => exception.GetType().Name,
        };
        _tags.Add("error.type", type);
        _activity?.SetTag("error.type", type);
        _activity?.SetStatus(ActivityStatusCode.Error, type);
    }

    public void Dispose()
    {
        _duration.Record(_time.GetElapsedTime(_started).TotalSeconds, _tags);
        _activity?.Dispose();
    }
}
