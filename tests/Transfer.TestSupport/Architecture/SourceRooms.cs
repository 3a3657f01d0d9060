namespace Transfer.TestSupport.Architecture;

/// <summary>The folders of a project, and which type is in which: a type's file has its name.</summary>
internal sealed class SourceRooms
{
    private readonly ILookup<string, string> _roomsOf;

    private SourceRooms(string folder)
    {
        var files = Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Select(file => (Type: Path.GetFileName(file).Split('.')[0], Room: RoomOf(folder, file)))
            .Distinct()
            .ToList();
        _roomsOf = files.ToLookup(file => file.Type, file => file.Room);
        Names = [.. files.Select(file => file.Room).Distinct()];
    }

    /// <summary>The folders that have files, relative to the project's.</summary>
    public IReadOnlyList<string> Names { get; }

    /// <summary>Reads the sources of a project.</summary>
    /// <param name="folder">Its folder, from the repository's root.</param>
    public static SourceRooms Of(string folder) => new(Path.Combine(Repository.Root, folder));

    /// <summary>The room of a type; null: it is generated.</summary>
    /// <param name="type">Its name without arity.</param>
    /// <param name="space">Its namespace, which decides between two types of one name.</param>
    public string? Find(string type, string space)
    {
        var rooms = _roomsOf[type].ToList();
        return rooms.Count < 2
            ? rooms.SingleOrDefault() : rooms.Single(room => space.EndsWith(room.Replace('/', '.'), StringComparison.Ordinal));
    }

    private static string RoomOf(string folder, string file) =>
        Path.GetRelativePath(folder, Path.GetDirectoryName(file)!).Replace('\\', '/') is var room && room == "." ? RoomPlan.Root : room;
}
