# Parameters that no other script has a use for, at the embedded servers; at OpenSSH's sshd where Transfer.ServerTests gives one.
BeforeAll {
    . $PSScriptRoot/Common.ps1
    # Without TLS the address and the log-in are enough.
    $once = @{ Server = $env:TRANSFER_FTP -replace '^ftpes', 'ftp'; Credential = $credential }
    if ($env:TRANSFER_SSHD) {
        $login = [pscredential]::new('tester', (ConvertTo-SecureString $env:TRANSFER_SSHD_PASSWORD -AsPlainText -Force))
        $once = @{ Server = $env:TRANSFER_SSHD; Credential = $login }
        # A URI alone has no other known_hosts file than the user's.
        $env:HOME = (New-Item "$local/home/.ssh" -ItemType Directory).Parent.FullName
        Copy-Item $env:TRANSFER_SSHD_KNOWN_HOSTS "$env:HOME/.ssh/known_hosts"
        function Connect-Sftp { Connect-TransferServer $env:TRANSFER_SSHD -IdentityFile $env:TRANSFER_SSHD_KEY @args }
    }
    $secret = ConvertTo-SecureString 'six words at random' -AsPlainText -Force
    $env:XDG_STATE_HOME = "$local/states"
    Push-Location $local
    $null = New-Item tree/below -ItemType Directory
    1..10 | ForEach-Object { Set-Content "tree/file$_.csv" "content $_" }
    Set-Content tree/below/deep.txt deep
}
AfterAll { Pop-Location }

Describe '-Credential with the address of a server' {
    It 'logs in for <Name>, and for that command only' -ForEach @(
        @{ Name = 'Test-TransferServer'; Block = { Test-TransferServer @once | Should -Not -BeNullOrEmpty } }
        @{ Name = 'New-TransferFolder'; Block = { (New-TransferFolder made @once).Name | Should -Be made } }
        @{ Name = 'Send-TransferFile'; Block = { (Send-TransferFile tree/file1.csv made/ @once).Files | Should -Be 1 } }
        @{ Name = 'Receive-TransferFile'; Block = { (Receive-TransferFile made/file1.csv ./got/ @once).Files | Should -Be 1 } }
        @{ Name = 'Copy-TransferFile'; Block = { (Copy-TransferFile made/file1.csv made/copy.csv @once).Files | Should -Be 1 } }
        @{ Name = 'Sync-TransferFolder'; Block = { (Sync-TransferFolder tree synced -Direction Up @once).Files | Should -Be 11 } }
        @{ Name = 'Watch-TransferFolder'; Block = {
            (Watch-TransferFolder tree watched -Direction Up -Settle 0 @once | Select-Object -First 11).Path | Should -HaveCount 11 } }
        @{ Name = 'Compare-TransferFolder'; Block = {
            (Compare-TransferFolder tree made @once | Where-Object Action -eq Delete).Path | Should -Contain copy.csv } }
        @{ Name = 'Get-TransferEntry'; Block = { (Get-TransferEntry made @once).Name | Should -Contain copy.csv } }
        @{ Name = 'Test-TransferPath'; Block = { Test-TransferPath made @once | Should -BeTrue } }
        @{ Name = 'Set-TransferContent'; Block = { 'a' | Set-TransferContent made/a.txt @once } }
        @{ Name = 'Get-TransferContent'; Block = { Get-TransferContent made/a.txt @once | Should -Be a } }
        @{ Name = 'Get-TransferFileHash'; Block = {
            (Get-TransferFileHash made/file1.csv @once).Hash | Should -Be (Get-FileHash tree/file1.csv).Hash } }
        @{ Name = 'Set-TransferEntry'; Block = {
            Set-TransferEntry made/a.txt -LastWriteTime '2020-02-03T04:05:06Z' @once
            (Get-TransferEntry made/a.txt @once).Modified.Year | Should -Be 2020 } }
        @{ Name = 'Move-TransferEntry'; Block = {
            Move-TransferEntry made/a.txt made/b.txt @once
            Test-TransferPath made/b.txt @once | Should -BeTrue } }
        @{ Name = 'Remove-TransferEntry'; Block = {
            Remove-TransferEntry made/b.txt @once
            Test-TransferPath made/b.txt @once | Should -BeFalse } }
        @{ Name = 'Send-TransferBatch'; Block = {
            (Send-TransferBatch tree spool -To ann -Passphrase $secret @once).Files | Should -Be 11 } }
        @{ Name = 'Receive-TransferBatch'; Block = {
            (Receive-TransferBatch spool fetched -As ann -Passphrase $secret @once).Files | Should -Be 11 } }
        @{ Name = 'Invoke-TransferCommand'; Block = {
            if ($env:TRANSFER_SSHD) { Invoke-TransferCommand 'echo one' @once | Should -Be one }
            else { (Get-Errors { Invoke-TransferCommand 'echo one' @once })[0].CategoryInfo.Category | Should -Be NotImplemented } } }
    ) {
        & $Block
        Get-TransferServer | Should -BeNullOrEmpty
    }
}

Describe 'Options of jobs' {
    BeforeAll { $server = Connect-Sftp -Name parameters }
    AfterAll { Disconnect-TransferServer $server }

    It 'say how sure a file is to be, how many sessions it may take, and what of a folder is meant' {
        (Send-TransferFile tree/file1.csv verified/ -PassThru -Verify Hash -Sessions 2).Verified | Should -Be Hash
        (Send-TransferFile tree up/ -Verify Hash -Sessions 2).Files | Should -Be 11
        (Receive-TransferFile up/tree/file1.csv ./verified/ -PassThru -Verify Hash -Sessions 2).Verified | Should -Be Hash
        (Receive-TransferFile up/tree ./some/ -Include *.csv -Exclude file1*).Files | Should -Be 8
        Test-Path some/tree/file1.csv | Should -BeFalse
        (Copy-TransferFile up/tree copies/ -Verify Hash -Sessions 2 -Include *.csv -Exclude file1*).Files | Should -Be 8
        Test-TransferPath copies/tree/below/deep.txt | Should -BeFalse
        (Sync-TransferFolder tree alike -Direction Up -Verify Hash -Sessions 2 -Include *.csv -Exclude file1*).Files | Should -Be 8
    }

    It 'say what makes files the same, and what of folders is compared' {
        Sync-TransferFolder tree compared -Direction Up | Out-Null
        Set-TransferEntry compared/file2.csv -LastWriteTime '2020-02-03T04:05:06Z'
        (Compare-TransferFolder tree compared | Where-Object Action -eq Transfer).Path | Should -Be file2.csv
        Compare-TransferFolder tree compared -Compare Size | Where-Object Action -eq Transfer | Should -BeNullOrEmpty
        Compare-TransferFolder tree compared -Include *.txt -Exclude file* | Where-Object Action -eq Transfer | Should -BeNullOrEmpty
    }

    It 'hold back a synchronisation that would delete too much' {
        $null = New-Item bare -ItemType Directory
        Copy-Item tree/file1.csv bare
        Sync-TransferFolder tree guarded -Direction Up | Out-Null
        Get-Errors { Sync-TransferFolder bare guarded -Direction Up -Delete -MaxDelete 3 -Confirm:$false } | Should -Not -BeNullOrEmpty
        Get-TransferEntry guarded -Recurse -File | Should -HaveCount 11
        (Sync-TransferFolder bare guarded -Direction Up -Delete -MaxDelete 100 -Confirm:$false).Failed | Should -Be 0
        (Get-TransferEntry guarded -Recurse -File).Name | Should -Be file1.csv
    }

    It 'lists the folders that a pipeline gives it' {
        Send-TransferFile tree listed/ | Out-Null
        (Get-TransferEntry listed | Get-TransferEntry -File).Name | Should -HaveCount 10
    }

    It 'set modes in all of a folder, and delete without a question' {
        Send-TransferFile tree modes/ | Out-Null
        Set-TransferEntry modes/tree -Mode u=rwX,go= -Recurse
        [int] (Get-TransferEntry modes/tree/file1.csv).Mode | Should -Be 384
        [int] (Get-TransferEntry modes/tree/below/deep.txt).Mode | Should -Be 384
        Remove-TransferEntry modes -Recurse -Force
        Test-TransferPath modes | Should -BeFalse
    }

    It 'are those of another server where a command has them' {
        $other = Connect-TransferServer "file://$local/" -Name other
        (Get-Errors { Invoke-TransferCommand 'echo one' -Server other })[0].CategoryInfo.Category | Should -Be NotImplemented
        Disconnect-TransferServer $other
    }
}
