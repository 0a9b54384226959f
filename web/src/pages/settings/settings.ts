import type {
  CORSConfigurationDocument,
  ConfigurationPropertyListDocument,
  JobPoolListDocument,
  JobPriorityConfigurationDocument,
} from 'portico/types';
import type { Part } from '../../components/document.ts';
import { type Key, t } from '../../texts/index.ts';

type Priority = NonNullable<JobPoolListDocument['pool']>[number]['priorityThreshold'];
export const priorities: readonly Priority[] = ['IMMEDIATE', 'HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'];

/** Job pools as their form has them: sizes by their priorities. */
interface Pools {
  readonly concurrentJobs?: number | undefined;
  readonly pool?: Readonly<Record<string, number>>;
}

export const poolsOf = ({ concurrentJobs, pool = [] }: JobPoolListDocument): Pools => ({
  concurrentJobs,
  pool: Object.fromEntries(pool.map(({ priorityThreshold, size }) => [priorityThreshold, size])),
});

export const documentOfPools = ({ concurrentJobs, pool = {} }: Pools): JobPoolListDocument => ({
  concurrentJobs,
  pool: priorities.flatMap((each) => (pool[each] === undefined ? [] : [{ priorityThreshold: each, size: pool[each] }])),
});

/** A type of jobs and its priority in each line. */
const linesOf = ({ job = [] }: JobPriorityConfigurationDocument) => ({
  job: job.map(({ type, value }) => `${type} ${value}`),
});

const documentOfLines = ({ job = [] }: { readonly job?: readonly string[] }) => ({
  job: job.map((line) => {
    const [type = '', value = ''] = line.split(/\s+/);
    return { type, value: value.toUpperCase() };
  }),
});

/** Properties of the service about sharing, as a form has them. Sharing is on unless somebody has switched it off. */
const sharingOf = ({ property = [] }: ConfigurationPropertyListDocument) => {
  const values = new Map(property.map(({ key, value }) => [key, value]));
  return {
    sharing: values.get('sharing') !== 'false',
    maxShareDays: Number(values.get('maxShareDays') ?? 0) || undefined,
    shareNeedsPassword: values.get('shareNeedsPassword') === 'true',
  };
};

const propertiesOf = ({ sharing, maxShareDays, shareNeedsPassword }: Partial<ReturnType<typeof sharingOf>>) => ({
  property: Object.entries({
    ...{ sharing: sharing === true, maxShareDays: maxShareDays ?? 0 },
    shareNeedsPassword: shareNeedsPassword === true,
  }).map(([key, value]) => ({ key, value: String(value) })),
});

/** Settings of one document each. Those that only administrators may read are left out for others. */
export const documents = {
  auth: {
    path: '/configuration/auth',
    parts: [
      ['expectedAudience'],
      ['tokenUser'],
      ['publicKey', 'blocks'],
      ['x509Certificate', 'blocks'],
      ['federationMetadataURI'],
      ['federationMetadataInterval', 'number'],
      ['validationEndpoint'],
    ],
  },
  sharing: {
    path: '/configuration/properties',
    parts: [
      ['sharing', 'flag'],
      ['maxShareDays', 'number'],
      ['shareNeedsPassword', 'flag'],
    ],
  },
  purging: {
    path: '/configuration/purging',
    parts: [
      ['auditTrail.age', 'number'],
      ['changeLog.age', 'number'],
      ['job.age', 'number'],
      ['transferLog.age', 'number'],
    ],
  },
  pools: {
    path: '/configuration/job-pool',
    parts: [['concurrentJobs', 'number'], ...priorities.map((each) => [`pool.${each}`, 'number'] as const)],
  },
  priorities: { path: '/configuration/job-priority', parts: [['job', 'lines']] },
  ftp: {
    path: '/configuration/ftp-pool',
    parts: [
      ['pool.minSize', 'number'],
      ['pool.maxSize', 'number'],
      ['pool.evictionInterval', 'number'],
      ['pool.minIdleTime', 'number'],
    ],
  },
  aliases: { path: '/configuration/path-alias', parts: [['alias', 'lines']] },
} as const satisfies Readonly<
  Record<string, { readonly path: string; readonly parts: readonly (readonly [at: string, kind?: Part['kind']])[] }>
>;
export type DocumentName = keyof typeof documents;

type Shape = (document: object) => object;

/** Documents that their forms have in another shape. */
export const shapes: Readonly<Partial<Record<DocumentName, readonly [from: Shape, to: Shape]>>> = {
  pools: [poolsOf, documentOfPools],
  priorities: [linesOf, documentOfLines],
  sharing: [sharingOf, propertiesOf],
};

const labelOf = (at: string): string => t(`settings.${at.replace(/\.age$/, '').replace(/^.*\./, '')}` as Key);

export const partsOf = (name: DocumentName): readonly Part[] =>
  documents[name].parts.map(([at, kind]) => ({
    at,
    kind,
    label: name === 'pools' && at.startsWith('pool.') ? t('settings.pool', { priority: at.slice(5) }) : labelOf(at),
    hint: kind === 'blocks' ? t('settings.blocks') : kind === 'lines' ? t('settings.lines') : undefined,
    min: kind === 'number' ? Number(name !== 'ftp') : undefined,
  }));

export const corsParts = (): readonly Part[] =>
  (
    [
      ['request.0.origin', 'lines'],
      ['request.0.originRegex', 'lines'],
      ['request.0.pathRegex', 'lines'],
      ['request.0.method', 'lines'],
      ['response.allowOrigin'],
      ['response.allowMethods', 'lines'],
      ['response.allowHeaders', 'lines'],
      ['response.allowMaxAge', 'number'],
    ] as const
  ).map(([at, kind]) => ({
    at,
    kind,
    label: labelOf(at),
    hint: kind === 'lines' ? t('settings.lines') : undefined,
    required: at === 'response.allowOrigin',
  }));

export type CorsEntry = NonNullable<CORSConfigurationDocument['entry']>[number];

/**
 * The entries with one changed, made or taken out. Undefined: the entry is not there any more, since somebody else has
 * changed it.
 */
export function entriesWith(
  entries: readonly CorsEntry[],
  before: CorsEntry | undefined,
  after: CorsEntry | undefined,
): CorsEntry[] | undefined {
  const additions = after ? [after] : [];
  if (before === undefined) return [...entries, ...additions];
  const at = entries.findIndex((each) => JSON.stringify(each) === JSON.stringify(before));
  return at < 0 ? undefined : entries.toSpliced(at, 1, ...additions);
}
