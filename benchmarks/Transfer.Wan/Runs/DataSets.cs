using System.Globalization;
using Transfer.ServerTests;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Scenarios;

namespace Transfer.Wan.Runs;

/// <summary>The files of the scenarios: random (no compression helps), the same in every run, made when first needed.</summary>
internal sealed class DataSets
{
    private const int Seed = 20_261_121;

    // Times of their own, and finer than a second.
    private static readonly DateTime First = new(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc);
    private static readonly TimeSpan Step = new(601_234_567);

    private readonly string _folder = Directory.CreateDirectory(Path.Combine(TestHost.Folder, "data")).FullName;
    private readonly Dictionary<(int, int, int, int), string> _made = [];

    /// <summary>The names of a set's files, with their folders.</summary>
    /// <param name="files">The number of files.</param>
    /// <param name="folders">The number of folders, which have equal shares: the root of that number, and the others in these; 0: none.
    /// </param>
    public static IReadOnlyList<string> Names(int files, int folders = 0) =>
        [.. Enumerable.Range(0, files).Select(
            i => (folders == 0 ? string.Empty : FolderOf(i % folders, (int)Math.Sqrt(folders)))
                + i.ToString("'f'00000'.bin'", CultureInfo.InvariantCulture))];

    private static string FolderOf(int number, int above) => number < above
        ? string.Create(CultureInfo.InvariantCulture, $"d{number:00}/")
        : string.Create(CultureInfo.InvariantCulture, $"d{number % above:00}/e{number / above:00}/");

    /// <summary>A folder with the first files of a set.</summary>
    /// <param name="files">Files of the set.</param>
    /// <param name="size">Their size.</param>
    /// <param name="take">How many of them.</param>
    /// <param name="folders">The folders that hold them; 0: one.</param>
    public string Folder(int files, FileSize size, int take, int folders = 0)
    {
        if (_made.TryGetValue((files, size.Bytes, take, folders), out var folder)) return folder;
        var name = string.Create(CultureInfo.InvariantCulture, $"{files}x{size.Bytes}-{take}-{folders}");
        folder = Path.Combine(_folder, name);
        Directory.CreateDirectory(folder);
        if (take == files)
        {
            Write(folder, Names(files, folders), size);
        }
        else
        {
            var whole = Folder(files, size, files);
            foreach (var one in Names(take)) File.Copy(Path.Combine(whole, one), Path.Combine(folder, one));
        }

        _made.Add((files, size.Bytes, take, folders), folder);
        return folder;
    }

    /// <summary>Copies a set to where a server's user can read it.</summary>
    public static void Copy(string folder, string target)
    {
        Shell.Run("cp", "--recursive", "--preserve=timestamps", folder, target);
        if (Environment.IsPrivilegedProcess) ServerUser.Own(target);
    }

    private static void Write(string folder, IReadOnlyList<string> names, FileSize size)
    {
        var random = new Random(Seed + names.Count + size.Bytes);
        var content = new byte[Math.Min(size.Bytes, 1 << 20)];
        var modified = First;
        foreach (var name in names)
        {
            Directory.CreateDirectory(Path.Combine(folder, Path.GetDirectoryName(name)!));
            using (var file = File.Create(Path.Combine(folder, name), bufferSize: 1))
            {
                for (var left = size.Bytes; left > 0; left -= content.Length)
                {
                    random.NextBytes(content);
                    file.Write(content, 0, Math.Min(left, content.Length));
                }
            }
            File.SetLastWriteTimeUtc(Path.Combine(folder, name), modified += Step);
        }
    }
}
