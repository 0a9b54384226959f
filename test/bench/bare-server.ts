import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import Database from 'libsql';
import { listen } from './listen.ts';

/**
 * The least that could answer whoami: Hono, a cache of verified credentials, one prepared native read. With a document
 * also the least that could answer the metadata of an item: the same, and the document as text. With a folder also the
 * least that could take a file with its hash.
 * Run as its own process beside the real server: `bare-server.ts DATABASE-FILE [DOCUMENT-FILE or "" [FOLDER]]`.
 */
const [path, file = '', folder] = process.argv.slice(2);
const database = new Database(path!, { readonly: true });
const user = database.prepare('SELECT name, enabled FROM user WHERE name = ?').raw();
const verified = new Map([[`Basic ${btoa('admin:bench')}`, 'admin']]);

const app = new Hono();
app.get('/API/whoami', (context) => {
  const name = verified.get(context.req.header('authorization') ?? '');
  const row = name === undefined ? undefined : (user.get(name) as [string, number] | undefined);
  if (row?.[1] !== 1) return context.body(null, 401);
  return context.body(row[0], 200, { 'content-type': 'text/plain; charset=UTF-8' });
});
if (file !== '') {
  const state = database.prepare(`SELECT doc FROM metadata_state WHERE owner_type = 'item' AND owner_id = ?`).raw();
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
  app.get('/API/item/:item/metadata', (context) => {
    const name = verified.get(context.req.header('authorization') ?? '');
    const row = name === undefined ? undefined : state.get(context.req.param('item'));
    if (row === undefined) return context.body(null, 404);
    return context.body(JSON.stringify(document), 200, { 'content-type': 'application/json' });
  });
}
if (folder !== undefined) {
  app.post('/upload', async (context) => {
    const hash = createHash('sha1');
    const target = await open(join(folder, 'bare-upload'), 'w');
    try {
      for await (const piece of context.req.raw.body!) {
        hash.update(piece);
        await target.write(piece);
      }
      await target.datasync();
    } finally {
      await target.close();
    }
    return context.text(hash.digest('hex'));
  });
}

listen(app);
