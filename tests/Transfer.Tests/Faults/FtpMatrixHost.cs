using Transfer.TestSupport.Ftp;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Faults;

/// <summary>The embedded FTP server. Steps are its commands.</summary>
internal sealed class FtpMatrixHost : IMatrixHost
{
    private readonly FtpHarness _ftp;
    private int _seen;

    private FtpMatrixHost(FtpHarness ftp) => _ftp = ftp;

    public static string[] Faults { get; } = ["421 going down", "450 busy", "502 no such command", "550 no", "553 no", "200 fine",
        "lost before", "lost after", "data cut", "data refused"];

    public TransferClient Client => _ftp.Client;

    public IReadOnlyDictionary<string, byte[]> Files => _ftp.Store.Files.ToDictionary(path => path, _ftp.Store.ReadFile);

    public static async Task<IMatrixHost> StartAsync(bool replaces) =>
        new FtpMatrixHost(await FtpHarness.StartAsync(options: FtpHarness.Options with { IdleTimeout = TimeSpan.FromSeconds(5) },
            front: replaces ? null : inner => new NoReplaceStore(inner)));

    public void Add(string path, byte[] content) => _ftp.Store.AddFile(path, content);

    public IReadOnlyList<string> TakeSteps()
    {
        var work = _ftp.Work.Select(command => command.Verb).Skip(_seen).ToList();
        _seen += work.Count;
        return work;
    }

    public void Inject(string step, int occurrence, string fault)
    {
        FtpFaults faults = _ftp.Server.Faults;
        switch (fault)
        {
            case "lost before":
                faults.DropConnection(step, skip: occurrence);
                break;
            case "lost after":
                faults.DropConnection(step, executed: true, skip: occurrence);
                break;
            case "data cut":
                faults.CutData(100, step, skip: occurrence);
                break;
            case "data refused":
                faults.RefuseData(step, skip: occurrence);
                break;
            default:
                faults.Reply(step, fault, skip: occurrence);
                break;
        }
    }

    public void Clear() => _ftp.Server.Faults.Clear();

    public ValueTask DisposeAsync() => _ftp.DisposeAsync();
}
