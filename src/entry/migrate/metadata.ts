import type {
  MetadataDocument,
  MetadataFieldValueType,
  MetadataGroupValueType,
  MetadataTimespanType,
  MetadataValueType,
} from '../../types.ts';
import { Refused } from './calls.ts';
import { type Difference, digestOf, type Migration, type Parts } from './carry.ts';
import { many } from './original.ts';
import { at, type Path } from './places.ts';
import { Report } from './report.ts';

type Field = MetadataFieldValueType;
type Group = MetadataGroupValueType;

/** Names at the target that metadata may have. */
export interface Writable {
  readonly fields: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** Fields that the service fills in by itself. */
  readonly system: ReadonlySet<string>;
}

/** Values of a field of the generic timespan. */
export const valuesIn = (document: MetadataDocument | null | undefined, name: string): readonly string[] =>
  many(document?.timespan)
    .filter(({ start = '-INF' }) => start === '-INF')
    .flatMap(({ field }) => many(field).filter((each) => each.name === name))
    .flatMap(({ value }) => many(value).flatMap((each) => each.value ?? []));

/** Addresses of pictures at the original. The target has its own. */
const isAddress = (name: string): boolean => name.startsWith('representativeThumbnail');

const [generic, timed] = ['-INF +INF', 'timed'];
/** Timed spans that have a part each. Of more, all together are one part. */
const maxSpans = 500;

interface Content {
  readonly field: Field[];
  readonly group: Group[];
}

/** Values without what the service itself notes of them. Inherited ones belong to a collection. */
function contentOf(span: Pick<MetadataTimespanType, 'field' | 'group'>, writable: Writable, lost: Lost): Content {
  const fields = new Map<string, { name: string; track?: string; value: MetadataValueType[] }>();
  for (const { name = '', track, value, inheritance, referenced } of many(span.field)) {
    const isOwn = name.startsWith('__') || isAddress(name) || writable.system.has(name);
    if (isOwn || inheritance != null) continue;
    if (!writable.fields.has(name)) {
      lost.field(name);
      continue;
    }
    if (referenced != null) lost.reference();
    const key = `${name} ${track ?? ''}`;
    const field = fields.get(key) ?? { name, ...(track != null && track !== '' && { track }), value: [] };
    for (const each of many(value)) field.value.push(plainValue(each));
    if (field.value.length > 0) fields.set(key, field);
  }
  const group = many(span.group).flatMap((each): Group[] => {
    const { name = '', inheritance, referenced, reference } = each as Group & { readonly inheritance?: string };
    if (inheritance != null) return [];
    if (referenced != null || reference != null) lost.reference();
    if (!writable.groups.has(name)) {
      lost.group(name);
      return [];
    }
    return [{ name, ...contentOf(each, writable, lost) } as Group];
  });
  // The original tells fields in any order.
  const ordered = [...fields].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, field]) => field);
  return { field: ordered as Field[], group };
}

const plainValue = ({ value, lang }: MetadataValueType): MetadataValueType => ({
  value: String(value ?? ''),
  ...(lang != null && lang !== '' && { lang }),
});

/** Told of values that do not come. */
interface Lost {
  field(name: string): void;
  group(name: string): void;
  reference(): void;
}

/**
 * Parts of a metadata document: one for each field and each name of groups without a time, and one for each timespan.
 * Names of languages stand in the key, since values of a language stay until they are removed.
 */
export function metadataParts(
  { report }: Pick<Migration, 'report'>,
  old: string,
  document: MetadataDocument | null | undefined,
  writable: Writable,
): Parts {
  const lost: Lost = {
    field: (name) => report.remark(`There is no field "${name}" here`, old),
    group: (name) => report.remark(`There is no group of fields "${name}" here`, old),
    reference: () => report.remark('References to metadata elsewhere come as copies', old),
  };
  const parts: Record<string, unknown> = {};
  const main = many(document?.group).filter((name) => writable.groups.has(name));
  if (main.length > 0) parts['main'] = main;
  const spans = new Map<string, Content>();
  for (const { start = '-INF', end = '+INF', ...content } of many(document?.timespan)) {
    const { field, group } = contentOf(content, writable, lost);
    if (field.length + group.length === 0) continue;
    const key = `${start} ${end}`;
    const before = spans.get(key) ?? { field: [], group: [] };
    spans.set(key, { field: [...before.field, ...field], group: [...before.group, ...group] });
  }
  for (const each of spans.get(generic)?.field ?? []) {
    const languages = [...new Set(many(each.value).flatMap(({ lang }) => lang ?? []))].toSorted();
    parts[['field', each.name, each.track ?? '', languages.join()].join('/')] = each;
  }
  for (const group of spans.get(generic)?.group ?? []) {
    const key = `group/${group.name}`;
    parts[key] = [...((parts[key] as Group[] | undefined) ?? []), group];
  }
  spans.delete(generic);
  if (spans.size > maxSpans) parts[timed] = Object.fromEntries(spans);
  else for (const [key, content] of spans) parts[`span/${key}`] = content;
  return parts;
}

const isMetadata = (key: string): boolean => /^(?:field|group|span)\/|^(?:main|timed)$/.test(key);

/** Characters of one document: a part of what a service takes. */
const maxDocument = 400_000;

/** Whole metadata of a new entity, in documents that a service takes. */
export const metadataOf = (parts: Parts): readonly MetadataDocument[] =>
  documentsOf(parts, Object.keys(parts).filter(isMetadata), []);

/** Documents that make the differences. Each can be sent again. */
export function metadataChanges({ parts, changed, gone }: Difference): readonly MetadataDocument[] {
  const changes = [...changed].filter(isMetadata);
  // New values take the place of old ones, and new instances of groups do not.
  const replaced = changes.filter((key) => !key.startsWith('field/'));
  return documentsOf(parts, changes, [...[...gone].filter(isMetadata), ...replaced]);
}

/** The difference to what is at the target, where the last state is not known. Nothing is gone then. */
export function differenceThere(
  migration: Migration,
  difference: Difference,
  current: MetadataDocument | undefined,
  writable: Writable,
): Difference {
  const parts = metadataParts({ report: new Report() }, '', current, writable);
  const isOther = (key: string) => digestOf(migration, parts[key]) !== digestOf(migration, difference.parts[key]);
  const changed = [...difference.changed].filter((key) => !isMetadata(key) || isOther(key));
  return { ...difference, changed: new Set(changed) };
}

type Span = Content & { readonly start: string; readonly end: string };

/** `cleared`: keys whose earlier content is removed before. */
function documentsOf(parts: Parts, set: readonly string[], cleared: readonly string[]): readonly MetadataDocument[] {
  const main = set.includes('main') ? (parts['main'] as string[]) : cleared.includes('main') ? [''] : undefined;
  const first: Span = { start: '-INF', end: '+INF', field: [], group: [] };
  for (const key of cleared) {
    const [kind, name = '', track = ''] = key.split('/');
    if (kind === 'field') first.field.push({ name, ...(track !== '' && { track }), mode: 'remove' } as Field);
    if (kind === 'group') first.group.push({ name: key.slice('group/'.length), mode: 'remove' } as Group);
  }
  for (const key of set) {
    if (key.startsWith('field/')) first.field.push(parts[key] as Field);
    if (key.startsWith('group/')) first.group.push(...adding(parts[key] as Group[]));
  }
  const spans: Span[] = [];
  const spansOf = (key: string): readonly (readonly [string, Content])[] =>
    key === timed
      ? Object.entries((parts[timed] as Record<string, Content> | undefined) ?? {})
      : key.startsWith('span/')
        ? [[key.slice('span/'.length), (parts[key] as Content | undefined) ?? { field: [], group: [] }]]
        : [];
  for (const [span] of cleared.flatMap(spansOf)) spans.push({ ...timesOf(span), field: [], group: [] });
  for (const [span, { field, group }] of set.flatMap(spansOf))
    spans.push({ ...timesOf(span), field: [...field], group: adding(group) });
  return inDocuments(main, [...(first.field.length + first.group.length > 0 ? [first] : []), ...spans]);
}

const timesOf = (key: string) => {
  const [start, end] = key.split(' ');
  return { start: start!, end: end! };
};

/** Several groups may have one name. */
const adding = (groups: readonly Group[]): Group[] => groups.map((group) => ({ ...group, mode: 'add' }) as Group);

function inDocuments(main: string[] | undefined, spans: readonly Span[]): readonly MetadataDocument[] {
  const documents: { group?: string[]; timespan: Span[] }[] = [];
  let room = 0;
  for (const span of spans) {
    const length = JSON.stringify(span).length;
    if (documents.length === 0 || length > room) {
      documents.push({ timespan: [] });
      room = maxDocument;
    }
    documents.at(-1)!.timespan.push(span);
    room -= length;
  }
  if (main !== undefined && documents.length === 0) documents.push({ timespan: [] });
  if (main !== undefined) documents[0]!.group = main;
  return documents as MetadataDocument[];
}

/** Fields and groups that one document may lose to the rules of the target. */
const maxRefused = 50;

/** Sends a document. A field whose value the target refuses stays away, and the others come. */
export async function sendMetadata(
  { report }: Pick<Migration, 'report'>,
  old: string,
  document: MetadataDocument,
  send: (document: MetadataDocument) => Promise<void>,
): Promise<void> {
  let left = document;
  for (let refused = 0; ; refused++) {
    try {
      return await send(left);
    } catch (error) {
      const name = error instanceof Refused && refused < maxRefused ? refusedName(error) : undefined;
      if (name === undefined) throw error;
      const next = without(left, name);
      if (JSON.stringify(next) === JSON.stringify(left)) throw error;
      report.remark(
        `Values of "${name}" are refused: ${(error as Refused).message.replace(/^.*?: /, '')}`,
        old,
        `field/${name}/`,
      );
      left = next;
    }
  }
}

/** Changes the metadata of an item or a collection to what the original has. */
export async function putMetadata(
  migration: Pick<Migration, 'report' | 'target'>,
  path: Path,
  old: string,
  difference: Difference,
): Promise<void> {
  for (const document of metadataChanges(difference))
    await sendMetadata(migration, old, document, async (each) => {
      await migration.target.write('PUT', at`${path}/metadata`, each);
    });
}

/** Name of the field or group that a refusal is about. */
function refusedName({ status, fault: { type, id, context } }: Refused): string | undefined {
  const isValue = status === 400 && context === 'metadata';
  const isUnknown = status === 404 && /^metadata-field/.test(type ?? '');
  return isValue || isUnknown ? (id ?? undefined) : undefined;
}

const without = (document: MetadataDocument, name: string): MetadataDocument => ({
  ...document,
  timespan: many(document.timespan).flatMap((span) => {
    const left = { ...span, ...cut(span, name) };
    // A timespan without content would remove what is there.
    return isEmpty(left) && !isEmpty(span) ? [] : [left];
  }),
});

const isEmpty = ({ field, group }: MetadataTimespanType): boolean => many(field).length + many(group).length === 0;

const cut = (content: Pick<MetadataTimespanType, 'field' | 'group'>, name: string): Content => ({
  field: many(content.field).filter((field) => field.name !== name),
  group: many(content.group).flatMap((group): Group[] =>
    group.name === name ? [] : [{ ...group, ...cut(group, name) }],
  ),
});
