using System.Diagnostics.Metrics;

namespace Transfer.Cli.Connections;

/// <summary>
/// Reads the library's own count of open sessions (the meter's <c>transfer.client.connection.count</c>) and keeps the highest.
/// </summary>
internal sealed class SessionGauge : IDisposable
{
    private readonly Lock _gate = new();
    private readonly MeterListener _listener = new();
    private int _now;
    private int _peak;

    public SessionGauge()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument is { Meter.Name: "Transfer", Name: "transfer.client.connection.count" })
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<int>((_, sessions, _, _) => _now += sessions);
        _listener.Start();
    }

    /// <summary>
    /// The most that were open whenever it was asked. Sessions stay open for a while after their last file, so asking after each file is
    /// enough.
    /// </summary>
    public int Sample()
    {
        lock (_gate)
        {
            _now = 0;
            _listener.RecordObservableInstruments();
            return _peak = Math.Max(_peak, _now);
        }
    }

    public void Dispose() => _listener.Dispose();
}
