import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import Database from 'libsql';

/** The least that knows files with their hashes: `bare-scan.ts FOLDER DATABASE-FILE`. */
const [root, path] = process.argv.slice(2) as [string, string];
const database = new Database(path);
database.pragma('journal_mode = WAL');
database.exec('CREATE TABLE file (path TEXT PRIMARY KEY, size INTEGER, modified INTEGER, sha1 TEXT, sha256 TEXT)');
const insert = database.prepare('INSERT INTO file VALUES (?, ?, ?, ?, ?)');
const piece = Buffer.allocUnsafe(1024 * 1024);

function visit(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = `${folder}/${entry.name}`;
    if (entry.isDirectory()) visit(at);
    else if (entry.isFile()) add(at);
  }
}

function add(at: string): void {
  const fd = openSync(at, 'r');
  const { size, mtimeMs } = fstatSync(fd);
  const hashers = [createHash('sha1'), createHash('sha256')];
  for (let length = -1; length !== 0; ) {
    length = readSync(fd, piece);
    for (const hasher of hashers) hasher.update(piece.subarray(0, length));
  }
  closeSync(fd);
  insert.run(at, size, Math.floor(mtimeMs), ...hashers.map((hasher) => hasher.digest('hex')));
}

database.transaction(() => visit(root))();
database.close();
