import { type Access, role } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { filePaths } from '../../storage/public.ts';

export interface Unsupported {
  readonly calls: readonly (readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string])[];
  readonly says: string;
  readonly explanation: string;
  readonly access: Access;
}

export const anAdministrator = role(administrator);

export type Call = Unsupported['calls'][number];

/** Site rules of all entities of a kind, and of one of them. */
export const siteRuleCalls = (methods: readonly Call[0][]): readonly Call[] =>
  ['item', 'collection', 'library', 'user', 'group'].flatMap((kind) =>
    [`/${kind}/site-rule`, `/${kind}/:entity/site-rule`].flatMap((path) =>
      methods.map((method) => [method, method === 'GET' || method === 'POST' ? path : `${path}/:rule`] as const),
    ),
  );

export const typedLocks = (calls: readonly Call[]): readonly Call[] =>
  ['item', 'collection', 'library', 'file'].flatMap((kind) =>
    calls.map(([method, path]) => [method, `/${kind}/deletion-lock${path}`] as const),
  );

/** Calls about a file, at each of its paths. */
export const ofFiles = ([method, end]: Call): readonly Call[] => filePaths.map((path) => [method, `${path}${end}`]);

export const each = (methods: readonly Call[0][], paths: readonly string[]): readonly Call[] =>
  paths.flatMap((path) => methods.map((method) => [method, path] as const));

/** Calls by which an agent of the original reports. */
export const agentCalls = ['connection-established', 'file-information', 'files', 'job', 'mount/:mount', 'ping'];

/** Calls by which sites of the original read from each other, and write to each other. */
export const siteReads = [
  ...['changeset/:uuid', 'file/data/:file', 'file/entry', 'file/entry/:file', 'file/exists/:file', 'file/info/:file'],
  ...[
    'file/rule',
    'file/rule/:tag',
    'file/uri/:file',
    'poster/:item/:time',
    'thumbnail/:item/:time',
    'thumbnails/:item',
  ],
];
export const siteWrites = [
  ...['changeset/available', 'file/rule', 'file/rule/test', 'file/rule/:tag/test'],
  ...[':site/site-rule/:type', ':site/site-rule/:type/:rule'],
];

export const noPartialFiles = {
  says: 'Answers 501: this service writes no descriptions of partial files.',
  explanation: 'Expected no description of partial files: a download of a range, or an export with "start" and "end"',
};
export const oneSite = {
  says: 'Answers 501: this service has one site.',
  explanation: 'Expected no rule between sites: this service is one site and exchanges nothing with others',
};
export const oneWayToLocks = {
  says: 'Answers 501: a deletion lock has one entity, or none in its path.',
  explanation:
    'Expected a deletion lock by its id or its entity: GET /deletion-lock?entityTypes=Item, /deletion-lock/VX-1, /item/VX-1/deletion-lock',
};
