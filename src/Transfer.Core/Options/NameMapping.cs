namespace Transfer;

/// <summary>The handling of names that a folder's target can't have.</summary>
public enum NameMapping
{
    /// <summary>Items with such a name fail, and so do those in a folder with such a name.</summary>
    None,

    /// <summary>
    /// Items are written under names derived from their own: see <see cref="Windows"/>. Names are mapped as far as known to need that: in a
    /// local folder those that this system refuses or its disk takes for one; at a server those with line ends and, if the server turns out
    /// to take them for one, those that differ in case only.
    /// </summary>
    Target,

    /// <summary>
    /// Maps, for any target, all names that Windows refuses, and those that differ in case only. Refused characters, a dot or a blank at
    /// the end and the first letter of a device become the bytes of their UTF-8, each as <c>%</c> and two hexadecimal digits. Of names that
    /// differ in case only the first in ordinal order stays; in each further name the letters that differ from the first become such bytes.
    /// A <c>%</c> becomes <c>%25</c> only where it would look like such a byte. So each name can be recovered, no two become one, and every
    /// run maps alike as long as the folder has the same names.
    /// </summary>
    Windows,
}
