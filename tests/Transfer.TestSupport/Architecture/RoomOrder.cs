namespace Transfer.TestSupport.Architecture;

/// <summary>The rooms of one project, compared with its plan in CONTRIBUTING.md: a room uses the rooms below it only.</summary>
internal sealed class RoomOrder
{
    // More rooms than these may not use each other mutually.
    private const int MostMutual = 3;

    private readonly RoomPlan _plan;
    private readonly SourceRooms _rooms;
    private readonly IReadOnlyList<RoomReferences.Use> _uses;

    /// <summary>Reads plan, sources and code.</summary>
    /// <param name="project">The project's name in the plan.</param>
    /// <param name="folder">Its folder, from the repository's root.</param>
    /// <param name="assembly">The built assembly.</param>
    public RoomOrder(string project, string folder, string assembly)
    {
        _plan = RoomPlan.Of(project);
        _rooms = SourceRooms.Of(folder);
        _uses = RoomReferences.Of(assembly, _rooms);
    }

    /// <summary>Fails where a type uses one of a room above its own.</summary>
    public void NoneLooksUp()
    {
        var floorOf = _plan.Floors.SelectMany((rooms, floor) => rooms.Select(room => (room, floor)))
            .ToDictionary(entry => entry.room, entry => entry.floor);
        var upwards = _uses.Where(use => floorOf[use.From] < floorOf[use.To]);
        Assert.That(upwards, Is.Empty, "a type uses one of a room above its own");
    }

    /// <summary>Fails where a folder is not in the plan, or too many rooms may use each other.</summary>
    public void EachFolderIsPlanned()
    {
        Assert.That(_plan.Floors.SelectMany(rooms => rooms), Is.EquivalentTo(_rooms.Names));
        Assert.That(_plan.Floors.Max(rooms => rooms.Count), Is.LessThanOrEqualTo(MostMutual));
    }

    /// <summary>Fails where the reading of references has gone blind.</summary>
    public void ReferencesAreFound() =>
        Assert.That(_uses.Select(use => (use.From, use.To)).Distinct().Count(), Is.GreaterThanOrEqualTo(_rooms.Names.Count));
}
