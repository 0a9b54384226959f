import type { Description } from '../../core/documents/index.ts';
import type { Call } from '../../http/call.ts';
import { type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import {
  bulkyMetadataConfigurationDocument,
  databasePurgingConfigurationDocument,
  ftpPoolConfigurationDocument,
  indexingConfigurationDocument,
  logReportConfigurationDocument,
  metricsConfigurationDocument,
  pathAliasConfigurationDocument,
} from './documents.ts';
import type { ConfigurationParts } from './parts.ts';
import { findDocument } from './store.ts';
import { changeStored, checkAliases, type Merge, mergePurging, withoutKey } from './stored-rules.ts';

interface Stored<T extends object> {
  /** Last segment of its path. */
  readonly name: string;
  /** Subject for sentences: `how often …`. */
  readonly about: string;
  readonly description: Description<T>;
  readonly deletable?: true;
  /** Merges the stored and the new document. Default: the new document. */
  readonly merge?: Merge<T>;
  /** Adds derived values to the answer. */
  readonly shown?: (value: T) => T;
}

/** Routes of configurations that consist of one document. */
export const storedRoutes = (parts: ConfigurationParts): readonly Route[] => [
  ...routesOf(parts, {
    name: 'bulkymetadata',
    about: 'where bulky metadata is kept',
    description: bulkyMetadataConfigurationDocument,
    shown: (value) => ({
      ...value,
      status: { metadataInDatabase: true, metadataOnStorage: false, storageStatus: 'OFFLINE' },
    }),
  }),
  ...routesOf(parts, {
    name: 'ftp-pool',
    about: 'how many connections to FTP servers are kept',
    description: ftpPoolConfigurationDocument,
    deletable: true,
  }),
  ...routesOf(parts, {
    name: 'indexing',
    about: 'what a search server of its own would be told',
    description: indexingConfigurationDocument,
  }),
  ...routesOf(parts, {
    name: 'logreport',
    about: 'where reports of the log go',
    description: logReportConfigurationDocument,
    merge: (_before, document) => withoutKey(document),
  }),
  ...routesOf(parts, {
    name: 'metrics',
    about: 'which server is told of measurements',
    description: metricsConfigurationDocument,
  }),
  ...routesOf(parts, {
    name: 'path-alias',
    about: 'the short names of paths in documents',
    description: pathAliasConfigurationDocument,
    merge: (_before, document) => checkAliases(document),
  }),
  ...routesOf(parts, {
    name: 'purging',
    about: 'how long entries of the audit log and jobs are kept',
    description: databasePurgingConfigurationDocument,
    deletable: true,
    merge: mergePurging,
  }),
];

export const storedNames = [
  'bulkymetadata',
  'ftp-pool',
  'indexing',
  'logreport',
  'metrics',
  'path-alias',
  'purging',
] as const;

function routesOf<T extends object>(parts: ConfigurationParts, stored: Stored<T>): readonly Route[] {
  const { name, about, description, merge = (_before, document) => document, shown = (value) => value } = stored;
  const path = `/configuration/${name}`;
  const write = role(administrator);

  const read = async () => {
    const row = await findDocument(parts.store, { name });
    const text = row?.document ?? null;
    return { revision: row?.revision ?? 0, value: text === null ? undefined : (JSON.parse(text) as T) };
  };

  async function change(call: Call, decide: (before: T | undefined) => T | undefined): Promise<void> {
    await call.change(async () => {
      const { revision, value } = await read();
      return changeStored(name, revision, decide(value));
    });
  }

  const remove: Route = route({
    method: 'DELETE',
    path,
    says: `Removes ${about}.`,
    access: write,
    acting: 'refused',
    handle: (call) => change(call, () => undefined),
  });

  return [
    route({
      method: 'GET',
      path,
      says: `Reads ${about}.`,
      answers: description,
      access: role('_configuration_read'),
      handle: async () => shown((await read()).value ?? ({} as T)),
    }),
    route({
      method: 'PUT',
      path,
      says: `Sets ${about}.`,
      reads: description,
      access: write,
      acting: 'refused',
      handle: (call) => change(call, (before) => merge(before, call.body)),
    }),
    ...(stored.deletable ? [remove] : []),
  ];
}
