import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import type { MemoryFolder } from '../../../src/kit/testing/storage/memory-storage.ts';

/** An upload that a client was told is done. */
export interface Acknowledged {
  readonly id: string;
  readonly path: string;
  readonly hash?: string;
}

export interface Aftermath {
  readonly database: Database;
  readonly place: MemoryFolder;
  readonly acknowledged: readonly Acknowledged[];
  readonly lies: Readonly<Record<string, string>>;
}

export type Moment = 'at once' | 'after a start' | 'in the end';

interface FileFact {
  readonly id: string;
  readonly path: string;
  readonly state: string;
  readonly size: number | null;
  readonly content: string | null;
  readonly hash: string | null;
}

interface Facts {
  readonly files: readonly FileFact[];
  /** Paths whose bytes are about to change. */
  readonly publishing: ReadonlySet<string>;
  readonly transfers: readonly (readonly [state: string, token: string, fileId: string | null])[];
  readonly events: readonly (readonly [name: string, file: string])[];
}

/**
 * Checks the invariants after a stop of the process, after the next start, and when clients have sent everything again.
 */
export async function checkBytes(world: Aftermath, moment: Moment): Promise<void> {
  const facts = await factsOf(world.database);
  for (const [name, holds] of Object.entries(invariants)) {
    try {
      holds(facts, world, moment);
    } catch (error) {
      throw new Error(`${name}, ${moment}: ${(error as Error).message}`, { cause: error });
    }
  }
}

async function factsOf(database: Database): Promise<Facts> {
  const rows = async <T>(sql: string) => [...(await database.read(sql))] as unknown as T[];
  const files = await rows<[string, string, string, number | null, string | null, string | null]>(
    'SELECT id, path, state, size, content, hash FROM file',
  );
  return {
    files: files.map(([id, path, state, size, content, hash]) => ({ id, path, state, size, content, hash })),
    publishing: new Set((await rows<[string]>('SELECT path FROM publication')).map(([path]) => path)),
    transfers: await rows('SELECT state, token, file_id FROM transfer'),
    events: await rows(`SELECT name, entity_id FROM event WHERE name LIKE 'file/%' ORDER BY sequence`),
  };
}

const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');
const textOf = (place: MemoryFolder, path: string) => {
  const kept = place.files.get(path);
  return kept && new TextDecoder().decode(kept.bytes);
};

const invariants: Readonly<Record<string, (facts: Facts, world: Aftermath, moment: Moment) => void>> = {
  'no file says CLOSED without its bytes'({ files, publishing }, { place }) {
    for (const { path, state, size, content, hash } of files) {
      if (state !== 'CLOSED') continue;
      const kept = place.files.get(path);
      expect(kept, path).toBeDefined();
      // The new bytes are there, and the row that tells of them is about to follow.
      if (publishing.has(path)) continue;
      expect([size, content], path).toEqual([kept!.bytes.byteLength, kept!.version]);
      if (hash !== null) expect(hash, path).toBe(sha1(kept!.bytes));
    }
  },

  'the bytes of a file are the old ones or the new ones'(_facts, { place, lies }) {
    for (const path of place.files.keys()) {
      expect([lies[path], 'old', 'foreign', 'deleted'], path).toContain(textOf(place, path));
    }
  },

  'what belongs to somebody else is not overwritten'(_facts, { place, lies }) {
    for (const [path, text] of Object.entries(lies)) {
      if (text === 'foreign') expect(textOf(place, path), path).toBe('foreign');
    }
  },

  'an upload that was acknowledged is there'({ files }, { acknowledged }) {
    for (const { id, path, hash } of acknowledged) {
      expect(
        files.some((file) => file.path === path && file.id === id),
        path,
      ).toBe(true);
      if (hash === undefined) continue;
      const file = files.find((each) => each.id === id)!;
      if (file.state === 'CLOSED') expect(file.hash ?? hash, path).toBeDefined();
    }
  },

  'events tell of files that there are, in their order, and of none twice'({ files, events }) {
    const begun = new Set<string>();
    for (const [name, file] of events) {
      if (name === 'file/new') {
        expect(begun, `${file} is new twice`).not.toContain(file);
        begun.add(file);
      } else expect(begun, `${name} of ${file}, which is not there yet`).toContain(file);
    }
    for (const { id, state } of files) {
      expect(begun, id).toContain(id);
      const told = events.filter(([, file]) => file === id).map(([name]) => name);
      if (state === 'CLOSED') expect(told, id).toContain('file/close');
    }
  },

  'nothing is left half done after a start'({ publishing, transfers, files }, { place }, moment) {
    if (moment === 'at once') return;
    expect([...publishing]).toEqual([]);
    const live = new Set(transfers.filter(([state]) => state === 'TRANSFERRING').map(([, token]) => token));
    const strays = [...place.staged.keys()].filter((token) => !live.has(token));
    expect(strays, 'temporary files of nobody').toEqual([]);
    expect(transfers.filter(([state]) => state === 'WAITING')).toEqual([]);
    const uploading = new Set(transfers.filter(([state]) => state === 'TRANSFERRING').map(([, , file]) => file));
    for (const { id, state } of files) if (state === 'OPEN') expect(uploading, `${id} is open`).toContain(id);
  },

  'every file of the storage has its row'({ files }, { place }, moment) {
    if (moment === 'at once') return;
    for (const path of place.files.keys()) {
      if (textOf(place, path) === 'foreign') continue;
      expect(files.map((file) => file.path)).toContain(path);
    }
  },

  'all is as the clients want it'(_facts, { place, lies }, moment) {
    if (moment !== 'in the end') return;
    expect(Object.fromEntries([...place.files.keys()].map((path) => [path, textOf(place, path)]))).toEqual(lies);
  },
};
