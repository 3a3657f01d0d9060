namespace SshNetMigration;

/// <summary>The files of the tasks, in the working folder.</summary>
public static class Stage
{
    public static async Task FillAsync()
    {
        await File.WriteAllTextAsync("report.pdf", new string('r', 2000));
        await File.WriteAllBytesAsync("disk.img", new byte[500_000]);
        Directory.CreateDirectory(Path.Combine("photos", "2026"));
        await File.WriteAllTextAsync(Path.Combine("photos", "1.jpg"), "one");
        await File.WriteAllTextAsync(Path.Combine("photos", "2026", "2.jpg"), "two");
        Directory.CreateDirectory("site");
        for (var i = 0; i < 5; i++) await File.WriteAllTextAsync(Path.Combine("site", $"{i}.html"), $"page {i}");
        Directory.CreateDirectory("small");
        for (var i = 0; i < 100; i++) await File.WriteAllTextAsync(Path.Combine("small", $"{i}.txt"), $"{i}");
    }
}
