import { badValue } from '../../core/documents/error.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { withoutSecrets } from '../../core/lib/secret.ts';
import { inSlices } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { keyValuesFrom, simpleMetadata } from '../../room/entities/key-values/rules.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { Storage, StorageMethod } from '../documents.ts';
import { storageNamed } from './entity.ts';
import { maskedUri, readAddress } from './methods/address.ts';
import type { MethodRequest } from './methods/rules.ts';
import {
  freeOf,
  noSuchStorage,
  priorities,
  type Rest,
  type StorageChange,
  storageRest,
  storageTypes,
  type WatermarkChange,
  watermarksOf,
} from './rules.ts';
import { type MethodRow, methodsOfAll, type StorageRow, storagesWith, usageOf } from './store.ts';

/** Validated change of a storage, from its document. */
export function changeFrom(document: Storage, maxMetadataBytes: number, id: string | undefined): StorageChange {
  const { capacity, scanInterval, bandwidth, sequenceTimeout, type, priority } = document;
  const at = (name: string) => `/StorageDocument/${name}`;
  const least = (name: string, number: number | undefined, from: number) => {
    if (number === undefined || number >= from) return number;
    throw badValue(at(name), `a whole number of at least ${from}`, String(number));
  };
  if (scanInterval === 0) throw badValue(at('scanInterval'), 'seconds, or -1 for no scans', '0');
  const rest: Rest = {
    bandwidth: least('bandwidth', bandwidth, 0),
    projection: document.projection,
    sequence: document.sequence,
    sequenceTimeout: least('sequenceTimeout', sequenceTimeout, 0),
    bean: document.bean,
    archiveScript: document.archiveScript,
    resourceTag: document.resourceTag,
  };
  return {
    type: type === undefined || type === '' ? undefined : wordOf(type, storageTypes, at('type')),
    capacity: least('capacity', capacity, 0),
    low: watermarkFrom(document.lowWatermarkPercentage, document.lowWatermark, at('lowWatermark')),
    high: watermarkFrom(document.highWatermarkPercentage, document.highWatermark, at('highWatermark')),
    scanInterval: least('scanInterval', scanInterval, -1),
    autoDetect: document.autoDetect,
    showImportables: document.showImportables,
    priority: priority === undefined || priority === '' ? undefined : wordOf(priority, priorities, at('priority')),
    rest,
    methods: (document.method ?? []).map((method) => methodRequestFrom(method, maxMetadataBytes, id)),
    metadata: keyValuesFrom(document.metadata, at('metadata/field/key'), maxMetadataBytes),
  };
}

function methodRequestFrom(
  method: StorageMethod,
  maxMetadataBytes: number,
  storage: string | undefined,
): MethodRequest {
  const { id, uri, read, write, browse, bandwidth, type, metadata } = method;
  if (bandwidth !== undefined && bandwidth < 0) {
    throw badValue('/StorageDocument/method/bandwidth', 'a whole number of at least 0', String(bandwidth));
  }
  return {
    id,
    address: readAddress(uri, storage),
    read,
    write,
    browse,
    bandwidth,
    type,
    metadata: keyValuesFrom(metadata, '/StorageDocument/method/metadata/field/key', maxMetadataBytes),
  };
}

/** The percentage comes first: clients that send both send back what they have read. */
function watermarkFrom(
  percentage: number | undefined,
  bytes: number | undefined,
  place: string,
): WatermarkChange | undefined {
  if (percentage !== undefined) {
    if (percentage >= 0 && percentage <= 100) return { percentage };
    throw badValue(`${place}Percentage`, 'a whole number from 0 to 100', String(percentage));
  }
  if (bytes === undefined || bytes >= 0) return bytes === undefined ? undefined : { bytes };
  throw badValue(place, 'a whole number of at least 0', String(bytes));
}

export function wordOf<W extends string>(text: string, words: readonly W[], place: string): W {
  const match = words.find((word) => word === text.toUpperCase());
  if (match !== undefined) return match;
  throw badValue(place, `one of ${words.join(', ')}`, text);
}

type Pairs = readonly { readonly key: string; readonly value: string }[];

/** A storage with all that its document tells. */
export interface LoadedStorage {
  readonly row: StorageRow;
  readonly methods: readonly MethodRow[];
  readonly used: number;
  readonly metadata: Pairs;
  /** By the id of the method. */
  readonly methodMetadata: ReadonlyMap<string, Pairs>;
}

export const storageFrom = (loaded: LoadedStorage): Storage => documentFrom(loaded, false);

/** `isNamed`: with the name for people, which clients of before do not expect. */
export function documentFrom(
  { row, methods, used, metadata, methodMetadata }: LoadedStorage,
  isNamed: boolean,
): Storage {
  const { told: toldProperties = [], lowWatermark: _low, highWatermark: _high, ...rest } = storageRest(row);
  const tells = (name: string) => toldProperties.includes(name);
  const { low, high } = watermarksOf(row);
  const detects = row.autoDetect === 1;
  return {
    id: row.id,
    ...(isNamed && { name: nameOf(metadata, methods) }),
    state: row.state,
    type: row.type,
    capacity: row.capacity,
    freeCapacity: freeOf(row, used),
    ...(detects && row.seenAt !== null && { timestamp: row.seenAt }),
    method: methods.map((method) => methodFrom(method, methodMetadata.get(method.id))),
    metadata: simpleMetadata(metadata),
    lowWatermark: low.bytes,
    highWatermark: high.bytes,
    lowWatermarkPercentage: low.percentage,
    highWatermarkPercentage: high.percentage,
    ...(tells('scanInterval') && { scanInterval: row.scanInterval }),
    ...((detects || tells('autoDetect')) && { autoDetect: detects }),
    showImportables: row.showImportables === 1,
    ...(tells('priority') && { priority: row.priority }),
    ...rest,
  };
}

/** Name for people: the one that the metadata gives, else the last folder of an address. Undefined: there is neither. */
function nameOf(metadata: Pairs, [method]: readonly MethodRow[]): string | undefined {
  const named = metadata.find(({ key }) => key === 'name')?.value.trim();
  if (named) return named;
  const last =
    method &&
    maskedUri(method)
      .replace(/[?#].*$/s, '')
      .split('/')
      .findLast((part) => part !== '');
  if (last === undefined || last.endsWith(':')) return undefined;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

export function methodFrom(row: MethodRow, metadata: Pairs = []): StorageMethod {
  const { lastSuccess, lastFailure, failureMessage } = row;
  return {
    id: row.id,
    uri: maskedUri(row),
    read: row.read === 1,
    write: row.write === 1,
    browse: row.browse === 1,
    ...(row.bandwidth > 0 && { bandwidth: row.bandwidth }),
    ...(lastSuccess !== null && { lastSuccess }),
    ...(lastFailure !== null && { lastFailure }),
    // Masked, since a driver may quote its address.
    ...(failureMessage !== null && { failureMessage: withoutSecrets(failureMessage) }),
    type: row.type || 'NONE',
    ...(metadata.length > 0 && { metadata: simpleMetadata(metadata) }),
  };
}

/** Storages with all that their documents tell, in the order of the ids. One that is gone meanwhile is left out. */
export const loadStorages = (reader: Reader, ids: readonly string[]): Promise<readonly LoadedStorage[]> =>
  inSlices(ids, (slice) => loadSlice(reader, slice));

async function loadSlice(reader: Reader, ids: readonly string[]): Promise<readonly LoadedStorage[]> {
  const values = { ids };
  const [storages, methods, used, metadata] = await Promise.all([
    storagesWith(reader, values),
    methodsOfAll(reader, values),
    usageOf(reader, values),
    keyValuesOf(reader, 'storage', ids),
  ]);
  const rows = new Map(storages.map((row) => [row.id, row]));
  const usage = new Map(used.map(({ id, bytes }) => [id, bytes]));
  const methodIds = methods.map(({ id }) => id);
  const methodMetadata = await keyValuesOf(reader, 'storage-method', methodIds);
  const byStorage = groupBy(methods, ({ storageId }) => storageId);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    return [
      {
        row,
        methods: byStorage.get(id) ?? [],
        used: usage.get(id) ?? 0,
        metadata: metadata.get(id) ?? [],
        methodMetadata,
      },
    ];
  });
}

/** The storage with this id or external id. 404 if there is none. */
export async function loadStorage(reader: Reader, name: string): Promise<LoadedStorage> {
  const { id } = await storageNamed(reader, name);
  const [loaded] = await loadStorages(reader, [id]);
  if (loaded) return loaded;
  throw noSuchStorage(id);
}
