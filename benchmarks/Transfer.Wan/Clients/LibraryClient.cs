using System.Globalization;

namespace Transfer.Wan.Clients;

/// <summary>
/// A library that applications have: as it is, by one client object or by as many as the label says; <c>tuned</c>, with the settings of our
/// adapter's <c>Tune</c>; and, by the
/// adapter's name, our engine over it with so many sessions.
/// </summary>
/// <param name="label">The name in the records.</param>
/// <param name="name">The client's name on the command line.</param>
internal abstract class LibraryClient(string label, string name) : OwnProgram(label, name)
{
    private const int UsualSessions = 16;

    private bool IsAdapter => Label.StartsWith("Transfer.", StringComparison.Ordinal);

    private string Way => IsAdapter ? "adapter" : Label.EndsWith(" tuned", StringComparison.Ordinal) ? "tuned" : "plain";

    public override ClientCommand Command(ClientJob job)
    {
        var clients = Number(IsAdapter ? UsualSessions : 1).ToString(CultureInfo.InvariantCulture);
        return Run(job, Way, clients, job.IsUpload ? "up" : "down", Url(job), job.Local);
    }
}
