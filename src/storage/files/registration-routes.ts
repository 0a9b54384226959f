import { badValue } from '../../core/documents/error.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing, nothing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { badParameter, choice, flag, list, type QueryOf, text } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { type Route, route } from '../../http/route.ts';
import { add } from '../../room/entities/external-ids/rules.ts';
import { keyValuesFrom } from '../../room/entities/key-values/rules.ts';
import { type KeyValues, setKeyValues } from '../../room/entities/key-values/store.ts';
import { type File, fileDocument } from '../documents.ts';
import type { StorageParts } from '../parts.ts';
import { storageNamed } from '../storages/entity.ts';
import { noSuchStorage } from '../storages/rules.ts';
import { storageThere } from '../storages/store.ts';
import { whenOf } from './changes/routes.ts';
import { applyFileValues, type ChangeTime, type ClientFileValues, duesOf } from './changes/rules.ts';
import { type FileLocation, fileKind, fileLocations, usesOfFile, writeFiles } from './entity.ts';
import { newPath } from './path.ts';
import { fileAnswer, shownFile } from './reading-routes.ts';
import {
  defaultAlgorithm,
  type FileStateName,
  type FileUses,
  fileStates,
  hashFrom,
  newFile,
  pathTaken,
} from './rules.ts';
import { type FileRow, fileAt, findFile, type NewFile } from './store.ts';

/** File registered by a caller. */
interface Registration extends ClientFileValues {
  readonly storageId: string;
  readonly path: string;
  readonly metadata: KeyValues;
}

/** Row for a file whose bytes will come, or exist already. */
function registerFile(id: string, registration: Registration, when: ChangeTime): CommitPlan {
  const { storageId, path, state = 'NONE', size = null, hash = null, metadata } = registration;
  const row: NewFile = {
    id,
    storageId,
    path,
    state,
    size,
    hash,
    digest: null,
    modified: null,
    content: null,
    identity: null,
    changedAt: when.now,
    timestamp: when.now,
    ...duesOf(state, hash, when),
  };
  const { changes, events } = newFile(row, changedMeanwhile('File', id));
  const values = setKeyValues('file', id, metadata, false);
  return { changes: [storageThere({ id: storageId }, noSuchStorage(storageId)), ...changes, ...values], events };
}

/** Changes for a file that is registered already. Undefined: no change. */
function registerAgain(
  row: FileRow,
  registration: Registration,
  uses: FileUses,
  when: ChangeTime,
): CommitPlan | undefined {
  const { changes, events } = applyFileValues(row, registration, uses, when) ?? changing();
  const values = setKeyValues('file', row.id, registration.metadata, false);
  return changes.length + values.length === 0 ? undefined : { changes: [...changes, ...values], events };
}

const query = {
  path: text('The path of the file below its storage'),
  uri: text('Address of the file below a method of a storage, instead of its id'),
  state: choice('The state of the file', fileStates),
  externalId: list(text('External ids of the file')),
  createOnly: flag('Refuses a path that already has a file. False: that file is changed', true),
};

type RegistrationCall = Call<QueryOf<typeof query>>;

/** Tells the service of files. No bytes are touched. */
export function registrationRoutes(parts: StorageParts): readonly Route[] {
  const { store, settings } = parts;
  return ['/storage/file', '/storage/:storage/file'].map((path) =>
    route({
      method: 'POST',
      path,
      says: path.includes(':')
        ? 'Registers a file of a storage. Its bytes stay as they are.'
        : 'Registers a file by its address. Its bytes stay as they are.',
      query,
      reads: optional(fileDocument),
      answers: fileAnswer,
      access: writeFiles,
      acting: 'allowed',
      handle: async (call, params) => shownFile(store, call, await register(call, call.body ?? {}, params['storage'])),
    }),
  );

  async function register(call: RegistrationCall, document: File, storage: string | undefined): Promise<FileRow> {
    const place = await placeOf(call, document, storage);
    const metadata = keyValuesFrom(document.metadata, '/FileDocument/metadata/field/key', settings.maxMetadataBytes);
    const registration: Registration = { ...place, ...clientValues(call, document), metadata };
    const { id } = await call.change(async () => {
      const file = await fileAt(store, place);
      if (file && call.query.createOnly) throw pathTaken(file);
      const id = file?.id ?? (await store.nextId('file'));
      const when = whenOf(parts);
      const plan = file
        ? registerAgain(file, registration, await usesOfFile(store, id), when)
        : registerFile(id, registration, when);
      return { ...together(plan ?? nothing, changing(...(await named(id, call.query.externalId)))), id };
    });
    return (await findFile(store, { id }))!;
  }

  async function named(id: string, externalIds: readonly string[] = []): Promise<readonly Statement[]> {
    const statements: Statement[] = [];
    for (const externalId of externalIds)
      statements.push(...(await add(store, fileKind(store), id, externalId, 'bad-value')));
    return statements;
  }

  async function placeOf(call: RegistrationCall, document: File, name: string | undefined): Promise<FileLocation> {
    const storage = name === undefined ? undefined : (await storageNamed(store, name)).id;
    const path = call.query.path ?? document.path;
    if (storage !== undefined && path !== undefined && path !== '') return { storageId: storage, path: newPath(path) };
    const uri = call.query.uri ?? document.uri?.[0];
    if (uri === undefined || uri === '') {
      throw badParameter(
        storage === undefined ? 'uri' : 'path',
        `Expected ${storage === undefined ? 'the address' : 'the path or the address'} of the file`,
      );
    }
    const [nearest] = await fileLocations(store, uri, storage);
    if (nearest) return nearest;
    throw badParameter('uri', 'Expected an address below a method of a storage');
  }
}

function clientValues(
  { query: { state } }: RegistrationCall,
  document: File,
): Pick<Registration, 'state' | 'size' | 'hash'> {
  const { size, hash } = document;
  if (size !== undefined && size < 0) {
    throw badValue('/FileDocument/size', 'a whole number of at least 0', String(size));
  }
  return {
    state: state ?? stateIn(document),
    size,
    hash: hash === undefined || hash === '' ? undefined : hashFrom(hash, defaultAlgorithm, 'hash'),
  };
}

function stateIn({ state }: File): FileStateName | undefined {
  if (state === undefined || state === '') return undefined;
  const fileState = fileStates.find((each) => each === state.toUpperCase());
  if (fileState) return fileState;
  throw badValue('/FileDocument/state', `one of ${fileStates.join(', ')}`, state);
}
