namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Compares the verbs that a server got with a text such as <c>EPSV*0 PASV*2 RANG*+</c>: none, two, at least one.</summary>
internal static class SentVerbs
{
    public static void AssertAre(IEnumerable<string> sent, string expected)
    {
        var verbs = sent.ToList();
        foreach (var part in expected.Split(' '))
        {
            var (verb, number) = (part.Split('*')[0], part.Split('*')[1]);
            var count = verbs.Count(sentVerb => sentVerb == verb);
            Assert.That(number == "+" && count > 0 ? $"{verb}*+" : $"{verb}*{count}", Is.EqualTo(part), string.Join(' ', verbs));
        }
    }
}
