// ftp-srv, over its own file system.
'use strict';

const { settings, becomeUser } = require('./launch.js');
const { FtpSrv } = require('ftp-srv');

const server = new FtpSrv({
  url: `ftp://${settings.address}:${settings.port}`,
  pasv_url: settings.address,
  pasv_min: settings.port + 1,
  pasv_max: settings.port + settings.ports - 1,
});

server.on('login', ({ username, password }, resolve, reject) => {
  if (username === settings.user && password === settings.password) resolve({ root: settings.root });
  else reject(new Error('Wrong name or password'));
});

server.listen().then(becomeUser);
