using System.Net;
using System.Security.Cryptography;
using System.Threading.Channels;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Carriers;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.TestSupport.Batch;

/// <summary>A receiver on loopback with sinks in memory, and senders to it.</summary>
internal sealed class DirectHarness : IAsyncDisposable
{
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(30);

    private readonly List<MemorySink> _sinks = [];
    private readonly Channel<Task<JobResult>> _ended = Channel.CreateUnbounded<Task<JobResult>>();
    private readonly bool _keep;
    private readonly TimeSpan _return;
    private ReceivingJobs _jobs = null!;
    private DirectListener _listener = null!;

    public DirectHarness(bool keep = false, TimeSpan? returnTime = null)
    {
        _keep = keep;
        _return = returnTime ?? TimeSpan.FromMinutes(1);
        Start(0);
    }

    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(30);

    public DirectIdentity Identity { get; } = DirectIdentity.Create();

    public DirectListener Listener => _listener;

    public ReceivingJobs Jobs => _jobs;

    public BatchAddress Address => AddressAt(EndPoint);

    public IPEndPoint EndPoint => new(IPAddress.Loopback, _listener.EndPoint.Port);

    /// <summary>The sinks of jobs as they began.</summary>
    public IReadOnlyList<MemorySink> Sinks
    {
        get { lock (_sinks) return [.. _sinks]; }
    }

    /// <summary>Sets a new job's sink up.</summary>
    public Action<MemorySink> OnOpen { get; set; } = _ => { };

    public static byte[] NewJob() => RandomNumberGenerator.GetBytes(JobBeginMessage.JobLength);

    public static RetryOptions Quick =>
        new() { FirstDelay = TimeSpan.FromMilliseconds(20), MaxDelay = TimeSpan.FromMilliseconds(100), Attempts = 30 };

    public BatchAddress AddressAt(IPEndPoint endPoint, BatchToken? token = null) =>
        new("127.0.0.1", endPoint.Port, token ?? Identity.Token);

    public static DirectDialer Dial(BatchAddress address, TimeSpan? idle = null) =>
        new(address, new DialOptions(), idle ?? Idle, Patience, NullLogger.Instance, TimeProvider.System);

    public static Task<CarriedJob> SendAsync(BatchAddress address, IArchiveSource source, int? lanes = null, RetryOptions? retry = null,
        byte[]? job = null, CancellationToken ct = default) =>
        LinkCarrier.CarryAsync(source, job ?? NewJob(), Dial(address),
            new LinkCarrierOptions { Lanes = lanes, Retry = retry ?? Quick, Logger = NullLogger.Instance }, ct).WaitAsync(Patience,
            CancellationToken.None);

    /// <summary>The next job's end.</summary>
    public async Task<JobResult> EndAsync()
    {
        return await await _ended.Reader.ReadAsync().AsTask().WaitAsync(Patience);
    }

    /// <summary>Kills the receiver, and starts it again at the same port with the same identity: it remembers nothing else.</summary>
    public async Task RestartAsync()
    {
        var port = _listener.EndPoint.Port;
        await _listener.DisposeAsync();
        await _jobs.DisposeAsync();
        Start(port);
    }

    public async ValueTask DisposeAsync()
    {
        await _listener.DisposeAsync();
        await _jobs.DisposeAsync();
        Identity.Dispose();
    }

    private void Start(int port)
    {
        _jobs = new ReceivingJobs(_ => Open(), _keep, _return, TimeProvider.System, NullLogger.Instance);
        _listener = new DirectListener(new IPEndPoint(IPAddress.Loopback, port), Identity, _jobs, () => false, Idle, TimeProvider.System,
            NullLogger.Instance);
        _listener.Start();
        _ = RunJobsAsync(_jobs);
    }

    private async Task RunJobsAsync(ReceivingJobs jobs)
    {
        while (await jobs.NextAsync(default) is { } job) _ = RunAsync(job);
    }

    private async Task RunAsync(ReceivingJob job)
    {
        var completion = job.RunAsync(new TransferJobContext());
        await ((Task)completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!job.IsReplaced) await _ended.Writer.WriteAsync(completion);
    }

    private MemorySink Open()
    {
        var sink = new MemorySink();
        OnOpen(sink);
        lock (_sinks) _sinks.Add(sink);
        return sink;
    }
}
