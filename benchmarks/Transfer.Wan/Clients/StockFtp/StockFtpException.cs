namespace Transfer.Wan.Clients.StockFtp;

/// <summary>The server refused a command, or what it sent is not FTP.</summary>
internal sealed class StockFtpException(string message) : IOException(message);
