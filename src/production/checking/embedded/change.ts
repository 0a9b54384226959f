import { checkValue } from '../../../assets/definitions/public.ts';
import { askerOf, type FieldDefinition, loadFields } from '../../../assets/definitions/public-reading.ts';
import { type ChangeSetRequest, prepareMetadata } from '../../../assets/metadata/public.ts';
import type { MetadataDocumentValue } from '../../../assets/metadata/public-reading.ts';
import { callerOfJob } from '../../../assets/search/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { isChanged } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { LeasedJob } from '../../../room/jobs/job-type.ts';
import type { ProbeResult } from '../../../spi/index.ts';
import type { CheckParts } from '../parts.ts';
import { type MappingRow, openNamingFields } from './mapping.ts';

/** Properties inside the files of an item, and their fields. */
export interface Embedded {
  /** Job whose user writes the fields. */
  readonly job: LeasedJob;
  readonly mapping: readonly MappingRow[];
  readonly embedded: NonNullable<ProbeResult['embedded']>;
}

type Values = ReadonlyMap<string, readonly string[]>;

interface EmbeddedChange {
  /** Undefined: the file has nothing that the item lacks. */
  readonly document: MetadataDocumentValue | undefined;
  /** Sentences about values that are left out. */
  readonly says: readonly string[];
}

/**
 * Metadata of an item after a check: a change set of the service, and one with what its files say of themselves. Fields
 * that the user of the job may not write are left out of that one. `now`: values of the item, by field.
 */
export async function metadataOfFiles(
  parts: CheckParts,
  itemId: string,
  change: ChangeSetRequest,
  { job, mapping, embedded }: Embedded,
  now: Values,
): Promise<CommitPlan & { readonly says: readonly string[] }> {
  const owner = { kind: 'item', id: itemId } as const;
  const { document, says } = await embeddedChange(parts.store, mapping, embedded, now);
  const alone = async (more: readonly string[]) => ({ ...(await prepareMetadata(parts, owner, [change])), says: more });
  if (!document) return alone(says);
  const rights =
    job.user === undefined ? undefined : { asker: await askerOf(await callerOfJob(parts, job)), skipForbidden: true };
  try {
    return { ...(await prepareMetadata(parts, owner, [change, { by: 'system', document }], rights)), says };
  } catch (error) {
    if (!(error instanceof ServiceError) || isChanged(error)) throw error;
    return alone([...says, `Metadata inside the file is left out: ${error.detail.explanation ?? error.code}`]);
  }
}

/** Sentences of one file. */
const maxSentences = 10;

/** Values of files for fields that the item has not yet: what its importer has sent always wins. */
async function embeddedChange(
  reader: Reader,
  rows: readonly MappingRow[],
  values: Embedded['embedded'],
  now: Values,
): Promise<EmbeddedChange> {
  if (Object.keys(values).length === 0) return { document: undefined, says: [] };
  const naming = await openNamingFields(reader);
  const isNamed = naming.some((field) => now.has(field));
  const candidates = rows.filter(
    ({ property, field }) => Object.hasOwn(values, property) && !now.has(field) && !(isNamed && naming.includes(field)),
  );
  const definitions = await loadFields(
    reader,
    candidates.map(({ field }) => field),
  );
  const chosen = new Map<string, readonly string[]>();
  const says: string[] = [];
  for (const { property, field } of candidates) {
    if (chosen.has(field)) continue;
    const definition = definitions.get(field);
    if (!definition || definition.system) {
      says.push(`Expected the field "${field}", which the mapping of ${property} names`);
      continue;
    }
    const fitting = values[property]!.flatMap((text) => fittingValue(definition, property, text, says));
    if (fitting.length > 0) chosen.set(field, fitting);
  }
  const field = [...chosen].map(([name, texts]) => ({ name, value: texts.map((value) => ({ value })) }));
  return { document: field.length > 0 ? { timespan: [{ field }] } : undefined, says: says.slice(0, maxSentences) };
}

function fittingValue(definition: FieldDefinition, property: string, text: string, says: string[]): readonly string[] {
  try {
    return [checkValue(definition, text)];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    says.push(`Left out ${property} of the file: ${error.detail.explanation ?? error.code}`);
    return [];
  }
}
