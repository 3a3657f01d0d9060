using Transfer.Fuzz;

namespace Transfer.Tests.Fuzz;

/// <summary>
/// Reads every seed of the fuzzer once, and what the fuzzer found before: nothing but answers and errors of the right kind comes of them.
/// </summary>
[Category(Categories.Slow)]
public sealed class SeedTests
{
    private static IEnumerable<string> Names => FuzzTargets.All.Select(target => target.Name);

    [TestCaseSource(nameof(Names))]
    public void Seeds_are_read_and_one_of_them_is_right(string name)
    {
        var target = FuzzTargets.Find(name)!;
        var inputs = Directory.GetFiles(Path.Combine(Repository.Root, "fuzz", "seeds", name));
        Assert.That(inputs.Count(file => target.Run(File.ReadAllBytes(file))), Is.GreaterThan(0));
    }

    [TestCaseSource(nameof(Names))]
    public void Seeds_that_are_cut_or_changed_anywhere_are_read_or_refused(string name)
    {
        var target = FuzzTargets.Find(name)!;
        foreach (var file in Directory.GetFiles(Path.Combine(Repository.Root, "fuzz", "seeds", name)))
        {
            var input = File.ReadAllBytes(file);
            var step = Math.Max(1, input.Length / 100);
            for (var at = 0; at < input.Length; at += step)
            {
                target.Run(input[..at]);
                var changed = input.ToArray();
                changed[at] ^= (byte)(1 << (at % 8));
                target.Run(changed);
                changed[at] = 0xFF;
                target.Run(changed);
            }
        }
    }

    [Test]
    public void Every_folder_of_seeds_has_its_target() =>
        Assert.That(Directory.GetDirectories(Path.Combine(Repository.Root, "fuzz", "seeds")).Select(Path.GetFileName),
            Is.EquivalentTo(Names));
}
