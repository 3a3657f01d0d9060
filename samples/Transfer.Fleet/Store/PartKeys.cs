using System.Globalization;
using Quartz;

namespace Transfer.Fleet;

/// <summary>
/// The names of a plan's steps, which are the names of their jobs too: the planning, the parts, the last phase. The group is the plan.
/// </summary>
internal static class PartKeys
{
    /// <summary>The step that writes the plan.</summary>
    public const string Plan = "plan";

    /// <summary>The last phase.</summary>
    public const string Final = "final";

    /// <summary>The name of a part.</summary>
    public static string OfPart(int part) => string.Create(CultureInfo.InvariantCulture, $"part-{part:d4}");

    /// <summary>The manifest of a part or the last phase.</summary>
    public static string ManifestOf(PlanFolder folder, string part) =>
        part == Final ? folder.FinalManifest : Path.Combine(folder.Path, part + ".jsonl");

    /// <summary>The job of a step.</summary>
    public static JobKey JobOf(string plan, string part) => new(part, plan);
}
