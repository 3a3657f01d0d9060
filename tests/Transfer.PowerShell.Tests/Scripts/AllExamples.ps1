# The examples of the help, of about_Transfer and of docs/powershell.md.
$help = "$env:TRANSFER_REPOSITORY/src/Transfer.PowerShell/Help"
$pages = @(Get-ChildItem "$help/*.md") + (Get-Item "$env:TRANSFER_REPOSITORY/docs/powershell.md")
foreach ($page in $pages) {
    $number = 0
    foreach ($match in [regex]::Matches((Get-Content $page -Raw), '(?ms)^```powershell\r?\n(.*?)^```')) {
        @{ Page = $page.Name; Number = ++$number; Code = $match.Groups[1].Value }
    }
}
$number = 0
foreach ($match in [regex]::Matches((Get-Content "$help/about_Transfer.help.txt" -Raw), '(?m)(^ {8}\S.*\r?\n(^ {8}.*\r?\n)*)')) {
    @{ Page = 'about_Transfer'; Number = ++$number; Code = $match.Value }
}
