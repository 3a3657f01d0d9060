using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Fleet;

/// <summary>A worker of <c>samples/Transfer.Fleet</c> as a program. One that is disposed of before its end is killed.</summary>
internal sealed partial class FleetWorker : IAsyncDisposable
{
    // Programs start and share the machine: longer than a wait within one.
    private static readonly TimeSpan Limit = Eventually.Hang * 3;

    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web) { Converters = { new JsonStringEnumConverter() } };

    private readonly Process _process;
    private readonly HttpClient _http = new();
    private readonly StringBuilder _output = new();

    private FleetWorker(IReadOnlyDictionary<string, string> settings)
    {
        var folder = Path.Combine(
            ServerFiles.Repository, "artifacts", "bin", "Transfer.Fleet", new DirectoryInfo(AppContext.BaseDirectory).Name);
        var start = new ProcessStartInfo(Path.Combine(folder, "Transfer.Fleet"))
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        foreach (var (name, value) in settings) start.Environment[name] = value;
        start.Environment["Urls"] = "http://127.0.0.1:0";
        _process = new() { StartInfo = start };
        _process.OutputDataReceived += Keep;
        _process.ErrorDataReceived += Keep;
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>The name in the cluster.</summary>
    public string Name { get; private set; } = string.Empty;

    /// <summary>The page's requests.</summary>
    public HttpClient Http => _http;

    /// <summary>The log.</summary>
    public string Log
    {
        get
        {
            lock (_output) return _output.ToString();
        }
    }

    /// <summary>Starts a worker, and waits until it takes part in the cluster.</summary>
    public static async Task<FleetWorker> StartAsync(IReadOnlyDictionary<string, string> settings)
    {
        var worker = new FleetWorker(settings);
        try
        {
            await worker.WaitUntilHealthyAsync();
            return worker;
        }
        catch
        {
            await worker.DisposeAsync();
            throw;
        }
    }

    /// <summary>Submits a plan.</summary>
    public Task<HttpResponseMessage> SubmitAsync(object plan) => _http.PostAsJsonAsync("plans", plan);

    /// <summary>The plan as the page shows it.</summary>
    public async Task<PlanState> ReadAsync(string plan) => (await _http.GetFromJsonAsync<PlanState>($"plans/{plan}", Json))!;

    /// <summary>The workers as the page shows them.</summary>
    public async Task<WorkerState[]> ReadWorkersAsync() => (await _http.GetFromJsonAsync<WorkerState[]>("workers", Json))!;

    /// <summary>Waits until a plan is as expected.</summary>
    public Task<PlanState> WaitAsync(string plan, Func<PlanState, bool> condition, string what) =>
        WaitAsync(() => ReadAsync(plan), condition, what);

    /// <summary>Waits until the cluster takes another worker for dead, or has forgotten that one.</summary>
    public Task WaitUntilDeadAsync(string name) => WaitAsync(
        ReadWorkersAsync, workers => !workers.Any(worker => worker.Name == name && worker.State != "Failed"), "a death is seen");

    /// <summary>As <c>kill -9</c> does.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync().WaitAsync(Limit);
    }

    /// <summary>Has the program stand still, or go on: to the others, as if cut off from the database.</summary>
    public void Freeze(bool isFrozen) => Signal(isFrozen ? "-STOP" : "-CONT");

    /// <summary>As an orchestrator does first.</summary>
    public async Task<int> StopAsync()
    {
        Signal("-TERM");
        await _process.WaitForExitAsync().WaitAsync(Limit);
        return _process.ExitCode;
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited) await KillAsync();
        _process.Dispose();
        _http.Dispose();
    }

    private async Task<T> WaitAsync<T>(Func<Task<T>> read, Func<T, bool> condition, string what)
    {
        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            var state = await read();
            if (condition(state)) return state;
            if (Stopwatch.GetElapsedTime(began) > Limit)
                throw new InvalidOperationException($"Waited in vain: {what}\n{state}\n{Log}");
            await Task.Delay(50);
        }
    }

    [GeneratedRegex("Now listening on: (http://127[.]0[.]0[.]1:[0-9]+)")]
    private static partial Regex Listening();

    private void Signal(string signal) => Shell.Run("kill", signal, _process.Id.ToString(CultureInfo.InvariantCulture));

    private void Keep(object sender, DataReceivedEventArgs line)
    {
        lock (_output) _output.AppendLine(line.Data);
    }

    private async Task<bool> IsHealthyAsync()
    {
        using var answer = await _http.GetAsync("health");
        return answer.IsSuccessStatusCode;
    }

    private async Task WaitUntilHealthyAsync()
    {
        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            if (_process.HasExited || Stopwatch.GetElapsedTime(began) > Limit)
                throw new InvalidOperationException($"The worker does not start:\n{Log}");
            if (_http.BaseAddress is null && Listening().Match(Log) is { Success: true } listening)
                _http.BaseAddress = new Uri(listening.Groups[1].Value);
            if (_http.BaseAddress is not null && await IsHealthyAsync())
            {
                Name = (await ReadWorkersAsync()).Single(worker => worker.IsCurrent).Name;
                return;
            }
            await Task.Delay(50);
        }
    }
}
