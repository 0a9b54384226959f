import type { UploadEntry } from './upload-list.ts';

const [database, table] = ['portico', 'uploads'];

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const db = await open();
    return await new Promise<T>((resolve, reject) => {
      const request = use(db.transaction(table, mode).objectStore(table));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    }).finally(() => db.close());
  } catch {
    // A private window may have no database: uploads then end with the page.
    return undefined;
  }
}

/** Begun uploads, for the next time the page is loaded. `user`: whose uploads these are. */
export const keptUploads = {
  put: (user: string, entry: UploadEntry) => run('readwrite', (store) => store.put({ ...entry, user })),
  remove: (id: string) => run('readwrite', (store) => store.delete(id)),
  async list(user: string): Promise<readonly UploadEntry[]> {
    const all = (await run('readonly', (store) => store.getAll())) as (UploadEntry & { user: string })[] | undefined;
    return (all ?? []).filter((each) => each.user === user);
  },
};
