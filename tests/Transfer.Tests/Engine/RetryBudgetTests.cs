using Transfer.Engine.Files;

namespace Transfer.Tests.Engine;

public sealed class RetryBudgetTests
{
    [Test]
    public void Retries_run_out_and_each_file_that_arrives_earns_one_back_up_to_the_first_number()
    {
        var budget = new RetryBudget(2);
        Assert.That((budget.TryTake(), budget.TryTake(), budget.TryTake()), Is.EqualTo((true, true, false)));
        budget.Earn();
        Assert.That((budget.TryTake(), budget.TryTake()), Is.EqualTo((true, false)));
        for (var i = 0; i < 5; i++) budget.Earn();
        Assert.That((budget.TryTake(), budget.TryTake(), budget.TryTake()), Is.EqualTo((true, true, false)));
    }

    [Test]
    public void A_job_that_may_not_try_again_never_does()
    {
        var budget = new RetryBudget(0);
        budget.Earn();
        Assert.That(budget.TryTake(), Is.False);
    }
}
