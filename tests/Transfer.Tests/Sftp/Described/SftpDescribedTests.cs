using Transfer.Tests.Described;

namespace Transfer.Tests.Sftp.Described;

/// <summary>The checks on described SFTP servers.</summary>
[Parallelizable(ParallelScope.All)]
internal sealed class SftpDescribedTests : DescribedFixture
{
    public static IEnumerable<TestCaseData> Cases => CasesOf(SftpDescriptions.All);

    [TestCaseSource(nameof(Cases))]
    public Task Checks_pass_or_name_the_limit(string server, string check) => RunAsync(SftpDescriptions.All[server], check);
}
