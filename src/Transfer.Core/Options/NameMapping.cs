namespace Transfer;

/// <summary>What becomes of names that a folder's target can't have.</summary>
public enum NameMapping
{
    /// <summary>What has one fails, and so does what is in a folder of such a name.</summary>
    None,

    /// <summary>
    /// It is written under another name, made of its own: see <see cref="Windows"/>. Which names these are is as far as it is known: to a local folder those that this system refuses or its disk takes for one; to a server those with
    /// line ends and, where it is found out that it takes them for one, those that differ in case only.
    /// </summary>
    Target,

    /// <summary>
    /// The same for all names that Windows refuses, and for those that differ in case only, whatever the target is. Characters that it refuses, a dot or a blank at the end and the first letter of a device become the bytes of their
    /// UTF-8, each as <c>%</c> and two hexadecimal digits. Of names that differ in case only the first, in ordinal order, stays, and in the others the letters become so that are not the first one's. A <c>%</c> becomes <c>%25</c> only
    /// where it would look like such a byte. So each name can be told from what became of it, no two become one, and every run makes the same of them as long as the folder has the same names.
    /// </summary>
    Windows,
}
