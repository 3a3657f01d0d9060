using SharpFuzz;
using Transfer.Fuzz;

// TARGET: runs under afl-fuzz, which ./build.sh fuzz starts. TARGET FILE...: reads these inputs once, and says what is wrong with each.
if (args.Length == 0 || FuzzTargets.Find(args[0]) is not { } target)
{
    Console.Error.WriteLine(
        $"Usage: Transfer.Fuzz TARGET [FILE...]; targets: {string.Join(", ", FuzzTargets.All.Select(each => each.Name))}");
    return 2;
}

if (args.Length == 1)
{
    Fuzzer.Run(stream =>
    {
        using var input = new MemoryStream();
        stream.CopyTo(input);
        target.Run(input.ToArray());
    });
    return 0;
}

var failed = 0;
foreach (var file in args.Skip(1))
{
    try
    {
        target.Run(File.ReadAllBytes(file));
    }
    catch (Exception error)
    {
        failed++;
        Console.WriteLine($"{file}: {error}");
    }
}

Console.WriteLine($"{args.Length - 1} inputs, {failed} failed");
return failed == 0 ? 0 : 1;
