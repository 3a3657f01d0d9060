using System.Diagnostics;
using System.Runtime.Versioning;

namespace Transfer.Cli.Tests.Batch;

/// <summary>A folder here, one at a host, and one with the programs that the host finds first.</summary>
[UnsupportedOSPlatform("windows")]
public abstract class HostFixture
{
    private protected TempFolder Here { get; private set; } = null!;

    private protected TempFolder There { get; private set; } = null!;

    private protected TempFolder Programs { get; private set; } = null!;

    private protected string Target => There["in"];

    [SetUp]
    public void Make() => (Here, There, Programs) = (new TempFolder(), new TempFolder(), new TempFolder());

    [TearDown]
    public void Remove()
    {
        Here.Dispose();
        There.Dispose();
        Programs.Dispose();
    }

    private protected void Program(string name, string script)
    {
        // Another process writes it: what this one has open to be written, a program that another test starts just then has open too, and
        // it could not be run.
        using var writer = Process.Start("/bin/sh",
            ["-c", "printf '%s' \"$1\" > \"$0\" && chmod 700 \"$0\"", Programs[name], $"#!/bin/sh\n{script}\n"]);
        writer.WaitForExit();
        Assert.That(writer.ExitCode, Is.Zero);
    }

    /// <summary>
    /// Our own command. The first one started may get so many bytes of its input only, and waits for the rest until that ends.
    /// </summary>
    private protected void OurReceiver(int? firstGets = null)
    {
        var ours = CommandProgram.Path;
        Assume.That(File.Exists(ours), "The command is not built beside these tests.");
        var first = firstGets is { } bytes
            ? $"if mkdir '{Programs["first"]}' 2>/dev/null; then {{ head -c {bytes}; cat >/dev/null; }} | '{ours}' \"$@\"; exit; fi; "
            : string.Empty;
        Program("transfer", $"{first}exec '{ours}' \"$@\"");
    }

    private protected static BatchOptions InBatch(DirectoryOptions? directory = null) => In(BatchMode.Always, directory);

    private protected static BatchOptions In(BatchMode mode, DirectoryOptions? directory = null) =>
        new() { Mode = mode, Directory = directory ?? new DirectoryOptions() };

    private protected void AssertClean() =>
        Assert.That(Directory.EnumerateFileSystemEntries(There.Path, ".transfer-*",
            new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 }), Is.Empty);
}
