BeforeAll { . $PSScriptRoot/Common.ps1 }

Describe 'Invoke-TransferCommand' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'is refused for FTP, which has no commands of a host' {
        Connect-Ftp | Out-Null
        $errors = Get-Errors { Invoke-TransferCommand 'echo one' }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Unsupported,*'
        $errors[0].CategoryInfo.Category | Should -Be NotImplemented
    }

    It 'says where a server has files and no shell' {
        Connect-Sftp | Out-Null
        $errors = Get-Errors { Invoke-TransferCommand 'echo one' -Encoding latin1 }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be PermissionDenied
        Test-TransferServer -Quiet | Should -BeTrue
    }

    It 'runs nothing with -WhatIf' {
        Connect-Sftp | Out-Null
        Invoke-TransferCommand 'echo one' -WhatIf | Should -BeNullOrEmpty
    }
}
