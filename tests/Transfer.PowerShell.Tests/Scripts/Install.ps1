# Installs the module from a folder of packages by the lines of docs/powershell.md, and imports it by its name.
$ErrorActionPreference = 'Stop'
$lines = [regex]::Match((Get-Content "$env:TRANSFER_REPOSITORY/docs/powershell.md" -Raw), '(?ms)^```powershell\r?\n(Register-PSResourceRepository.*?)^```').Groups[1].Value
Invoke-Expression $lines.Replace('./artifacts/powershell', $env:TRANSFER_PACKAGES)
Import-Module Transfer
(Get-Command -Module Transfer).Name
$files = New-Item (Join-Path $env:TRANSFER_LOCAL served) -ItemType Directory
Set-Content (Join-Path $files here.txt) here
Connect-TransferServer "file://$($files.FullName)/" | Out-Null
if ((Get-TransferContent here.txt) -ne 'here') { throw 'It was not read.' }
Remove-Module Transfer
