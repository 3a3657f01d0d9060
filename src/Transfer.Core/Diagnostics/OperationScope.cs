using System.Diagnostics;

namespace Transfer.Diagnostics;

/// <summary>One operation as a span and as a measured duration.</summary>
internal sealed class OperationScope : IDisposable
{
    private readonly Activity? _activity;
    private readonly TimeProvider _time;
    private readonly long _started;
    private TagList _tags;

    public OperationScope(string operation, ReadOnlySpan<KeyValuePair<string, object?>> server, TimeProvider time)
    {
        _time = time;
        _started = time.GetTimestamp();
        _tags = new TagList(server) { { TransferTelemetry.OperationAttribute, operation } };
        _activity = TransferDiagnostics.Activities.StartActivity(operation, ActivityKind.Client, default(ActivityContext), _tags);
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
        _tags.Add(TransferTelemetry.ErrorTypeAttribute, type);
        _activity?.SetTag(TransferTelemetry.ErrorTypeAttribute, type);
        _activity?.SetStatus(ActivityStatusCode.Error, type);
    }

    public void Dispose()
    {
        TransferDiagnostics.Duration.Record(_time.GetElapsedTime(_started).TotalSeconds, _tags);
        _activity?.Dispose();
    }
}
