import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Service } from '../../src/composition/service.ts';
import { wav } from '../production/checking/samples.ts';
import { type Answered, ask } from './jobs-service.ts';

/** Context of an instance that asks for jobs of every type that needs no program beside the service. */
export interface Doing {
  readonly service: Service;
  readonly media: string;
  /** Name of this turn, among all turns of all instances. */
  readonly name: string;
  /** A job that was answered for, with its type. */
  ordered(type: string, jobId: string): void;
  /** An answer that no client should get. */
  complain(says: string): void;
}

/** The types that each run has, with how a job of the type ends. */
export const ends: Readonly<Record<string, string>> = {
  PLACEHOLDER_IMPORT: 'FINISHED',
  RAW_IMPORT: 'FINISHED',
  AUTO_IMPORT: 'FINISHED',
  SIDECAR_IMPORT: 'FINISHED',
  SHAPE_IMPORT: 'FINISHED',
  ESSENCE_VERSION: 'FINISHED',
  SHAPE_UPDATE: 'FINISHED',
  TRANSCODE: 'FINISHED',
  THUMBNAIL: 'FINISHED',
  ANALYZE: 'FINISHED',
  EXPORT: 'FINISHED',
  LIST_ITEMS: 'FINISHED',
  COPY_FILE: 'FINISHED',
  MOVE_FILE: 'FINISHED',
  DELETE_FILE: 'FINISHED',
  UPDATE_LIBRARY_ITEM_METADATA: 'FINISHED',
  DELETE_LIBRARY: 'FINISHED',
  DELETE_USER: 'FINISHED',
  PLOT: 'FINISHED',
  // Nothing here assembles timelines.
  CONFORM: 'FAILED_TOTAL',
};

/** Types whose request makes an item. */
export const makingItems = ['PLACEHOLDER_IMPORT', 'RAW_IMPORT', 'AUTO_IMPORT'];

const octets = { 'content-type': 'application/octet-stream' };
const title =
  '<MetadataDocument><timespan start="-INF" end="+INF"><field><name>title</name><value>Beside</value></field></timespan></MetadataDocument>';
/** Milliseconds until somebody else is left with an item whose import does not end. */
const patience = 180_000;

let sound: Uint8Array<ArrayBuffer> | undefined;

const isLater = ({ status, text }: Answered) => status === 503 || (status === 409 && text.includes('try again'));
const pause = () => new Promise((resolve) => setTimeout(resolve, 250));

/** A client: it tells of each job, and of each answer that it should not get. */
function client({ service, ordered, complain }: Doing) {
  return async (
    ...[request, body, headers]: [string, (object | string | Uint8Array<ArrayBuffer>)?, Record<string, string>?]
  ) => {
    let answered = await ask(service, request, body, headers);
    // A client that is told to come back does: a lease that is so short ends on a busy machine, too.
    for (let again = 0; isLater(answered) && again < 20; again++) {
      await pause();
      answered = await ask(service, request, body, headers);
    }
    const { status, text } = answered;
    if (status >= 300 && !isLater(answered)) complain(`${request}: ${status} ${text}`);
    const [, jobId] = /"jobId":"([^"]+)"/.exec(text) ?? [];
    const [, type] = /"type":"([A-Z_]+)"/.exec(text) ?? [];
    if (status < 300 && jobId !== undefined && type !== undefined) ordered(type, jobId);
    return answered;
  };
}

const idIn = ({ text }: Answered): string => /"(?:id|fileId)":"([^"]+)"/.exec(text)?.[1] ?? '';
const firstOf = ({ text }: Answered): string => /"uri":\["([^"]+)"/.exec(text)?.[1] ?? '';
const uriOf = (...path: readonly string[]): string => encodeURIComponent(pathToFileURL(join(...path)).href);

/** An item whose sound other jobs can do something with. Undefined: its import has not ended in time. */
async function settled(doing: Doing, text: string): Promise<string | undefined> {
  const jobId = /"jobId":"([^"]+)"/.exec(text)?.[1] ?? '';
  for (const until = Date.now() + patience; Date.now() < until; ) {
    const [row] = await doing.service.store.read('SELECT status, data FROM job WHERE id = ?', [jobId]);
    const data = JSON.parse(String(row?.[1] ?? '[]')) as readonly (readonly [string, string])[];
    if (row?.[0] === 'FINISHED') return data.find(([key]) => key === 'itemId')?.[1];
    await pause();
  }
  return undefined;
}

/** Each of them is one way to begin jobs. They go on beside each other. */
const deeds: readonly ((doing: Doing) => Promise<void>)[] = [
  async (doing) => {
    const send = client(doing);
    const path = join(doing.media, 'in', `${doing.name}.wav`);
    await writeFile(path, sound!);
    const query = 'storageId=VX-2&tag=lowres&createThumbnails=true';
    const { text } = await send(`POST /API/import?uri=${uriOf(path)}&${query}`);
    const item = await settled(doing, text);
    if (item === undefined) return;
    const other = join(doing.media, 'in', `shape-${doing.name}.wav`);
    await writeFile(other, sound!);
    await send(`POST /API/item/${item}/shape?uri=${uriOf(other)}&storageId=VX-2&tag=web`);
    await send(`POST /API/item/${item}/export?uri=${uriOf(doing.media, 'exports', doing.name)}%2F&metadata=true`);
    await send(`POST /API/item/${item}/export?uri=${uriOf(doing.media, 'exports', `t-${doing.name}`)}%2F&template=web`);
    await send(`PUT /API/item/${item}/conform?tag=web`, { conform: { timeline: { segment: [] } } });
  },
  async (doing) => {
    const send = client(doing);
    const { text } = await send(`POST /API/import/raw?storageId=VX-2&filename=${doing.name}.wav`, sound, octets);
    const item = await settled(doing, text);
    if (item === undefined) return;
    await send(`POST /API/item/${item}/transcode?tag=web`);
    await send(`POST /API/item/${item}/thumbnail?createThumbnails=true`);
    await send(`POST /API/item/${item}/analyze`, {});
    await send(`POST /API/import/sidecar/${item}/raw?fileExtension=xml`, title, octets);
    const shape = firstOf(await send(`GET /API/item/${item}/shape`));
    await send(`POST /API/item/${item}/shape/${shape}/update`);
    const library = firstOf(await send('POST /API/library', { item: [{ id: item }] }));
    const field = [{ name: 'title', value: [{ value: doing.name }] }];
    await send(`PUT /API/library/${library}/item-metadata`, { timespan: [{ start: '-INF', end: '+INF', field }] });
  },
  async (doing) => {
    const send = client(doing);
    const file = await send(`POST /API/storage/VX-1/file/data?path=auto/${doing.name}.wav`, sound, octets);
    const { text } = await send(`POST /API/storage/VX-1/file/${idIn(file)}/import`);
    const item = await settled(doing, text);
    if (item === undefined) return;
    const next = await send(`POST /API/storage/VX-1/file/data?path=next/${doing.name}.wav`, sound, octets);
    await send(`POST /API/item/${item}/shape/essence?fileId=${idIn(next)}`);
  },
  async (doing) => {
    const send = client(doing);
    const file = async (folder: string) =>
      idIn(await send(`POST /API/storage/VX-1/file/data?path=${folder}/${doing.name}`, doing.name, octets));
    await send(`POST /API/file/${await file('copied')}/storage/VX-2`);
    await send(`POST /API/file/${await file('moved')}/storage/VX-2?move=true`);
    await send(`DELETE /API/file/${await file('deleted')}`);
  },
  async (doing) => {
    const send = client(doing);
    await send(`POST /API/item/list?destinationUri=${uriOf(doing.media, 'exports', `${doing.name}.csv`)}`);
    await send('POST /API/job?type=PLOT');
    const library = firstOf(await send('POST /API/library', { item: [] }));
    await send(`DELETE /API/library/${library}?async=true`);
    const user = `user-${doing.name}`;
    await send('POST /API/user', { userName: user, password: `password of ${user}` });
    await send(`DELETE /API/user/${user}?hard=true`);
  },
];

export async function turn(doing: Doing): Promise<void> {
  sound ??= new Uint8Array(await wav({ seconds: 0.05 }));
  await Promise.all(deeds.map((deed) => deed(doing)));
}
