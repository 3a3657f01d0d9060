namespace QuickStart;

/// <summary>Files to send.</summary>
internal static class SampleFiles
{
    /// <summary>Makes them in the working folder.</summary>
    public static async Task CreateAsync()
    {
        await File.WriteAllTextAsync("report.pdf", "no real report");
        foreach (var (folder, files) in new[] { ("photos", 50), ("site", 20) })
        {
            Directory.CreateDirectory(folder);
            for (var i = 0; i < files; i++) await File.WriteAllTextAsync(Path.Combine(folder, $"{i}.txt"), new string('x', 1000 + i));
        }
    }
}
