using Transfer.Local;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Local;

public sealed class LocalErrorsTests
{
    [Test]
    public void Error_numbers_become_errors_of_ours()
    {
        Assert.That(LocalErrors.FromErrno(28), Is.EqualTo(TransferError.Quota), "ENOSPC");
        Assert.That(LocalErrors.FromErrno(27), Is.EqualTo(TransferError.Quota), "EFBIG");
        Assert.That(LocalErrors.FromErrno(OperatingSystem.IsLinux() ? 122 : 69), Is.EqualTo(TransferError.Quota), "EDQUOT");
        Assert.That(LocalErrors.FromErrno(17), Is.EqualTo(TransferError.Exists), "EEXIST");
        Assert.That(LocalErrors.FromErrno(30), Is.EqualTo(TransferError.Denied), "EROFS");
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
    public void So_do_those_of_windows(int code, TransferError error) =>
        Assert.That(LocalErrors.FromWin32(unchecked((int)0x80070000) | code), Is.EqualTo(error));

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
