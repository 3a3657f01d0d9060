using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Files;

/// <summary>
/// The files of a list whose length is not known: has sessions opened as files come, so that log-ins run beside the looks at the first
/// files, as those of a folder do. A single file opens none beside its own. Thread-safe.
/// </summary>
/// <param name="job">The job of the files.</param>
/// <param name="engine">The client's.</param>
internal sealed class ComingFiles(Dispatcher job, ClientEngine engine)
{
    private readonly Lock _gate = new();
    private int _planned; // files that are not in line yet
    private int _expected;

    /// <summary>A file comes; <see cref="End"/> follows once it is in line, or is left out.</summary>
    public void Begin()
    {
        int files;
        lock (_gate)
        {
            files = ++_planned + job.Unsettled;
            // One file alone: all before it have ended, and the list begins anew.
            if (files == 1) _expected = 1;
            if (files <= _expected) return;
            _expected = files;
        }
        // Where the server has let no session in yet, credentials that are refused would be tried once more with each file.
        job.Expect(files, opens: engine.Pool.LastFeatures is not null);
    }

    /// <summary>A file is in line, or is left out.</summary>
    public void End()
    {
        lock (_gate) _planned--;
    }
}
