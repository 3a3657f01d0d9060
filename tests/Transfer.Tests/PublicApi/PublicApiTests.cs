using System.Reflection;

namespace Transfer.Tests.PublicApi;

/// <summary>The public surface is what applications compile against: it changes only on purpose, in a diff that a reviewer reads.</summary>
public sealed class PublicApiTests
{
    [TestCase("Transfer.Batch")]
    [TestCase("Transfer.Core")]
    [TestCase("Transfer.Ftp")]
    [TestCase("Transfer.Sftp")]
    [TestCase("Transfer.Testing")]
    public void The_public_surface_is_the_approved_one(string assembly)
    {
        var actual = ApiPrinter.Print(Assembly.Load(assembly));
        var written = Path.Combine(Repository.Root, "artifacts", "public-api", assembly + ".txt");
        Directory.CreateDirectory(Path.GetDirectoryName(written)!);
        File.WriteAllText(written, actual);

        var approvedFile = Path.Combine(Repository.Root, "tests", "Transfer.Tests", "PublicApi", assembly + ".txt");
        var approved = File.Exists(approvedFile) ? File.ReadAllText(approvedFile).ReplaceLineEndings("\n") : string.Empty;
        if (approved == actual) return;
        Assert.Fail($"The public API of {assembly} changed. If it was meant, run ./build.sh accept-api and commit.\n"
            + $"It is written to {written}\n{string.Join('\n', Differences(approved, actual))}");
    }

    /// <summary>Lines that only one side has, each with its type, so that a failure can be read without opening files.</summary>
    private static List<string> Differences(string approved, string actual)
    {
        var before = Qualified(approved);
        var after = Qualified(actual);
        return [.. before.Except(after).Select(line => "- " + line), .. after.Except(before).Select(line => "+ " + line)];
    }

    private static List<string> Qualified(string text)
    {
        var lines = new List<string>();
        var type = string.Empty;
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (!line.StartsWith(' ')) type = line;
            lines.Add(line.StartsWith(' ') ? $"{type} | {line.Trim()}" : line);
        }

        return lines;
    }
}
