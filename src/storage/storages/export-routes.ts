import { badValue } from '../../core/documents/error.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { raw } from '../../http/forms.ts';
import { text } from '../../http/parameters/index.ts';
import { streamList } from '../../http/render-list.ts';
import { type Route, route } from '../../http/route.ts';
import { type StorageImport, storageImportDocument } from '../documents.ts';
import { newFile, unseenFile } from '../files/rules.ts';
import { usesOf } from '../files/store.ts';
import type { StorageParts } from '../parts.ts';
import { readStorages, storageAt, writeStorages } from './entity.ts';
import { readAddress } from './methods/address.ts';
import { decideMethods } from './methods/decisions.ts';
import { createStorage, noChange } from './rules.ts';
import { filesAfter, filesAmong } from './store.ts';

type Entry = NonNullable<StorageImport['file']>[number];

const place = '/StorageImportDocument/file/path';
const maxLength = 4000;

/** Entries of files that this service does not have. */
function newEntries(document: StorageImport, existing: ReadonlySet<string>): readonly Entry[] {
  const entries = (document.file ?? []).filter(({ fileId }) => !existing.has(fileId));
  for (const { path, size } of entries) {
    checkPath(path);
    if (size !== undefined && size < 0)
      throw badValue('/StorageImportDocument/file/size', 'a whole number', String(size));
  }
  return entries;
}

/** A path has one spelling, and none leads out of the storage. */
function checkPath(path: string): void {
  const odd = path.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (odd || path.length > maxLength || /[\0-\x1f\x7f]/.test(path)) {
    throw badValue(place, 'a relative path without empty parts, "." and ".."', path);
  }
}

/** The files of a new storage. They are OPEN until a scan has seen their bytes. */
function importFiles(
  storageId: string,
  entries: readonly (Entry & { readonly id: string })[],
  now: number,
): CommitPlan {
  const works = entries.map(({ id, path, size = null }) =>
    newFile(unseenFile({ id, storageId, path, size }, now), badValue(place, 'each path once', path)),
  );
  return { changes: works.flatMap(({ changes }) => changes), events: works.flatMap(({ events }) => events) };
}

/** Files read at once. */
const batch = 500;

async function* entriesOf(reader: Reader, id: string) {
  for (let after = -1; ; ) {
    const rows = await filesAfter(reader, { id, after, limit: batch });
    const uses = await usesOf(reader, { ids: rows.map((row) => row.id) });
    const byFile = groupBy(uses, ({ fileId }) => fileId);
    yield rows.map(({ id: fileId, path, size }) => ({
      fileId,
      path,
      ...(size !== null && { size }),
      component: (byFile.get(fileId) ?? []).map(({ componentId }) => componentId),
    }));
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.serial;
  }
}

export function storageExportRoutes(parts: StorageParts): readonly Route[] {
  const { store, clock } = parts;
  return [
    route({
      method: 'GET',
      path: '/storage/:storage/export',
      says: 'Exports the files of a storage, for import as another storage.',
      entities: { storage: storageAt(store) },
      answers: raw(storageImportDocument),
      access: readStorages,
      handle: (call, { storage: { id } }) =>
        streamList(call.render, call.type, storageImportDocument, 'file', entriesOf(call.reader, id)),
    }),
    route({
      method: 'POST',
      path: '/storage/import',
      says: 'Creates a storage with one method and the files of an export. Files with an existing id are left out.',
      query: { path: text('The address of the method, such as file:///srv/media/', { required: true }) },
      reads: storageImportDocument,
      access: writeStorages,
      acting: 'allowed',
      async handle(call) {
        const document = call.body;
        const request = { address: readAddress(call.query.path, undefined) };
        const decided = await decideMethods(parts, call, undefined, [], [request]);
        const ids = (document.file ?? []).map(({ fileId }) => fileId);
        const knownFiles = new Set((await filesAmong(store, { ids })).map(({ id }) => id));
        const entries = [];
        for (const entry of newEntries(document, knownFiles))
          entries.push({ ...entry, id: await store.nextId('file') });
        const id = await store.nextId('storage');
        const now = clock.now();
        const storage = createStorage(id, { ...noChange, methods: [request] }, decided, now);
        const files = importFiles(id, entries, now);
        await call.commit({
          changes: [...storage.changes, ...files.changes],
          events: [...storage.events, ...files.events],
        });
      },
    }),
  ];
}
