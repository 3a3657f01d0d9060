namespace Transfer.TestSupport;

/// <summary>Names of categories that <c>build.sh</c> filters by.</summary>
internal static class Categories
{
    /// <summary>Fixtures that take four seconds or more, which <c>./build.sh test --quick</c> leaves out.</summary>
    public const string Slow = "Slow";
}
