using Transfer.Batch;

namespace Transfer.Tests.Architecture;

/// <summary>
/// Packages share public surfaces (Transfer.Companions, Transfer.Local, Transfer.Sessions), not internals. Those that Transfer.Batch still uses of Transfer.Core are named here: their number may only shrink.
/// </summary>
[TestFixture]
public sealed class SharedInternalsTests
{
    private static readonly string[] Left =
    [
        "Transfer.Dialing.SystemTrust",
        "Transfer.Engine.ListedNames",
        "Transfer.Engine.OverwritePolicy",
        "Transfer.Engine.TreeEntry",
        "Transfer.Local.Disk",
        "Transfer.Local.DiskFiles",
        "Transfer.Local.DiskFolders",
        "Transfer.Local.DiskLinks",
        "Transfer.Local.FileStatus",
        "Transfer.Local.FileTimes",
        "Transfer.Local.FolderEntry",
        "Transfer.Local.LocalCase",
        "Transfer.Local.LocalErrors",
        "Transfer.Local.LocalFiles",
        "Transfer.Local.LocalFileType",
        "Transfer.Local.LocalLinks",
        "Transfer.Local.LocalModes",
        "Transfer.Local.LocalNames",
        "Transfer.Local.LocalRename",
        "Transfer.Local.LockedFile",
        "Transfer.Local.Native.Libc",
        "Transfer.Local.OpenFiles",
        "Transfer.Local.SourceFile",
        "Transfer.Local.UnnamedFile",
        "Transfer.RetryOptions.DelayAfter",
        "Transfer.RetryOptions.Validate",
    ];

    [Test]
    public void Batch_uses_no_more_internals_of_Core_than_are_named_here()
    {
        var found = SharedInternals.Find(typeof(BatchSender).Assembly, typeof(TransferClient).Assembly);
        Assert.That(found.Except(Left), Is.Empty, "share a documented public surface instead");
        Assert.That(Left.Except(found), Is.Empty, "no longer used: take them off the list");
    }

    [Test]
    public void The_finder_sees_internals_that_are_used() =>
        Assert.That(SharedInternals.Find(typeof(SharedInternalsTests).Assembly, typeof(TransferClient).Assembly), Does.Contain("Transfer.Engine.WalkBounds").And.Contain("Transfer.TransferClient.get_Engine"));
}
