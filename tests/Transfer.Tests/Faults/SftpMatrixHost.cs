using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Sftp.Protocol;

namespace Transfer.Tests.Faults;

/// <summary>An SFTP server in memory. Steps are the types of its requests.</summary>
internal sealed class SftpMatrixHost : IMatrixHost
{
    private readonly FakeStore _store;
    private readonly SftpServerState _state = new();
    private readonly Lock _gate = new();
    private readonly List<string> _steps = [];
    private readonly bool _replaces;
    private (string Step, int Left, string Fault)? _fault;

    private SftpMatrixHost(bool replaces)
    {
        _replaces = replaces;
        _store = new FakeStore();
        _store.Directories.Add("/d");
        Client = new Connected(this);
    }

    public static string[] Faults { get; } = ["NoSuchFile", "PermissionDenied", "Failure", "Unsupported", "lost before", "lost after"];

    public TransferClient Client { get; }

    public IReadOnlyDictionary<string, byte[]> Files => _store.Files.ToDictionary();

    public static Task<IMatrixHost> StartAsync(bool replaces) => Task.FromResult<IMatrixHost>(new SftpMatrixHost(replaces));

    public void Add(string path, byte[] content) => _store.Files[path] = content;

    public IReadOnlyList<string> TakeSteps()
    {
        lock (_gate)
        {
            string[] steps = [.. _steps];
            _steps.Clear();
            return steps;
        }
    }

    public void Inject(string step, int occurrence, string fault) => _fault = (step, occurrence, fault);

    public void Clear() => _fault = null;

    public ValueTask DisposeAsync() => Client.DisposeAsync();

    private async ValueTask<TransferSession> OpenAsync(CancellationToken ct)
    {
        var server = new FakeServer(_store) { Extensions = _replaces ? [SftpExtension.PosixRename] : [] };
        server.Instead = request => Answer(server, request);
        return await server.OpenAsync(state: _state, ct: ct);
    }

    private byte[]? Answer(FakeServer server, FakeRequest request)
    {
        var step = request.Extension ?? request.Type.ToString();
        lock (_gate)
        {
            _steps.Add(step);
            if (_fault is not { } fault || fault.Step != step) return null;
            _fault = fault with { Left = fault.Left - 1 };
            if (fault.Left != 0) return null;
            if (Enum.TryParse<SftpStatus>(fault.Fault, out var status)) return FakeReply.Status(request.Id, status);
            if (fault.Fault == "lost after") _store.Serve(request);
            server.Channel.ServerOutput.Complete();
            return [];
        }
    }

    private sealed class Connected(SftpMatrixHost host) : TransferClient(new Uri("sftp://host/"),
        new SftpOptions { MaxSessions = 1, Retry = Samples.SoonAgain })
    {
        protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct) => host.OpenAsync(ct);
    }
}
