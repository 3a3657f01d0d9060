using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>A client in one of its modes: how it is asked to do a job.</summary>
/// <param name="label">Its name in scenarios and records, its mode included.</param>
internal abstract class WanClient(string label)
{
    public string Label => label;

    /// <summary>Why it cannot be measured here; null: it can.</summary>
    public virtual string? WhyNot => Programs.Find(Program) is null ? $"{Program} is not installed" : null;

    /// <summary>The protocols that it speaks here.</summary>
    public abstract IReadOnlyList<Protocol> Protocols { get; }

    /// <summary>
    /// How exactly what it moves has the source's modification time afterwards; null: it gets a new one, or it is not judged by it.
    /// </summary>
    public virtual TimeSpan? TimePrecision(ClientJob job) => null;

    /// <summary>The program's name.</summary>
    protected abstract string Program { get; }

    protected string ProgramPath => Programs.Find(Program) ?? throw new InvalidOperationException($"{Program} is not installed.");

    /// <summary>What has to run at the far end before it, and ends with it; null: the server is enough.</summary>
    public virtual ClientCommand? FarEnd(ClientJob job) => null;

    /// <summary>What runs at the far end has a part of the work, and does not only prepare it.</summary>
    public virtual bool WorksAtFarEnd => true;

    public abstract ClientCommand Command(ClientJob job);

    /// <summary>Whether <see cref="Command"/> knows an operation on a tree.</summary>
    public virtual bool Does(TreeWork work) => false;

    /// <summary>The folders on this machine's disk that hold what was moved when it has ended, each all of it.</summary>
    public virtual IEnumerable<string> Received(ClientJob job) => [job.IsUpload ? job.RemoteFolder : job.Local];

    /// <summary>The number at the label's end: <c>lftp parallel 8</c>.</summary>
    protected int Number(int otherwise) => int.TryParse(label.AsSpan(label.LastIndexOf(' ') + 1), out var number) ? number : otherwise;
}
