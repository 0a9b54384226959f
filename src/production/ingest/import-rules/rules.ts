import { type MetadataDocumentValue, metadata } from '../../../assets/metadata/public-reading.ts';
import { boolean, document, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';
import { badValue } from '../../../core/documents/error.ts';
import { compilePattern } from '../../../core/documents/pattern.ts';
import { simpleMetadata } from '../../../core/documents/shared-documents.ts';
import type { Pairs } from '../../../core/events/payloads.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { ownKey, reservedKey } from '../../../room/jobs/contract.ts';
import { type JobPriority, jobPriorities } from '../../../room/jobs/job-type.ts';
import { type AutoImportRow, hasAutoImport, putAutoImport, switchAutoImport } from '../../../storage/public.ts';
import { captionEndings } from '../sidecars/sidecar.ts';
import { importJobs } from '../steps/import-job.ts';

const nameFilter = structure('FilenameFilterType', { pattern: element(string).required, tag: list(string) });

const autoImportRule = structure('AutoImportRuleType', {
  fileNameAsTitle: element(boolean),
  storage: element(string).outputOnly,
  tag: list(string),
  metadata: element(metadata).says('Metadata of a new item without a sidecar.'),
  jobmetadata: element(simpleMetadata),
  settingsId: element(string),
  projection: element(string).says('Projection whose incoming stylesheet transforms sidecar files into metadata.'),
  excludeFilter: list(nameFilter),
  shapeTagFilter: list(nameFilter),
  priority: element(string),
  user: element(string),
  resourceId: element(string),
  ignoreSidecarImport: element(boolean),
  disabledSidecarExtensions: list(string),
  enabled: element(boolean),
});

export const autoImportRuleDocument = document('AutoImportRuleDocument', autoImportRule);
export type AutoImportRule = Value<typeof autoImportRuleDocument>;

export const autoImportRuleListDocument = document('AutoImportRuleListDocument', { rule: list(autoImportRule) });

export const autoImportFrom = ({ storageId, enabled, document }: AutoImportRow): AutoImportRule => ({
  ...(JSON.parse(document) as AutoImportRule),
  storage: storageId,
  enabled: enabled === 1,
});

/** Data that jobs of the rule have beside those of the service. */
export const dataOfRule = ({ jobmetadata }: AutoImportRule): Pairs =>
  (jobmetadata?.field ?? []).flatMap(({ key, value }) => (key ? [[key, String(value?.value ?? '')] as const] : []));

/** Checks what a rule says by itself: its patterns, its priority and its data of jobs. */
export function checkRule(rule: AutoImportRule): void {
  const { excludeFilter = [], shapeTagFilter = [], priority } = rule;
  const root = '/AutoImportRuleDocument';
  for (const { pattern } of excludeFilter) compilePattern(pattern, `${root}/excludeFilter/pattern`);
  for (const { pattern } of shapeTagFilter) compilePattern(pattern, `${root}/shapeTagFilter/pattern`);
  if (priority && !jobPriorities.includes(priority.toUpperCase() as JobPriority)) {
    throw badValue(`${root}/priority`, `one of ${jobPriorities.join(', ')}`, priority);
  }
  const reserved = reservedKey(importJobs.AUTO_IMPORT, dataOfRule(rule));
  if (reserved !== undefined) throw badValue(`${root}/jobmetadata/field/key`, ownKey, reserved);
}

/** `others`: whether the caller may name another user than itself. Jobs of the rule run in that name. */
export function checkUser({ user }: AutoImportRule, caller: string, others: boolean): void {
  if (!user || user === caller || others) return;
  const explanation =
    'Expected the caller itself, or the role _administrator: jobs of the rule run in the name of the user';
  throw new ServiceError('not-allowed', {
    context: '/AutoImportRuleDocument/user',
    id: user.slice(0, 80),
    explanation,
  });
}

export const setAutoImport = (
  storageId: string,
  { storage: _own, enabled = true, ...rule }: AutoImportRule,
  author: string | null,
): CommitPlan =>
  changing(putAutoImport({ storageId, enabled: Number(enabled), document: JSON.stringify(rule), author }));

export const enableAutoImport = (id: string, enabled: boolean): CommitPlan =>
  changing(
    hasAutoImport({ storageId: id }, noAutoImport(id)),
    switchAutoImport({ storageId: id, enabled: Number(enabled) }),
  );

export const noAutoImport = (storage: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'auto-import', id: storage });

const place = '/AutoImportRuleDocument';

/** Effect of a rule on a file. Undefined: no import. */
interface AutoImport {
  readonly tags: readonly string[];
  readonly title: string | undefined;
}

export function autoImportOf(rule: AutoImportRule, path: string): AutoImport | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { tag = [], excludeFilter = [], shapeTagFilter = [], ignoreSidecarImport = false, fileNameAsTitle } = rule;
  if (isSidecar(name) && !ignoreSidecarImport) return undefined;
  if (excludeFilter.some(({ pattern }) => compilePattern(pattern, `${place}/excludeFilter/pattern`)(name))) {
    return undefined;
  }
  const filtered = new Set(shapeTagFilter.flatMap(({ tag: tags = [] }) => tags));
  const matching = shapeTagFilter
    .filter(({ pattern }) => compilePattern(pattern, `${place}/shapeTagFilter/pattern`)(name))
    .flatMap(({ tag: tags = [] }) => tags);
  const tags = [...new Set([...tag.filter((each) => !filtered.has(each)), ...matching])];
  return { tags, title: fileNameAsTitle ? name : undefined };
}

/** Files with metadata and subtitles belong to the file beside them. */
const endings: readonly string[] = ['xml', ...captionEndings];
const isSidecar = (name: string): boolean => endings.some((each) => name.toLowerCase().endsWith(`.${each}`));

/** The paths that the sidecars of a file have: `a.xml` and `a.mov.xml` beside `a.mov`. */
export function sidecarPaths(path: string, { ignoreSidecarImport, disabledSidecarExtensions = [] }: AutoImportRule) {
  if (ignoreSidecarImport) return [];
  const off = new Set(disabledSidecarExtensions.map((each) => each.replace(/^\./, '').toLowerCase()));
  const stem = path.replace(/\.[^./]*$/, '');
  return endings.filter((each) => !off.has(each)).flatMap((each) => [`${stem}.${each}`, `${path}.${each}`]);
}

export const isMetadata = (path: string): boolean => /\.xml$/i.test(path);

/** A file with metadata takes the place of that of the rule. The name of the media is the title, where the rule says so. */
export function sidecarMetadata(
  { metadata }: AutoImportRule,
  { title }: AutoImport,
  hasFile: boolean,
): MetadataDocumentValue | undefined {
  const own = hasFile ? undefined : metadata;
  if (title === undefined) return own;
  const timespan = (own?.timespan ?? []).map((each) => ({
    ...each,
    field: each.field?.filter(({ name }) => name !== 'title'),
  }));
  return { ...own, timespan: [...timespan, { field: [{ name: 'title', value: [{ value: title }] }] }] };
}
