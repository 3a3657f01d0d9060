using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Refusals whose codes say little, and the reasons that the errors give.</summary>
[Category(Categories.Slow)]
internal sealed class SftpMessageTests
{
    [Test]
    public async Task A_folder_that_is_not_created_for_a_file_in_the_way_says_so()
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client();
        await client.PutAsync("/f", [1]);
        var error = await SftpServerHarness.FailsAsync(() => client.CreateDirectoryAsync("/f").AsTask());
        Assert.That((error.Error, error.RemotePath, error.Message),
            Is.EqualTo((TransferError.Exists, "/f", "/f exists, and is no folder.")));
    }

    [Test]
    public async Task A_folder_that_is_not_deleted_for_its_entries_says_so()
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client();
        await client.CreateDirectoryAsync("/d");
        await client.PutAsync("/d/f", [1]);
        var error = await SftpServerHarness.FailsAsync(() => client.DeleteAsync("/d").AsTask());
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Denied, "/d")));
        Assert.That(error.Message, Is.EqualTo("/d is not empty."));
        // Stores of objects would delete the entries too: nothing is sent that could.
        Assert.That(server.Requests(), Has.None.EqualTo("RMDIR"));
    }

    [Test]
    public async Task Without_a_key_a_server_that_takes_keys_alone_names_the_option([Values] bool takesPasswords)
    {
        await using var server = await SftpServerHarness.StartAsync(
            new() { Methods = takesPasswords ? SftpTestMethods.PublicKey | SftpTestMethods.Password : SftpTestMethods.PublicKey });
        var error = await SftpServerHarness.FailsAsync(
            () => server.LogInAsync(options => options with { Credential = new TransferCredential("demo", "wrong") }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(error.Message, takesPasswords ? Does.Not.Contain("--identity") : Does.Contain("--identity"));
    }

    [TestCase(SftpTestStatus.PermissionDenied, true)]
    [TestCase(SftpTestStatus.Failure, true)]
    [TestCase(SftpTestStatus.NoSuchFile, false)]
    public async Task A_refusal_that_may_concern_the_temporary_name_alone_names_the_option(SftpTestStatus status, bool named)
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client();
        server.Faults.Status("OPEN", status, times: 99, path: "*.transfer-*");
        var error = await SftpServerHarness.FailsAsync(() => client.PutAsync("/f", [1]));
        Assert.That(error.RemotePath, Is.EqualTo("/f"));
        Assert.That(error.Message, named ? Does.Contain("--publish direct") : Does.Not.Contain("--publish direct"));
        await client.PutAsync("/f", [1, 2], new() { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct });
        Assert.That((await client.GetAsync("/f")).Length, Is.EqualTo(2));
    }

    [TestCase(SftpTestStatus.Failure)]
    [TestCase(SftpTestStatus.Unsupported)]
    public async Task A_rename_that_was_done_and_is_answered_with_a_refusal_counts(SftpTestStatus status)
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client();
        await client.PutAsync("/f", [1, 2, 3]);
        server.Faults.FinalStatus("RENAME", status, times: 99);
        server.Faults.FinalStatus("posix-rename@openssh.com", status, times: 99);
        await client.PutAsync("/f", [4, 5], new() { Overwrite = OverwriteMode.Always });
        server.Faults.Clear();
        Assert.That((await client.GetEntryAsync("/f"))!.Length, Is.EqualTo(2));
    }

    [Test]
    public async Task A_server_that_answers_no_request_for_attributes_costs_one_wait_and_files_arrive()
    {
        await using var server = await SftpServerHarness.StartAsync();
        server.Faults.OmitReply("FSETSTAT", times: 99);
        server.Faults.OmitReply("SETSTAT", times: 99);
        await using var client = server.Client(options => options with { IdleTimeout = TimeSpan.FromSeconds(1) });
        using var folder = new TempFolder();
        for (var i = 0; i < 5; i++) folder.Add($"f{i}", [1, 2, 3]);
        var result = await client.UploadDirectoryAsync(folder.Path, "/d");
        Assert.That((result.Files, result.Failed), Is.EqualTo((5L, 0L)), string.Join('\n', result.Failures.Select(f => f.Error!.Message)));
        var asked = server.Commands.Count(command => command.Verb is "FSETSTAT" or "SETSTAT");
        await client.PutAsync("/another", [1]);
        Assert.That(server.Commands.Count(command => command.Verb is "FSETSTAT" or "SETSTAT"), Is.EqualTo(asked));
    }

    [Test]
    public async Task A_server_that_ends_its_sessions_at_a_request_for_attributes_gets_none_in_the_end()
    {
        await using var server = await SftpServerHarness.StartAsync();
        server.Faults.DropConnection("FSETSTAT", times: 99);
        server.Faults.DropConnection("SETSTAT", times: 99);
        await using var client = server.Client();
        await client.PutAsync("/a", [1, 2, 3]);
        Assert.That((await client.GetAsync("/a")).Length, Is.EqualTo(3));
        var asked = server.Commands.Count(command => command.Verb is "FSETSTAT" or "SETSTAT");
        await client.PutAsync("/b", [1]);
        Assert.That(server.Commands.Count(command => command.Verb is "FSETSTAT" or "SETSTAT"), Is.EqualTo(asked));
    }

    [Test]
    public async Task An_absent_folder_is_not_found_whatever_the_status_of_OPENDIR(
        [Values(SftpTestStatus.Failure, SftpTestStatus.PermissionDenied, SftpTestStatus.BadMessage)] SftpTestStatus status)
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client();
        await client.CreateDirectoryAsync("/d");
        server.Faults.Status("OPENDIR", status, times: 99);
        foreach (var (path, isAbsent) in new[] { ("/absent", true), ("/d", false) })
        {
            var error = await SftpServerHarness.FailsAsync(async () => await client.ListAsync(path).CountAsync());
            Assert.That(error.Error == TransferError.NotFound, Is.EqualTo(isAbsent), error.Message);
        }
    }

    [Test]
    public async Task A_status_that_repeats_the_password_is_shown_without()
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client();
        server.Faults.Status("MKDIR", SftpTestStatus.PermissionDenied, "not for DEMO\u001b[1m", times: 99);
        var error = await SftpServerHarness.FailsAsync(() => client.CreateDirectoryAsync("/d").AsTask());
        Assert.That(error.Message, Does.Contain("not for *** [1m"));
    }

    [Test]
    public async Task A_request_without_a_reply_is_named()
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client(options => options with { IdleTimeout = TimeSpan.FromMilliseconds(300) });
        await client.PutAsync("/f", [1]);
        server.Faults.OmitReply("MKDIR", times: 99);
        var error = await SftpServerHarness.FailsAsync(() => client.CreateDirectoryAsync("/d").AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(error.Message, Does.Contain("MKDIR"));
    }
}
