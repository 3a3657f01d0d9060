using Transfer.Tests.Described;

namespace Transfer.Tests.Ftp.Described;

/// <summary>The checks on described FTP servers.</summary>
[Category(Categories.Slow)]
[Parallelizable(ParallelScope.All)]
internal sealed class FtpDescribedTests : DescribedFixture
{
    public static IEnumerable<TestCaseData> Cases => CasesOf(FtpDescriptions.All);

    [TestCaseSource(nameof(Cases))]
    public Task Checks_pass_or_name_the_limit(string server, string check) => RunAsync(FtpDescriptions.All[server], check);
}
