using Transfer.Local;
using Transfer.Local.Contents;

namespace Transfer.Tests.Local;

public sealed class LocalErrorsTests
{
    [TestCase("EPERM", 1, 1, TransferError.Denied)]
    [TestCase("ENOENT", 2, 2, TransferError.NotFound)]
    [TestCase("EINTR", 4, 4, TransferError.Unknown)]
    [TestCase("EIO", 5, 5, TransferError.Unknown)]
    [TestCase("ENXIO", 6, 6, TransferError.Unknown)]
    [TestCase("EAGAIN", 11, 35, TransferError.Denied)]
    [TestCase("EACCES", 13, 13, TransferError.Denied)]
    [TestCase("EBUSY", 16, 16, TransferError.Denied)]
    [TestCase("EEXIST", 17, 17, TransferError.Exists)]
    [TestCase("EXDEV", 18, 18, TransferError.Unsupported)]
    [TestCase("ENODEV", 19, 19, TransferError.Unknown)]
    [TestCase("ENOTDIR", 20, 20, TransferError.NotFound)]
    [TestCase("EISDIR", 21, 21, TransferError.Exists)]
    [TestCase("EINVAL", 22, 22, TransferError.Unsupported)]
    [TestCase("ENFILE", 23, 23, TransferError.Quota)]
    [TestCase("EMFILE", 24, 24, TransferError.Quota)]
    [TestCase("EFBIG", 27, 27, TransferError.Quota)]
    [TestCase("ENOSPC", 28, 28, TransferError.Quota)]
    [TestCase("EROFS", 30, 30, TransferError.Denied)]
    [TestCase("ENAMETOOLONG", 36, 63, TransferError.Unsupported)]
    [TestCase("ENOTEMPTY", 39, 66, TransferError.Exists)]
    [TestCase("ELOOP", 40, 62, TransferError.Unsupported)]
    [TestCase("EILSEQ", 84, 92, TransferError.Unsupported)]
    [TestCase("EOPNOTSUPP", 95, 102, TransferError.Unsupported)]
    [TestCase("EDQUOT", 122, 69, TransferError.Quota)]
    [TestCase("ESTALE", 116, 70, TransferError.Unknown)]
    [TestCase("ETIMEDOUT", 110, 60, TransferError.Unknown)]
    public void Error_numbers_become_errors_of_ours(string name, int linux, int macOS, TransferError error)
    {
        Assert.That(LocalErrorCodes.FromErrno(linux, isMacOS: false), Is.EqualTo(error), $"{name} of Linux");
        Assert.That(LocalErrorCodes.FromErrno(macOS, isMacOS: true), Is.EqualTo(error), $"{name} of macOS");
    }

    [TestCase(24, "EMFILE")]
    [TestCase(23, "ENFILE")]
    public void Too_many_open_files_pass(int errno, string name)
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Other numbers.");
        var error = LocalErrors.Map(new IOException(name, errno), "Cannot read", "/x");
        Assert.That((error.Error, error.IsTransient), Is.EqualTo((TransferError.Quota, true)));
        Assert.That(LocalErrors.Map(new IOException("ENOSPC", 28), "Cannot write", "/x").IsTransient, Is.False);
    }

    [TestCase(4, TransferError.Quota)]
    [TestCase(112, TransferError.Quota)]
    [TestCase(39, TransferError.Quota)]
    [TestCase(1295, TransferError.Quota)]
    [TestCase(80, TransferError.Exists)]
    [TestCase(183, TransferError.Exists)]
    [TestCase(32, TransferError.Denied)]
    [TestCase(123, TransferError.Unsupported)]
    [TestCase(2, TransferError.NotFound)]
    [TestCase(5, TransferError.Denied)]
    [TestCase(19, TransferError.Denied)] // WRITE_PROTECT
    [TestCase(21, TransferError.Unknown)] // NOT_READY
    [TestCase(23, TransferError.Unknown)] // CRC
    [TestCase(87, TransferError.Unsupported)]
    [TestCase(145, TransferError.Exists)]
    [TestCase(206, TransferError.Unsupported)]
    [TestCase(1117, TransferError.Unknown)] // IO_DEVICE
    public void So_do_those_of_windows(int code, TransferError error) =>
        Assert.That(LocalErrorCodes.FromWin32(unchecked((int)0x80070000) | code), Is.EqualTo(error));

    [Test]
    public void Exceptions_keep_their_cause_and_name_the_path()
    {
        var cause = new UnauthorizedAccessException("no");
        var mapped = LocalErrors.Map(cause, "Cannot write", "/x/y");
        Assert.That((mapped.Error, mapped.InnerException), Is.EqualTo((TransferError.Denied, (Exception)cause)));
        Assert.That(mapped.Message, Does.StartWith("Cannot write /x/y"));
        Assert.That(LocalErrors.Map(new FileNotFoundException(), "", "").Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(LocalErrors.Map(mapped, "Cannot read", "/z"), Is.SameAs(mapped));
    }

    [Test]
    public void Mistakes_of_ours_are_not_taken_for_the_file_systems()
    {
        Assert.That(LocalErrors.IsLocal(new InvalidOperationException()), Is.False);
        Assert.That(LocalErrors.IsLocal(new TransferException(TransferError.Quota, "already said")), Is.False);
        Assert.That(LocalErrors.IsLocal(new NotSupportedException()), Is.True);
        Assert.That(LocalErrors.IsLocal(new IOException()), Is.True);
    }

    [Test]
    public async Task A_full_disk_is_a_quota_error_and_the_temporary_file_goes()
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("/dev/full is Linux's.");
        // Written directly, because nothing can be created beside it.
        var sink = new LocalFileSink("/dev/full", new LocalFileSinkOptions { Replace = true });
        var error = await sink.WriteAsync(0, new byte[100], default).AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Quota));
        await sink.ResetAsync();
    }
}
