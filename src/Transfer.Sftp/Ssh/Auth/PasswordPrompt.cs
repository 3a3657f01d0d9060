namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// Distinguishes a question for the user's password from one for a code (RFC 4256 has no field for this, only the text). A word for a
/// password is required, and any word about a code, a second try or a new password excludes: an error would send the password to a
/// stranger.
/// </summary>
internal static class PasswordPrompt
{
    private static readonly HashSet<string> PasswordWords = new(StringComparer.OrdinalIgnoreCase)
    {
        "password", "passwort", "passord", "kennwort", "wachtwoord", "lösenord", "salasana", "adgangskode", "motdepasse", "passe",
        "contraseña", "contrasena", "senha", "hasło", "haslo", "heslo", "jelszó",
        "parola", "şifre", "sifre", "пароль", "пароля", "パスワード", "密码", "密碼", "암호",
    };

    private static readonly HashSet<string> OtherWords = new(StringComparer.OrdinalIgnoreCase)
    {
        "one", "onetime", "once", "otp", "oath", "totp", "hotp", "skey", "opie", "md5", "sha1", "code", "codes", "passcode", "token",
        "securid", "pin", "tan", "verification", "verify", "challenge", "response",
        "factor", "second", "2fa", "mfa", "duo", "yubikey", "temporary", "dynamic", "new", "again", "retype", "repeat", "reenter",
        "confirm", "change", "einmal", "einmalpasswort", "neues", "unique",
    };

    /// <summary>True when the text is a question for the user's password; the user's name in the text is ignored.</summary>
    public static bool IsPasswordPrompt(string text, string user)
    {
        if (user.Length > 0) text = text.Replace(user, " ", StringComparison.OrdinalIgnoreCase);
        var found = false;
        foreach (var range in text.AsSpan().SplitAny(Separators))
        {
            var word = text[range];
            if (OtherWords.Contains(word)) return false;
            found |= PasswordWords.Contains(word);
        }

        return found;
    }

    private static readonly System.Buffers.SearchValues<char> Separators =
        System.Buffers.SearchValues.Create(" \t.,:;!?()[]{}<>'\"`/\\-_&+*=|@#：（）");
}
