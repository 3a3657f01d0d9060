namespace Transfer.Tests.Replay;

/// <summary>What servers do in one run: how long each answer takes, and what goes wrong. All of it is drawn.</summary>
internal sealed class Weather
{
    private readonly Random _random;
    private readonly double _lost;
    private readonly double _refused;
    private readonly double _slow;
    private readonly double _latency;
    private bool _fair;

    public Weather(Random random)
    {
        _random = random;
        _fair = random.Next(5) == 0;
        _lost = random.Next(2) * Math.Pow(10, -1 - 2 * random.NextDouble());
        _refused = random.Next(3) == 0 ? 0.05 * random.NextDouble() : 0;
        _slow = random.Next(3) == 0 ? 0.03 * random.NextDouble() : 0;
        _latency = random.Next(4) == 0 ? 0 : Math.Pow(10, -3 * random.NextDouble()) / 4;
    }

    /// <summary>Nothing goes wrong from now on.</summary>
    public void Clear() => _fair = true;

    /// <summary>An answer's time.</summary>
    public TimeSpan Latency()
    {
        var slow = !_fair && _random.NextDouble() < _slow ? 90 * _random.NextDouble() : 0;
        return TimeSpan.FromSeconds(_latency * _random.NextDouble() + slow);
    }

    public bool IsLost() => !_fair && _random.NextDouble() < _lost;

    public bool IsRefused() => !_fair && _random.NextDouble() < _refused;

    public int Next(int below) => _random.Next(below);
}
