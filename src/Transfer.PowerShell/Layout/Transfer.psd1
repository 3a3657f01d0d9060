@{
    RootModule = 'bin/Transfer.PowerShell.dll'
    # Before the cmdlets: it says where their libraries are.
    NestedModules = @('bin/Transfer.PowerShell.Loader.dll')
    ModuleVersion = '{version}'
    GUID = 'd2f1b0c7-6a0e-4f0e-9c7b-6e1a54b3a8de'
    Author = 'The Transfer authors'
    CompanyName = 'The Transfer authors'
    Copyright = '(c) The Transfer authors. MIT License.'
    Description = 'Moves files over FTP, FTPS and SFTP at the speed of the link: send, receive, list, synchronize, from pipelines.'
    PowerShellVersion = '7.6'
    CompatiblePSEditions = @('Core')
    FormatsToProcess = @('Transfer.format.ps1xml')
    TypesToProcess = @('Transfer.types.ps1xml')
    FunctionsToExport = @()
    AliasesToExport = @()
    VariablesToExport = @()
    CmdletsToExport = @(
        'Compare-TransferFolder'
        'Connect-TransferServer'
        'Copy-TransferFile'
        'Disconnect-TransferServer'
        'Get-TransferContent'
        'Get-TransferEntry'
        'Get-TransferFileHash'
        'Get-TransferHostKey'
        'Get-TransferServer'
        'Invoke-TransferCommand'
        'Move-TransferEntry'
        'New-TransferFolder'
        'New-TransferKey'
        'Receive-TransferBatch'
        'Receive-TransferFile'
        'Remove-TransferEntry'
        'Send-TransferBatch'
        'Send-TransferFile'
        'Set-TransferContent'
        'Set-TransferEntry'
        'Sync-TransferFolder'
        'Test-TransferPath'
        'Test-TransferServer'
        'Watch-TransferFolder'
    )
    # HelpInfoURI and ProjectUri are left out until the project has an address.
    PrivateData = @{
        PSData = @{
            Prerelease = '{prerelease}'
            Tags = @('FTP', 'FTPS', 'SFTP', 'SSH', 'FileTransfer', 'Sync', 'PSEdition_Core', 'Windows', 'Linux', 'MacOS')
            LicenseUri = 'https://opensource.org/license/mit'
            ReleaseNotes = @'
{notes}
'@
        }
    }
}
