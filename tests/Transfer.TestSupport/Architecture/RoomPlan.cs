using System.Text.RegularExpressions;

namespace Transfer.TestSupport.Architecture;

/// <summary>
/// The rooms of a project as CONTRIBUTING.md draws them: a floor a line, the highest first; rooms of one floor may use each other.
/// </summary>
internal sealed record RoomPlan(IReadOnlyList<IReadOnlyList<string>> Floors)
{
    /// <summary>The name of the project's own folder in the plan.</summary>
    public const string Root = "(root)";

    /// <summary>Reads the plan of one project, lowest floor first.</summary>
    public static RoomPlan Of(string project)
    {
        var text = File.ReadAllText(Path.Combine(Repository.Root, "CONTRIBUTING.md"));
        var block = Regex.Match(text, $@"^```rooms {Regex.Escape(project)}\n(.*?)^```", RegexOptions.Multiline | RegexOptions.Singleline);
        Assert.That(block.Success, Is.True, $"CONTRIBUTING.md has no plan of {project}");
        var floors = block.Groups[1].Value.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Rooms).Reverse();
        return new([.. floors]);
    }

    // Behind two spaces, a line says what its rooms are for.
    private static IReadOnlyList<string> Rooms(string line) => line.Split("  ")[0].Split(", ");
}
