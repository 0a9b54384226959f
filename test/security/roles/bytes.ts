import type { Sent, World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';
import type { Rule } from './rule.ts';

/** Entities of each caller of the tables: a storage, a file in it, and an upload. */
interface Own {
  readonly storage: string;
  readonly uri: string;
  readonly file: string;
  readonly upload: string;
  /** Links to read and to write the file. */
  readonly reads: string;
  readonly writes: string;
}

const owned = new Map<string, Own>();
export const ownOf = (who: string): Own => owned.get(who)!;

/** Above all ids that a service gives out in these tests. */
let last = 970_000;

const tus = { 'tus-resumable': '1.0.0' };
const offset = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const beginning = ({ storage }: Pick<Own, 'storage'>, name: string) => ({
  ...tus,
  'upload-length': '11',
  'upload-metadata': `storage ${base64(storage)},filename ${base64(name)}`,
});

export async function byteRowsOf(world: World, who: string, caller = who): Promise<void> {
  const id = `VX-${++last}`;
  const uri = `memory:///place-${last}/`;
  const storage = await storageRows(world, { id, uri });
  const file = await world.send({
    as: admin,
    request: `POST /API/storage/${storage}/file/data?path=a.mov`,
    headers: { accept: 'text/plain' },
    body: 'hello',
  });
  const headers = beginning({ storage }, 'begun.mov');
  const begun = await world.send({ as: admin, request: 'POST /API/upload', headers });
  const upload = begun.headers.get('location')!.split('/').at(-1)!;
  const changes = [{ sql: 'UPDATE transfer SET owner = ?1 WHERE id = ?2', args: [caller, upload] }];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
  const [reads, writes] = [await linkTo(world, file.body, ''), await linkTo(world, file.body, '?write=true')];
  owned.set(who, { storage, uri, file: file.body, upload, reads, writes });
}

/** Without the origin. */
async function linkTo(world: World, file: string, query: string): Promise<string> {
  const headers = { accept: 'text/plain' };
  const { body } = await world.send({ as: admin, request: `POST /API/file/${file}/uri${query}`, headers });
  return body.trim().replace(/^https?:\/\/[^/]+/, '');
}

type Request = (own: Own, who: string) => Omit<Sent, 'as'>;

const row = (route: string, needs: Rule['needs'], request: Request): Rule => ({
  route,
  needs,
  rows: byteRowsOf,
  request: (who) => request(ownOf(who), who),
});

/** Uploads by tus, of files and of imports. */
const upload = (route: string, request: Request): Rule => ({ ...row(route, write, request), or: '_import' });

/** An item of the caller with a shape, whose component has the file. */
async function shownRowsOf(world: World, who: string, caller = who): Promise<void> {
  await byteRowsOf(world, who, caller);
  const { file } = ownOf(who);
  const changes = [
    { sql: `INSERT INTO item (id, serial, created_at) VALUES ('VX-' || ?1, ?1, 0)`, args: [last] },
    {
      sql: `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
        SELECT 'item', 'VX-' || ?1, 'O-' || ?1, ?1, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = ?2`,
      args: [last, caller],
    },
    {
      sql: `INSERT INTO shape (id, serial, item_id, essence_version, placeholder, mime_types, created_at, version)
        VALUES ('VX-' || ?1, ?1, 'VX-' || ?1, 0, 0, '["video/mp4"]', 0, 1)`,
      args: [last],
    },
    {
      sql: `INSERT INTO component (id, shape_id, kind, position, expected, document)
        VALUES ('VX-' || ?1, 'VX-' || ?1, 'container', 0, 0, '{}')`,
      args: [last],
    },
    {
      sql: `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
        VALUES (?2, 'VX-' || ?1, 'VX-' || ?1, 'VX-' || ?1)`,
      args: [last, file],
    },
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
  shapes.set(who, `/item/VX-${last}/shape/VX-${last}`);
}

const shapes = new Map<string, string>();

const shown = (route: string, below: (who: string) => string): Rule => ({
  route,
  needs: '_item_shape_read',
  rows: shownRowsOf,
  request: (who) => ({ request: `GET /API${shapes.get(who)}${below(who)}/data` }),
});

const read = '_file_read';
const write = '_file_write';

/** Uploads, downloads and what is told of them. */
export const byteRules: readonly Rule[] = [
  shown('GET /item/:item/shape/:shape/data', () => ''),
  shown(
    'GET /item/:item/shape/:shape/component/:component/data',
    (who) => `/component/${shapes.get(who)?.split('/').at(-1)}`,
  ),
  row('POST /storage/:storage/file/data', write, ({ storage }) => ({
    request: `POST /API/storage/${storage}/file/data?path=new.mov`,
    body: 'hello',
  })),
  row('POST /storage/file/data', write, ({ uri }) => ({
    request: `POST /API/storage/file/data?uri=${uri}new.mov`,
    body: 'hello',
  })),
  row('GET /file/:file/data', read, ({ file }) => ({ request: `GET /API/file/${file}/data` })),
  row('POST /file/:file/data', write, ({ file }) => ({ request: `POST /API/file/${file}/data`, body: 'world' })),
  row('POST /file/:file/uri', read, ({ file }) => ({ request: `POST /API/file/${file}/uri` })),
  row('GET /APInoauth/file/:file/data', 'nothing', ({ reads }) => ({ request: `GET ${reads}` })),
  row('GET /APInoauth/storage/:storage/file/:file/:key/:name', 'nothing', ({ reads, storage, file }) => {
    const link = new URL(reads, 'http://portico.test').searchParams;
    const key = `${link.get('expires')}~${link.get('signature')}`;
    return { request: `GET /APInoauth/storage/${storage}/file/${file}/${key}/${file}.mov` };
  }),
  row('PUT /APInoauth/file/:file/data', 'nothing', ({ writes }) => ({ request: `PUT ${writes}`, body: 'world' })),
  row('GET /transfer', 'any caller', () => ({ request: 'GET /API/transfer' })),
  row('GET /transfer/:transfer', 'any caller', ({ upload }) => ({ request: `GET /API/transfer/${upload}` })),
  row('PUT /transfer/:transfer', 'any caller', ({ upload }) => ({ request: `PUT /API/transfer/${upload}?priority=7` })),
  upload('OPTIONS /upload', () => ({ request: 'OPTIONS /API/upload' })),
  upload('OPTIONS /upload/:upload', ({ upload }) => ({ request: `OPTIONS /API/upload/${upload}` })),
  upload('POST /upload', (own) => ({ request: 'POST /API/upload', headers: beginning(own, 'new.mov') })),
  upload('GET /upload/:upload', ({ upload }) => ({ request: `GET /API/upload/${upload}`, headers: tus })),
  upload('PATCH /upload/:upload', ({ upload }) => ({
    request: `PATCH /API/upload/${upload}`,
    headers: offset,
    body: 'hello ',
  })),
  upload('DELETE /upload/:upload', ({ upload }) => ({ request: `DELETE /API/upload/${upload}`, headers: tus })),
];
