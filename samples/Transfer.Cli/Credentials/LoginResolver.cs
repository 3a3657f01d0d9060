using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Finds the log-in for a URL. The password is, in this order: the option's (file, variable or command) or the profile's, the URL's,
/// TRANSFER_PASSWORD's, .netrc's, the one typed at the terminal. Without a user name it is .netrc's log-in, else an anonymous one.
/// For <c>sftp:</c> there may be none, as keys are the usual way, and the user is the local one where nothing says another.
/// </summary>
internal sealed class LoginResolver(CommandHost host, Messages messages)
{
    public const string DefaultVariable = "TRANSFER_PASSWORD";

    public static bool IsAnonymous(string user) => user is "anonymous" or "ftp";

    /// <summary>Resolves; asks at the terminal only when nothing else is left.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="arguments">The options that are meant for this URL.</param>
    /// <param name="ambient">TRANSFER_PASSWORD may be used: it is meant for the one server of a command, never for two.</param>
    /// <param name="ct">Cancels the question.</param>
    public Login Resolve(TransferUrl url, LoginArguments arguments, bool ambient, CancellationToken ct)
    {
        if (url.IsSftp) return ResolveSsh(url, arguments, ambient, ct);
        var login = ResolveFtp(url, arguments, ambient, ct);
        return arguments.AccountFile is not { } file ? login
            : login with { Account = Sendable(SecretFile.ReadLine(file, arguments.Prefix + "account-file")) };
    }

    private Login ResolveFtp(TransferUrl url, LoginArguments arguments, bool ambient, CancellationToken ct)
    {
        var user = User(url, arguments);
        if (Explicit(url, arguments, user, ct) is { } given) return Create(user!, given);
        if (url.Password is not null) return Create(url.User!, url.Password);
        if (user is not null && ambient && host.Environment(DefaultVariable) is { Length: > 0 } variable) return Create(user, variable);

        var entry = NetrcFile.Find(host, messages, url.Host, user);
        user ??= entry?.Login;
        if (user is null) return Login.Anonymous;
        if (entry?.Password is { } stored) return Create(user, stored, entry.Account);
        if (IsAnonymous(user)) return Create(user, "anonymous@");
        return Create(user, Ask(url, user, arguments, ambient, ct), entry?.Account) with { IsTyped = true };
    }

    /// <summary>Nothing is asked here: only the server knows whether it will want a password. An empty one is none.</summary>
    private Login ResolveSsh(TransferUrl url, LoginArguments arguments, bool ambient, CancellationToken ct)
    {
        var user = User(url, arguments);
        var password = Explicit(url, arguments, user ?? host.UserName, ct) ?? url.Password
            ?? (ambient ? host.Environment(DefaultVariable) : null);
        if (user is null || string.IsNullOrEmpty(password))
        {
            var entry = NetrcFile.Find(host, messages, url.Host, user);

            // The log-in that a .netrc has for every other machine is mostly FTP's anonymous one.
            if (entry is { Machine: null, Login: { } name } && IsAnonymous(name)) entry = null;
            user ??= entry?.Login;
            if (string.IsNullOrEmpty(password)) password = entry?.Password;
        }

        return Create(user ?? host.UserName, password ?? string.Empty) with
        {
            UserIsNamed = user is not null,
            TakesVariable = ambient,
        };
    }

    private static string? User(TransferUrl url, LoginArguments arguments)
    {
        if (arguments.User is { Length: 0 }) throw new UsageException($"{arguments.Prefix}user is empty.");
        // As curl takes it, with the password behind: then the name would be shown with it.
        if (arguments.User?.Contains(':', StringComparison.Ordinal) == true)
        {
            throw new UsageException(
                $"{arguments.Prefix}user takes a name without a password, and there is a colon in it. A password goes into "
                + $"{arguments.Prefix}password-file, {arguments.Prefix}password-env, "
                + $"{DefaultVariable} or .netrc; a name with a colon into the URL, with %3A for it.");
        }

        if (arguments.User is not null && url.User is not null && arguments.User != url.User)
            throw new UsageException($"{arguments.Prefix}user and the URL name different users.");
        return arguments.User ?? url.User;
    }

    private string? Explicit(TransferUrl url, LoginArguments arguments, string? user, CancellationToken ct)
    {
        var prefix = arguments.Prefix;
        List<string> given = [];
        if (arguments.PasswordFile is not null) given.Add(prefix + "password-file");
        if (arguments.PasswordVariable is not null) given.Add(prefix + "password-env");
        if (arguments.PasswordCommand is not null) given.Add(prefix + "password-command");
        if (arguments.Password is not null) given.Add("the profile's password");
        if (given.Count == 0) return null;
        var option = given[0];
        if (given.Count > 1) throw new UsageException($"{option} and {given[1]} contradict each other.");
        if (url.Password is not null) throw new UsageException($"{option} contradicts the password in the URL.");
        if (user is null) throw new UsageException($"{option} needs a user: give {prefix}user, or write it into the URL.");
        if (arguments.Password is { } stored) return stored.Reveal();
        if (arguments.PasswordFile is not null) return SecretFile.ReadLine(arguments.PasswordFile, option);
        if (arguments.PasswordCommand is { } command) return PasswordCommand.Run(command, option, ct);
        return host.Environment(arguments.PasswordVariable!) is { Length: > 0 } value
            ? value
            : throw new UsageException($"{option}: the environment variable that it names is not set.");
    }

    private string Ask(TransferUrl url, string user, LoginArguments arguments, bool ambient, CancellationToken ct)
    {
        if (host.ReadSecret is null)
        {
            throw new UsageException(
                $"No password for {user} at {url.Host}: give {arguments.Prefix}password-file or {arguments.Prefix}password-env, "
                + $"{(ambient ? $"set {DefaultVariable}, " : string.Empty)}or use .netrc.");
        }

        return host.ReadSecret($"Password for {PrintableText.Of(user)} at {url.Host}: ", ct);
    }

    private static Login Create(string user, string password, string? account = null) =>
        new(new TransferCredential(Sendable(user), Sendable(password)), account is null ? null : Sendable(account));

    // A line end would end the command that carries the text and start another.
    private static string Sendable(string text) => !text.AsSpan().ContainsAny('\r', '\n', '\0') ? text
        : throw new UsageException("A user name, password or account with a CR, LF or NUL is refused.");
}
