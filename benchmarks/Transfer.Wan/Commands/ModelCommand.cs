using Transfer.ServerTests.Servers;
using Transfer.Wan.Model;

namespace Transfer.Wan.Commands;

/// <summary><c>Transfer.Wan model</c>: writes the report of the model, which measures nothing.</summary>
internal static class ModelCommand
{
    public static async Task<int> RunAsync(IEnumerable<string> words)
    {
        string? directory = null;
        new Arguments(words).Read(
            (name, value) =>
            {
                if (name != "--out") return false;
                directory = value();
                return true;
            },
            _ => false);
        directory = Directory.CreateDirectory(directory ?? Path.Combine(ServerFiles.Repository, "docs", "reports")).FullName;
        foreach (var (name, text) in ModelReport.Write()) await File.WriteAllTextAsync(Path.Combine(directory, name), text);
        await Console.Error.WriteLineAsync(Path.Combine(directory, ModelReport.Name + ".md"));
        return 0;
    }
}
