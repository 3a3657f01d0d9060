namespace Transfer.Tests.Engine;

[TestFixture]
public sealed class JobTallyTests
{
    [Test]
    public void Two_parts_of_a_job_are_one_result_with_the_weaker_check_and_all_that_was_kept()
    {
        var (first, second) = (new JobTally(), new JobTally());
        first.Done(ItemAction.Transfer, new TransferResult { Bytes = 10, Verified = VerificationMode.Hash });
        first.Done(ItemAction.Skip, new TransferResult());
        second.Done(ItemAction.Transfer, new TransferResult { Bytes = 5, Verified = VerificationMode.Size });
        second.Failed(new ItemResult { Path = "x", Error = new TransferException(TransferError.Denied, "no") });
        second.Keep(new KeptFile("y", "y.kept"));
        var joined = JobTally.Join(first.ToResult(TimeSpan.FromSeconds(2), 3), second.ToResult(TimeSpan.FromSeconds(1), 5));
        Assert.That((joined.Files, joined.Bytes, joined.Skipped, joined.Failed, joined.Sessions), Is.EqualTo((2L, 15L, 1L, 1L, 5)));
        Assert.That(joined.Verified, Is.EqualTo(VerificationMode.Size));
        Assert.That(joined.Failures.Single().Path, Is.EqualTo("x"));
        Assert.That(joined.Kept.Single().KeptAs, Is.EqualTo("y.kept"), "it is nowhere else");
    }
}
