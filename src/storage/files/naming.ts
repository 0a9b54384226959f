import { ServiceError } from '../../core/lib/errors.ts';
import { splitName } from '../../core/lib/file-name.ts';
import { lastValue, runScript, ScriptFails } from '../../core/scripts/run-script.ts';
import type { Actor } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { Hooks } from '../../room/hook.ts';
import type { StorageDriver } from '../../spi/index.ts';
import type { Destinations } from '../bytes/receiving/destination.ts';
import { fileNameHook } from '../contract.ts';
import { newPath } from './path.ts';
import { isTaken } from './rules.ts';

interface NamingParts {
  readonly store: Reader;
  readonly hooks: Hooks;
  readonly destinations: Pick<Destinations, 'requireFree'>;
}

/** A file that the service itself has to name. */
interface Unnamed {
  readonly storageId: string;
  readonly fileId: string;
  readonly itemId?: string | undefined;
  readonly shapeId?: string | undefined;
  readonly componentId?: string | undefined;
  /** Tags of the shape that has the file, or will have it. */
  readonly shapeTag?: readonly string[] | undefined;
  /** Called for each notification that gives no valid name. */
  readonly tell?: ((sentence: string) => void) | undefined;
  /** The item's originalFilename, if known. */
  readonly originalFilename?: string | undefined;
  /** Extension with its dot, such as `.mov`. Empty if unknown. */
  readonly extension: string;
  /** Preferred names, tried before the name made of the id. */
  readonly preferredPaths: readonly string[];
}

/**
 * Generates the path of a new file: by a notification of the storage, or by its script, or else the first free preferred path. A
 * notification or script with a taken name counts as unanswered.
 */
export async function inventPath(
  { store, hooks, destinations }: NamingParts,
  unnamed: Unnamed,
  driver: StorageDriver,
  actor: Actor,
): Promise<string> {
  const { storageId, fileId, itemId, shapeId, componentId, shapeTag = [], tell, extension, preferredPaths } = unnamed;
  const names = {
    storageId,
    fileId,
    username: actor.user,
    ...(itemId !== undefined && { itemId }),
    ...(shapeId !== undefined && { shapeId }),
    ...(componentId !== undefined && { componentId }),
    ...(shapeTag.length > 0 && { shapeTag }),
  };
  const name = await hooks.need(fileNameHook).name(names, actor, tell);
  const scripted = name === undefined ? await pathByScript(store, unnamed, actor) : undefined;
  const named = name === undefined ? (scripted ?? []) : `${name}${extension}`;
  const paths = [...[named].flat(), ...preferredPaths, `${fileId}${extension}`];
  for (const path of paths) if (await isFree(destinations, { storageId, path }, driver)) return path;
  // The id is part of the name, so conflicts are rare.
  for (let count = 1; ; count++) {
    const path = `${fileId}-${count}${extension}`;
    if (await isFree(destinations, { storageId, path }, driver)) return path;
  }
}

/** Starts the reads of `inventPath`, for `Store.ahead`. */
export const inventAhead = (
  { store, hooks }: Pick<NamingParts, 'store' | 'hooks'>,
  storageId: string,
): Promise<unknown> =>
  Promise.all([hooks.need(fileNameHook).ahead(storageId), keyValuesOf(store, 'storage', [storageId])]);

/** The key of a storage with the script that names its new files. */
const scriptKey = 'filenameScript';

/** Scripts of this API ask a context by functions. */
const contextOf = `const context = Object.freeze({
  getFileId: () => file.fileId,
  getItem: () => file.item,
  getStorage: () => file.storage,
  getExtension: () => file.extension,
  getOriginalFilename: () => file.originalFilename,
  getUser: () => file.user,
  getShape: () => file.shape,
  getComponent: () => file.component,
  getJobMetadata: () => null,
});
`;

const entity = (id: string | undefined) => (id === undefined ? null : { id });

/** Undefined: the storage has no script, or the script names no path. */
async function pathByScript(
  reader: Reader,
  { storageId, fileId, itemId, shapeId, componentId, originalFilename, extension, preferredPaths }: Unnamed,
  { user }: Actor,
): Promise<string | undefined> {
  const pairs = (await keyValuesOf(reader, 'storage', [storageId])).get(storageId) ?? [];
  const script = pairs.find(({ key }) => key === scriptKey)?.value;
  if (script === undefined || script.trim() === '') return undefined;
  const file = {
    fileId,
    user: user ?? null,
    item: entity(itemId),
    shape: entity(shapeId),
    component: entity(componentId),
    storage: { id: storageId },
    extension: extension === '' ? null : extension.slice(1),
    originalFilename: originalFilename ?? preferredPaths[0] ?? null,
  };
  const failed = (why: string) =>
    new ServiceError('bad-value', { context: scriptKey, id: storageId, explanation: `${why}`.slice(0, 300) });
  try {
    // In one line, so that messages count the lines of the script.
    const read = await runScript(contextOf.replaceAll('\n', ' ') + script, { file }, [lastValue]);
    const path = read[lastValue];
    return path === undefined || path === null || path === '' ? undefined : newPath(String(path), scriptKey);
  } catch (error) {
    if (error instanceof ScriptFails)
      throw failed(`Expected the script of ${storageId} to name a file: ${error.message}`);
    throw error;
  }
}

export async function isFree(
  { requireFree }: Pick<Destinations, 'requireFree'>,
  place: { readonly storageId: string; readonly path: string },
  driver: StorageDriver,
): Promise<boolean> {
  try {
    await requireFree(place, driver);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/** Extension of a name from outside, with the dot. Empty where it cannot be part of a path. */
export function safeExtensionOf(name: string): string {
  const extension = extensionOf(name);
  return /^\.[\p{L}\p{N}_-]{1,20}$/u.test(extension) ? extension : '';
}

/** Extension of a name with its dot, as it is written. */
export const extensionOf = (path: string): string => splitName(path).extension;
