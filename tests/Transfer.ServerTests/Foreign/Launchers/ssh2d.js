// A server over ssh2, as applications write them: each request is a call of the file system, answered when that ends.
'use strict';

const { settings, becomeUser } = require('./launch.js');
const fs = require('fs');
const path = require('path');
const { Server, utils: { sftp: { STATUS_CODE, flagsToString } } } = require('ssh2');

const codes = { ENOENT: STATUS_CODE.NO_SUCH_FILE, EACCES: STATUS_CODE.PERMISSION_DENIED, EPERM: STATUS_CODE.PERMISSION_DENIED };
const local = (name) => path.join(settings.root, path.posix.resolve('/', name));
const attributes = (stat) => ({
  mode: stat.mode, uid: stat.uid, gid: stat.gid, size: stat.size, atime: stat.atimeMs / 1000, mtime: stat.mtimeMs / 1000,
});

async function setAttributes(name, attrs) {
  if (attrs.size !== undefined) await fs.promises.truncate(name, attrs.size);
  if (attrs.mode !== undefined) await fs.promises.chmod(name, attrs.mode & 0o7777);
  if (attrs.mtime !== undefined) await fs.promises.utimes(name, attrs.atime, attrs.mtime);
}

function serve(sftp) {
  const open = new Map();
  let count = 0;
  const of = (handle) => open.get(handle.readUInt32BE(0));

  function keep(id, entry) {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(++count);
    open.set(count, entry);
    sftp.handle(id, handle);
  }

  // Handlers return true for "done", or have answered.
  const on = (request, handler) => sftp.on(request, async (id, ...rest) => {
    try {
      if (await handler(id, ...rest) === true) sftp.status(id, STATUS_CODE.OK);
    } catch (error) {
      sftp.status(id, codes[error.code] ?? STATUS_CODE.FAILURE, error.code);
    }
  });

  on('REALPATH', (id, name) => sftp.name(id, [{ filename: path.posix.resolve('/', name), longname: '', attrs: {} }]));
  on('STAT', async (id, name) => sftp.attrs(id, attributes(await fs.promises.stat(local(name)))));
  on('LSTAT', async (id, name) => sftp.attrs(id, attributes(await fs.promises.lstat(local(name)))));
  on('FSTAT', async (id, handle) => sftp.attrs(id, attributes(await of(handle).file.stat())));
  on('OPEN', async (id, name, flags, attrs) =>
    keep(id, { name: local(name), file: await fs.promises.open(local(name), flagsToString(flags), attrs.mode ?? 0o666) }));
  on('READ', async (id, handle, offset, length) => {
    const { bytesRead, buffer } = await of(handle).file.read(Buffer.alloc(length), 0, length, offset);
    if (bytesRead === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, buffer.subarray(0, bytesRead));
  });
  on('WRITE', async (id, handle, offset, data) => {
    await of(handle).file.write(data, 0, data.length, offset);
    return true;
  });
  on('CLOSE', async (id, handle) => {
    const entry = of(handle);
    open.delete(handle.readUInt32BE(0));
    await entry.file?.close();
    return true;
  });
  on('OPENDIR', async (id, name) => keep(id, { folder: local(name), names: await fs.promises.readdir(local(name)) }));
  on('READDIR', async (id, handle) => {
    const entry = of(handle);
    const names = entry.names.splice(0, 100);
    if (names.length === 0) return sftp.status(id, STATUS_CODE.EOF);
    const found = [];
    for (const name of names) {
      found.push({ filename: name, longname: name, attrs: attributes(await fs.promises.lstat(path.join(entry.folder, name))) });
    }
    return sftp.name(id, found);
  });
  on('REMOVE', (id, name) => fs.promises.unlink(local(name)).then(() => true));
  on('MKDIR', (id, name) => fs.promises.mkdir(local(name)).then(() => true));
  on('RMDIR', (id, name) => fs.promises.rmdir(local(name)).then(() => true));
  on('RENAME', (id, from, to) => fs.promises.rename(local(from), local(to)).then(() => true));
  on('SETSTAT', (id, name, attrs) => setAttributes(local(name), attrs).then(() => true));
  on('FSETSTAT', (id, handle, attrs) => setAttributes(of(handle).name, attrs).then(() => true));
}

const server = new Server({ hostKeys: [fs.readFileSync(settings.key)] }, (client) => {
  client.on('authentication', (attempt) => {
    if (attempt.method === 'password' && attempt.username === settings.user && attempt.password === settings.password) attempt.accept();
    else attempt.reject(['password']);
  });
  client.on('error', (error) => console.log(error.message));
  client.on('session', (accept) => accept().on('sftp', (accept) => serve(accept())));
});
server.listen(settings.port, settings.address, becomeUser);
