# Installs the module from a folder of packages, as users do, and imports it by its name.
$ErrorActionPreference = 'Stop'
Register-PSResourceRepository -Name packages -Uri $env:TRANSFER_PACKAGES -Trusted
Install-PSResource Transfer -Repository packages -Prerelease -Scope CurrentUser
Import-Module Transfer
(Get-Command -Module Transfer).Name
$files = New-Item (Join-Path $env:TRANSFER_LOCAL served) -ItemType Directory
Set-Content (Join-Path $files here.txt) here
Connect-TransferServer "file://$($files.FullName)/" | Out-Null
if ((Get-TransferContent here.txt) -ne 'here') { throw 'It was not read.' }
Remove-Module Transfer
