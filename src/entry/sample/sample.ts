import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ServiceError } from '../../core/lib/errors.ts';
import { randomText } from '../../core/lib/random.ts';
import { type Sample, type SampleHost, type SampleRemoval, sampleProperty } from '../../room/sample.ts';
import type { StoredCaller } from '../../security/subject.ts';
import { type RootSettings, rootsOf } from '../native/file-storage/roots.ts';
import { checkout, home } from '../program-path.ts';
import {
  type SampleItem,
  sampleFields,
  sampleItems,
  samplePeople,
  sampleTree,
  strokeOfReviewer,
} from './sample-plan.ts';

const notes = `/API/configuration/properties/${sampleProperty}`;
const files = new URL(`${checkout ? '' : 'dist/'}src/entry/sample/files/`, home);
const fileOf = (name: string): Promise<Uint8Array> => readFile(new URL(name, files));

/** Requests in the name of a user, with their answers as documents. */
type Ask = <T = unknown>(method: string, path: string, body?: object | string) => Promise<T>;

const asker =
  ({ ask }: SampleHost, as?: StoredCaller): Ask =>
  async <T>(method: string, path: string, body?: object | string) => {
    const isBytes = body instanceof Uint8Array;
    const type = isBytes ? 'application/octet-stream' : typeof body === 'string' ? 'text/plain' : 'application/json';
    const sent = isBytes || typeof body === 'string' ? (body as BodyInit) : JSON.stringify(body);
    const headers = {
      ...{ accept: 'application/json', prefer: 'return=representation' },
      ...(body !== undefined && { 'content-type': type }),
    };
    const response = await ask(path, { method, headers, ...(body !== undefined && { body: sent }) }, as);
    const text = await response.text();
    if (response.status < 400) {
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return (isJson && text !== '' ? JSON.parse(text) : text) as T;
    }
    throw new ServiceError('bad-value', { context: `${method} ${path}`, explanation: text.slice(0, 500) });
  };

/** Whether a path leads to something. */
const isThere = async (ask: Ask, path: string): Promise<boolean> =>
  ask('GET', path).then(
    () => true,
    () => false,
  );

const folderOf = (settings: RootSettings): string => join(rootsOf(settings).folders[0]!, 'sample');

/**
 * Makes the sample library: media from the package, and around them all that a house has. All of it is asked of the API,
 * so it has nothing that a person could not make.
 */
export async function makeSample(settings: RootSettings, host: SampleHost): Promise<Sample> {
  const folder = folderOf(settings);
  const ask = asker(host);
  const { hits } = await ask<{ readonly hits: number }>('PUT', '/API/item?number=0', {});
  if (hits > 0 || (await isThere(ask, notes))) {
    const obstacle = hits > 0 ? `${hits} items are there` : 'a sample is there';
    throw new ServiceError('already-exists', { explanation: `Expected a database without items: ${obstacle}` });
  }
  const paths: string[] = [];
  const note = async (path: string): Promise<void> => {
    paths.unshift(path);
    await ask('PUT', notes, JSON.stringify(paths));
  };
  try {
    await mkdir(folder, { recursive: true });
    return await new Making(host, folder, note).run();
  } catch (error) {
    await removeSample(settings, host);
    throw error;
  }
}

class Making {
  private readonly host: SampleHost;
  private readonly folder: string;
  private readonly note: (path: string) => Promise<void>;
  private readonly ask: Ask;
  /** Ids of items by their files, and of collections. */
  private readonly ids = new Map<string, string>();

  constructor(host: SampleHost, folder: string, note: (path: string) => Promise<void>) {
    this.host = host;
    this.folder = folder;
    this.note = note;
    this.ask = asker(host);
  }

  async run(): Promise<Sample> {
    const { ask, note, host } = this;
    const uri = `${pathToFileURL(this.folder).href}/`;
    const method = [{ uri, read: true, write: true, browse: true }];
    const storage = await ask<{ readonly id: string }>('POST', '/API/storage', {
      ...{ type: 'LOCAL', capacity: 1e9, method },
      metadata: { field: [{ key: 'name', value: 'Sample' }] },
    });
    await note(`/API/storage/${storage.id}?safe=true`);
    await this.prepare();
    const password = randomText(host.random, 16);
    const people = new Map<string, Ask>();
    const users: Sample['user'] = [];
    for (const { userName, realName, groups } of samplePeople) {
      const { id } = await ask<{ readonly id: string }>('POST', '/API/user', { userName, realName, password });
      await note(`/API/user/${userName}?hard=true`);
      const group = (await isThere(ask, `/API/group/${groups[0]}`)) ? groups[0]! : groups[1]!;
      await ask('PUT', `/API/group/${group}/user/${userName}`);
      users.push({ userName, realName, group });
      people.set(groups[0]!, asker(host, { account: { id, revocations: 0 } }));
    }
    const editor = people.get('editor')!;
    await editor('PUT', '/API/import/access/group/viewer?permission=READ');
    await editor('PUT', '/API/import/access/group/editor?permission=WRITE');
    for (const [key, { name, ...more }] of Object.entries(sampleTree)) {
      const { id } = await editor<{ readonly id: string }>('POST', `/API/collection?name=${encodeURIComponent(name)}`);
      this.ids.set(key, id);
      await note(`/API/collection/${id}`);
      await editor('POST', `/API/collection/${id}/access`, { group: 'viewer', permission: 'READ' });
      if ('within' in more) await editor('PUT', `/API/collection/${this.ids.get(more.within)}/${id}?type=collection`);
    }
    for (const item of sampleItems) await this.import(item, storage.id, editor);
    await this.review(editor, people.get('reviewer')!);
    return { password, user: users, ...(await this.share(editor)), item: sampleItems.length };
  }

  /** Makes what a first start makes, too. Groups and shape tags stay: people who were added since need them. */
  private async prepare(): Promise<void> {
    const { ask, note } = this;
    await ask('PUT', '/APIinit/groups');
    await ask('PUT', '/APIinit/preset-templates');
    for (const [name, definition] of sampleFields) {
      if (await isThere(ask, `/API/metadata-field/${name}`)) continue;
      await ask('PUT', `/API/metadata-field/${name}`, definition);
      await note(`/API/metadata-field/${name}`);
    }
  }

  private async import(item: SampleItem, storage: string, editor: Ask): Promise<void> {
    const { file, title, description, keywords, rating, collection, firstCut } = item;
    const first = firstCut ?? file;
    const shared = { storageId: storage, createThumbnails: 'false' };
    const upload = async (path: string, name: string, query: object = {}) =>
      this.finished(
        await editor(
          'POST',
          `${path}?${new URLSearchParams({ filename: name, ...shared, ...query })}`,
          await fileOf(name),
        ),
      );
    const data = await upload('/API/import/raw', first);
    const id = data.get('itemId')!;
    await this.note(`/API/item/${id}`);
    this.ids.set(file, id);
    const values = { title, asset_description: description, asset_rating: String(rating) };
    const field = [
      ...Object.entries(values).map(([name, value]) => ({ name, value: [{ value }] })),
      { name: 'asset_keywords', value: keywords.map((value) => ({ value })) },
    ];
    await editor('PUT', `/API/item/${id}/metadata`, { timespan: [{ start: '-INF', end: '+INF', field }] });
    for (const name of new Set([first, file])) {
      if (name !== first) await upload(`/API/item/${id}/shape/essence/raw`, name);
      const stem = name.replace(/\.\w+$/, '');
      if (item.web) await upload(`/API/item/${id}/shape/raw`, `${stem}.mp4`, { tag: '__mp4' });
      await this.addPictures(id, stem, (item.pictures ?? []).slice(0, name === file ? undefined : 2), editor);
    }
    await editor('PUT', `/API/collection/${this.ids.get(collection)}/${id}`);
    if (/\.(?:mov|wav)$/.test(file)) await this.finished(await this.ask('POST', `/API/item/${id}/analyze`));
  }

  private async addPictures(id: string, stem: string, seconds: readonly number[], editor: Ask): Promise<void> {
    if (seconds.length === 0) return;
    const { uri } = await editor<{ readonly uri: readonly string[] }>('PUT', `/API/item/${id}/thumbnailresource`);
    const place = uri[0]!.replace(/^.*?\/API\//, '/API/');
    for (const at of seconds) await editor('PUT', `${place}/${at * 25}@PAL`, await fileOf(`${stem}-${at}.jpg`));
  }

  /** Waits for a job. Gives its data. */
  private async finished({ jobId }: { readonly jobId?: string }): Promise<ReadonlyMap<string, string>> {
    for (;;) {
      const path = `/API/job/${jobId}?metadata=true`;
      const job = await this.ask<{ status: string; data?: { key: string; value: string }[] }>('GET', path);
      if (job.status.startsWith('FINISHED')) return new Map(job.data?.map(({ key, value }) => [key, value]));
      if (/^(?:FAILED|ABORTED)/.test(job.status))
        throw new ServiceError('bad-value', { context: path, explanation: JSON.stringify(job).slice(0, 500) });
      await this.host.sleep(100);
    }
  }

  /** The first cut is rejected with a drawing, the second one approved. */
  private async review(editor: Ask, reviewer: Ask): Promise<void> {
    const item = `/API/item/${this.ids.get('harbour.mov')}`;
    const write = (by: Ask, annotation: object) =>
      by<{ readonly id: string }>('POST', `${item}/annotation`, annotation);
    const approve = (version: number, state: string, comment: string) =>
      reviewer('PUT', `${item}/shape/version/${version}/approval`, { state, comment });
    const tilted = await write(reviewer, {
      ...{ version: 0, start: '40@PAL', text: 'The horizon tilts, @sample-editor', assignedTo: 'sample-editor' },
      ...{ drawing: strokeOfReviewer, state: 'done' },
    });
    await write(editor, { version: 0, parent: tilted.id, text: 'Straight in the second cut' });
    await approve(0, 'rejected', 'Too dark, and the horizon tilts');
    await write(reviewer, { start: '75@PAL', rectangle: 'percent:40,52,18,26', text: 'The boat could be larger here' });
    await write(editor, { start: '150@PAL', text: 'Bells from here on?', assignedTo: 'sample-reviewer' });
    await approve(1, 'approved', 'Ready for the client');
  }

  private async share(editor: Ask): Promise<Pick<Sample, 'share' | 'upload'>> {
    const open = async (collection: string, terms: object) => {
      const path = `/API/collection/${this.ids.get(collection)}/share`;
      const make = (by: Ask) => by<{ readonly id: string; readonly token: string }>('POST', path, terms);
      // A group editor of before may not share.
      const { id, token } = await make(editor).catch(() => make(this.ask));
      await this.note(`/API/share/${id}`);
      return `/ui/s#${token}`;
    };
    const share = await open('film', {
      ...{ title: 'Harbour film, for the client', allow: ['play', 'download'], comment: true },
    });
    const upload = await open('sent', { title: 'Send your files', look: false, upload: { files: 100, bytes: 50e9 } });
    return { share, upload };
  }
}

/** Deletes what `make` noted, and keeps what others have begun to use since. */
export async function removeSample(settings: RootSettings, host: SampleHost): Promise<SampleRemoval> {
  const ask = asker(host);
  const noted = await ask<{ readonly value: string }>('GET', notes).catch(() => undefined);
  if (!noted) throw new ServiceError('no-such-entity', { type: 'Sample', id: sampleProperty });
  const paths = JSON.parse(noted.value) as string[];
  const inUse: string[] = [];
  let own: boolean | undefined;
  for (const path of paths) {
    // Items come first: fields are for those that are left.
    if (path.startsWith('/API/metadata-field/')) {
      own ??= (await ask<{ readonly hits: number }>('PUT', '/API/item?number=0', {})).hits > 0;
      if (own) inUse.push(path);
    }
    if (inUse.includes(path)) continue;
    if (!(await deleted(ask, path))) inUse.push(path);
  }
  await ask('DELETE', notes);
  const storage = inUse.find((path) => path.startsWith('/API/storage/'));
  if (storage) await closeStorage(ask, storage.replace(/\?.*$/, ''));
  else await rm(folderOf(settings), { recursive: true, force: true });
  return { removed: paths.length - inUse.length, kept: inUse };
}

/** Files of others stay where they are until they are deleted, and new ones go to a storage of their own. */
async function closeStorage(ask: Ask, path: string): Promise<void> {
  await ask('PUT', path, { type: 'SHARED' });
  await ask('PUT', `${path}/metadata/name`, 'Files from the time of the sample');
}

async function deleted(ask: Ask, path: string): Promise<boolean> {
  try {
    await ask('DELETE', path);
    return true;
  } catch {
    return !(await isThere(ask, path.replace(/\?.*$/, '')));
  }
}
