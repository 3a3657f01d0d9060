using Transfer.Engine.Backups;
using Transfer.Engine.Jobs;
using Transfer.Engine.Scheduling;
using Transfer.Local.Trees;

namespace Transfer.Engine.Operations;

/// <summary>The two sides of a job that removes or moves its sources.</summary>
internal static class CopyPlaces
{
    /// <summary>From this machine to a server.</summary>
    public static FoldersApart Up(EngineJob job, ClientEngine engine) => new(job, new(Here, folder => new LocalTree(folder, engine.Logger)),
        new(There, folder => new RemoteTree(job.Dispatcher, engine, folder)));

    /// <summary>From a server to this machine.</summary>
    public static FoldersApart Down(EngineJob job, ClientEngine engine) => new(job,
        new(There, folder => new RemoteTree(job.Dispatcher, engine, folder)), new(Here, folder => new LocalTree(folder, engine.Logger)));

    /// <summary>From a server to another one, or to the same.</summary>
    public static FoldersApart Across(EngineJob job, CopySource source, ClientEngine from, ClientEngine to) => new(job,
        new(There, folder => new RemoteTree(source.Dispatcher, from, folder)),
        new(There, folder => new RemoteTree(job.Dispatcher, to, folder)));

    private static string Here(string path) => Path.GetDirectoryName(path)!;

    private static string There(string path) => RemotePath.GetParent(path) ?? "/";
}
